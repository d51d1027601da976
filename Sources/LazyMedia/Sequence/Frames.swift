/// The frames of a sequence as an asynchronous sequence, decoded on demand.
public struct Frames: AsyncSequence, Sendable {
    let makePump: @Sendable () -> FramePump

    /// Starts an independent iteration before the first frame.
    public func makeAsyncIterator() -> Iterator { Iterator(pump: makePump()) }

    /// One iteration over the sequence; for one task at a time.
    public final class Iterator: AsyncIteratorProtocol {
        private let pump: FramePump

        init(pump: FramePump) { self.pump = pump }

        deinit { pump.cancel() }

        /// The next frame, or nil at the end.
        public func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(MediaError) -> Frame? {
            if Task.isCancelled { pump.cancel() }
            return try await pump.next()
        }
    }
}
