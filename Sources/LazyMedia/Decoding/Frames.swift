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

extension Frames {
    /// The only frame; throws `.notWritable` where there is none and where there are more.
    package func single(for format: String) async throws(MediaError) -> Frame {
        let iterator = makeAsyncIterator()
        guard let frame = try await iterator.next() else {
            throw MediaError(.notWritable, "A \(format) holds one picture, and there is none.")
        }
        guard try await iterator.next() == nil else {
            throw MediaError(.notWritable, "A \(format) holds one picture, and there are more.")
        }
        return frame
    }
}
