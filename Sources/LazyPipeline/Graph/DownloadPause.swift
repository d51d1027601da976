internal import LazyBase

/// The delay of a download, which a less patient subscriber can end early.
final class DownloadPause: Sendable {
    /// When it ends by itself.
    let end: Duration
    private let state = Locked((sleep: Task<Void, Never>?.none, isOver: false))

    init(until end: Duration) { self.end = end }

    /// Waits until the end, an early end, or the cancellation of the waiting task.
    func wait(on clock: any SteadyClock) async {
        let end = end
        // Owned by this wait, which ends with it.
        let sleep = Task { _ = try? await clock.sleep(until: end) }
        let isOver = state.withLock { state in
            state.sleep = sleep
            return state.isOver
        }
        if isOver { sleep.cancel() }
        await withTaskCancellationHandler {
            await sleep.value
        } onCancel: {
            sleep.cancel()
        }
    }

    func endEarly() {
        let sleep = state.withLock { state in
            state.isOver = true
            return state.sleep
        }
        sleep?.cancel()
    }
}
