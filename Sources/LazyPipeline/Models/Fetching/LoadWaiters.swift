/// The tasks that wait for the end of a load.
@MainActor final class LoadWaiters {
    typealias Outcome = Result<ImageResponse, PipelineError>
    private typealias Waiter = CheckedContinuation<Outcome, Never>
    private var waiters: [Int: Waiter] = [:]
    private var lastID = 0
    var count: Int { waiters.count }

    /// Waits for the end, or for the cancellation of the waiting task.
    func wait() async -> Outcome {
        lastID += 1
        let id = lastID
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiters[id] = $0 }
        } onCancel: {
            // Ends after this one step; the waiter is registered by then.
            Task { @MainActor in
                self.waiters.removeValue(forKey: id)?.resume(returning: .failure(.cancelled))
            }
        }
    }

    func end(_ outcome: Outcome) {
        let ended = waiters
        waiters = [:]
        for waiter in ended.values { waiter.resume(returning: outcome) }
    }
}
