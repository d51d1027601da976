/// Callbacks of a model, made at once or in the next turn of the main actor.
///
/// Those of a load that ends within the call that started it are deferred: the caller sets them
/// after that call.
@MainActor final class PendingCalls {
    private var isHeldBack = false
    private var waiting: [@MainActor () -> Void] = []
    private var turn: OwnedTask?
    /// Changes when calls are dropped, so that a batch in progress stops too.
    private(set) var generation = 0

    /// Runs a body and defers its callbacks to the next turn.
    func holdingBack(_ body: () -> Void) {
        let wasHeldBack = isHeldBack
        isHeldBack = true
        body()
        isHeldBack = wasHeldBack
    }

    /// Makes or defers a call; calls keep their order.
    func make(_ call: @escaping @MainActor () -> Void) {
        guard isHeldBack || !waiting.isEmpty else { return call() }
        waiting.append(call)
        guard turn == nil else { return }
        // Owned by this object, which cancels it when the calls are dropped.
        turn = OwnedTask(
            Task { [weak self] in
                if !Task.isCancelled { self?.makeAll() }
            })
    }

    /// Makes the deferred calls.
    func makeAll() {
        let (calls, generation) = (waiting, generation)
        waiting = []
        turn = nil
        for call in calls where generation == self.generation { call() }
    }

    /// Drops the deferred calls.
    func drop() {
        waiting = []
        turn = nil
        generation += 1
    }
}
