internal import LazyBase
internal import Synchronization

/// A store of an image in the data cache that is in progress.
final class PendingStore: Sendable {
    /// Its number in the graph, in place of a task's.
    let task: WorkGraph.TaskID
    let key: String
    private let removed = Atomic<Bool>(false)

    init(task: WorkGraph.TaskID, key: String) {
        self.task = task
        self.key = key
    }

    /// Whether its key was removed from the cache before the store ended.
    var isRemoved: Bool { removed.load(ordering: .acquiring) }

    /// Marks its key as removed; called before the cache removes it.
    func markRemoved() { removed.store(true, ordering: .releasing) }
}

/// The stores in progress, and the callers that wait for their end.
final class PendingStores: Sendable {
    private struct State {
        var stores: [WorkGraph.TaskID: PendingStore] = [:]
        var waiters: [UnsafeContinuation<Void, Never>] = []
    }
    private let state = Locked(State())

    var all: [PendingStore] { state.withLock { Array($0.stores.values) } }

    func add(_ store: PendingStore) { state.withLock { $0.stores[store.task] = store } }

    func remove(_ store: PendingStore) {
        let waiters = state.withLock { state -> [UnsafeContinuation<Void, Never>] in
            state.stores[store.task] = nil
            guard state.stores.isEmpty else { return [] }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits until there are none.
    func drain() async {
        await withUnsafeContinuation { (waiter: UnsafeContinuation<Void, Never>) in
            let isEmpty = state.withLock { state in
                if !state.stores.isEmpty { state.waiters.append(waiter) }
                return state.stores.isEmpty
            }
            if isEmpty { waiter.resume() }
        }
    }
}
