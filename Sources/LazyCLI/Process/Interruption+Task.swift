import Glibc

extension Interruption {
    /// Runs work that the first signal cancels as a Swift task, and waits for its end.
    static func cancelling<Result: Sendable>(
        _ work: @escaping @Sendable () async throws(CommandFailure) -> Result
    ) async throws(CommandFailure) -> Result {
        let task = Task { () -> Swift.Result<Result, CommandFailure> in
            do throws(CommandFailure) { return .success(try await work()) } catch {
                return .failure(error)
            }
        }
        let cancel: @Sendable (CInt) -> Void = { number in
            if number != SIGTSTP, number != SIGWINCH { task.cancel() }
        }
        let result = await withCleanup(onSignal: cancel, suspends: false) {
            await withTaskCancellationHandler {
                await task.value
            } onCancel: {
                task.cancel()
            }
        }
        // The signal is the cause of any error.
        if case .failure = result, signal != nil { throw .cancelled }
        return try result.get()
    }
}
