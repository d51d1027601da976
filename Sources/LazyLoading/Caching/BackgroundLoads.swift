internal import LazyBase

/// Background tasks, at most one for each key; the owner cancels them.
final class BackgroundLoads: Sendable {
    private struct State {
        var lastID = 0
        var tasks: [String: (id: Int, task: Task<Void, Never>)] = [:]
    }
    private let state = Locked(State())

    /// Starts work unless there is a task with the same key.
    func begin(_ key: String, _ work: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            guard state.tasks[key] == nil else { return }
            state.lastID += 1
            let id = state.lastID
            let task = Task { [weak self] in
                await work()
                self?.end(key, id)
            }
            state.tasks[key] = (id, task)
        }
    }

    /// Cancels all tasks.
    func cancelAll() {
        let tasks = state.withLock { state in
            defer { state.tasks = [:] }
            return state.tasks.values.map(\.task)
        }
        for task in tasks { task.cancel() }
    }

    /// Waits for all current tasks.
    func waitForAll() async {
        for task in state.withLock({ $0.tasks.values.map(\.task) }) { await task.value }
    }

    private func end(_ key: String, _ id: Int) {
        state.withLock { state in
            if state.tasks[key]?.id == id { state.tasks[key] = nil }
        }
    }
}
