internal import LazyBase
internal import LazyPipeline

extension ConcurrentMap {
    /// Does the work for each item and passes on the results; a signal is a failure.
    static func runInputs<Item: Sendable, Output: Sendable>(
        _ items: [Item], jobs: Int, _ work: @escaping @Sendable (Int, Item) async -> Output,
        didEnd: (Int, Output) throws(CommandFailure) -> Void
    ) async throws(CommandFailure) {
        let isComplete: Bool
        do throws(Failure<CommandFailure>) {
            isComplete = try await run(items, jobs: jobs, work, didEnd: didEnd)
        } catch {
            switch error {
            case .handler(let failure): throw failure
            case .noThread(let error): throw CommandFailure(noThread: error, for: "the inputs")
            }
        }
        if !isComplete { throw .cancelled }
    }
}

extension BlockingPool {
    /// Throws if no thread can be started.
    func requireThread(for purpose: String) throws(CommandFailure) {
        do throws(SystemError) { try requireThread() } catch {
            throw CommandFailure(noThread: error, for: purpose)
        }
    }
}

extension CommandFailure {
    fileprivate init(noThread error: SystemError, for purpose: String) {
        self.init(
            .unavailable, "environment",
            "The system cannot start a thread for \(purpose): \(error).",
            hint: "End other processes of this user, or raise the limit (ulimit -u).")
    }
}
