/// Callbacks of a model, made at once or promised for the next turn of the main actor.
///
/// Those of a load that ends inside of the call that began it wait: whoever began it sets them
/// behind that call.
@MainActor final class PendingCalls {
    private var isHeldBack = false
    private var waiting: [@MainActor () -> Void] = []
    private var turn: OwnedTask?
    /// Counts what was dropped, so that calls under way stop too.
    private(set) var generation = 0

    /// Runs a body whose callbacks wait for the next turn.
    func holdingBack(_ body: () -> Void) {
        let wasHeldBack = isHeldBack
        isHeldBack = true
        body()
        isHeldBack = wasHeldBack
    }

    /// Makes a call, or promises it; it never comes before an older one.
    func make(_ call: @escaping @MainActor () -> Void) {
        guard isHeldBack || !waiting.isEmpty else { return call() }
        waiting.append(call)
        guard turn == nil else { return }
        // Owned by this, which ends it with the calls.
        turn = OwnedTask(
            Task { [weak self] in
                if !Task.isCancelled { self?.makeAll() }
            })
    }

    /// Makes the calls that were promised.
    func makeAll() {
        let (calls, generation) = (waiting, generation)
        waiting = []
        turn = nil
        for call in calls where generation == self.generation { call() }
    }

    /// Forgets the calls that were promised.
    func drop() {
        waiting = []
        turn = nil
        generation += 1
    }
}
