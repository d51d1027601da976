/// Runs one reader on the pool of blocking threads and delivers its frames to one consumer.
final class FramePump: Sendable {
    private struct State: ~Copyable {
        var lookAhead: LookAhead<Frame>
        var consumer: UnsafeContinuation<Void, Never>?
    }

    private let state: Locked<State>
    private let cycle: ReaderCycle
    private let pool: BlockingPool
    private let cancellation: CancellationFlag

    init(_ cycle: ReaderCycle, depth: Int, pool: BlockingPool, cancellation: CancellationFlag) {
        state = Locked(State(lookAhead: LookAhead(depth: depth), consumer: nil))
        self.cycle = cycle
        self.pool = pool
        self.cancellation = cancellation
    }

    // A running producer retains the pump until its next push; cancelling ends it there.
    func cancel() { cancellation.cancel() }

    /// The next frame, or nil at the end; for one consumer at a time.
    func next() async throws(MediaError) -> Frame? {
        while true {
            switch state.withLock({ $0.lookAhead.pull() }) {
            case .deliver(let result, let startsProducer):
                if startsProducer { startProducer() }
                return try result.get()
            case .wait(let startsProducer):
                await waitForPush(startsProducer)
            }
        }
    }

    private func waitForPush(_ startsProducer: Bool) async {
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                state.withLock { $0.consumer = continuation }
                if startsProducer { startProducer() } else { wakeIfReady() }
            }
        } onCancel: {
            cancellation.cancel()
        }
    }

    /// Resumes the consumer if the producer pushed between the pull and the wait.
    private func wakeIfReady() {
        let waiting = state.withLock { state in
            state.lookAhead.hasElements ? state.consumer.take() : nil
        }
        waiting?.resume()
    }

    private func startProducer() {
        // Owned by its last push: it ends when the buffer is full, at the end, or when cancelled.
        Task(executorPreference: pool) { [self] in
            while push(Result { () throws(MediaError) in try cycle.next() }) {}
        }
    }

    private func push(_ element: Result<Frame?, MediaError>) -> Bool {
        let (isToGoOn, waiting) = state.withLock { state in
            (state.lookAhead.push(element), state.consumer.take())
        }
        waiting?.resume()
        return isToGoOn
    }
}
