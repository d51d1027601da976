/// The frames of a sequence as an asynchronous sequence, decoded on pull.
public struct Frames: AsyncSequence, Sendable {
    let sequence: FrameSequence
    let plays: Int?
    let size: PixelSize?
    let lookAhead: Int
    let threads: Int

    /// Begins a reading of its own, before the first frame.
    public func makeAsyncIterator() -> Iterator { Iterator(pump: makePump()) }

    private func makePump() -> FramePump {
        let flag = CancellationFlag()
        let options = sequence.options(size: size, threads: threads, cancellation: flag)
        let sequence = self.sequence
        let cycle = ReaderCycle(plays: plays) { () throws(MediaError) in
            try sequence.makeReader(options)
        }
        return FramePump(cycle, depth: lookAhead, pool: sequence.pool, cancellation: flag)
    }

    /// One reading of the sequence; for one task at a time.
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
