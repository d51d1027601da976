/// Callbacks of a model, made at once or in the next turn of the main actor.
///
/// Those of a load that ends within the call that started it are deferred: the caller sets them
/// after that call.
@MainActor final class PendingCalls {
    private var isHeldBack = false
    private var waiting: [@MainActor () -> Void] = []
    private var isDue = false
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
        guard !isDue else { return }
        isDue = true
        NextTurn.run { [weak self] in
            self?.isDue = false
            self?.makeAll()
        }
    }

    /// Makes the deferred calls.
    func makeAll() {
        let (calls, generation) = (waiting, generation)
        waiting = []
        for call in calls where generation == self.generation { call() }
    }

    /// Drops the deferred calls.
    func drop() {
        waiting = []
        generation += 1
    }
}

/// The next turn of the main actor, of which one is enough for all rows of a list.
@MainActor private enum NextTurn {
    private static var calls: [@MainActor () -> Void] = []

    static func run(_ call: @escaping @MainActor () -> Void) {
        calls.append(call)
        guard calls.count == 1 else { return }
        // Ends after this one turn.
        Task {
            let due = calls
            calls = []
            for call in due { call() }
        }
    }
}
