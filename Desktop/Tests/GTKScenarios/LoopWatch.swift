internal import CGTK

/// Waits for conditions, which are looked at in each turn of GLib's loop; nothing polls.
@MainActor final class LoopWatch {
    static let shared = LoopWatch()
    private var waiting: [(condition: () -> Bool, continuation: CheckedContinuation<Void, Never>)] =
        []
    /// The turns of the loop so far.
    private(set) var turns = 0

    func install() {
        g_main_context_set_poll_func(nil) { descriptors, count, timeout in
            // Before the loop sleeps: what it has just done may be all that will happen.
            MainActor.assumeIsolated { LoopWatch.shared.didTurn() }
            return g_poll(descriptors, count, timeout)
        }
    }

    /// Returns when a condition holds.
    func until(_ condition: @escaping () -> Bool) async {
        if condition() { return }
        await withCheckedContinuation { waiting.append((condition, $0)) }
    }

    private func didTurn() {
        turns += 1
        guard !waiting.isEmpty else { return }
        var left: [(condition: () -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
        let looked = waiting
        waiting = []
        for entry in looked {
            if entry.condition() { entry.continuation.resume() } else { left.append(entry) }
        }
        waiting = left + waiting
    }

    /// The time after which the loop wakes by itself, or nil if only events wake it.
    var nextTimeout: Int? {
        var priority: CInt = 0
        var timeout: CInt = 0
        guard let context = g_main_context_default() else { return nil }
        g_main_context_prepare(context, &priority)
        g_main_context_query(context, Int32.max, &timeout, nil, 0)
        return timeout < 0 ? nil : Int(timeout)
    }
}
