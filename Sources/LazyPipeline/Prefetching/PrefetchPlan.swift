/// A load that a prefetcher has started.
struct PrefetchLoad: Sendable {
    let cancel: @Sendable () -> Void
    let setPriority: @Sendable (Priority) -> Void
}

/// The waiting and running loads of a prefetcher; a pure machine.
struct PrefetchPlan {
    /// A load to be started.
    struct Item: Sendable {
        let key: ImageCacheKey
        let begin: @Sendable (Priority, @escaping @Sendable () -> Void) -> PrefetchLoad
    }

    /// What the caller is to do.
    enum Action: Sendable {
        case begin(Item, Int)
        case cancel(PrefetchLoad)
        case tellComplete
    }

    private let width: Int
    private var waiting: ArraySlice<Item> = []
    private var running: [Int: (key: ImageCacheKey, load: PrefetchLoad?)] = [:]
    private var keys: Set<ImageCacheKey> = []
    private var lastID = 0
    private(set) var isPaused = false

    init(width: Int) { self.width = width }

    var loads: [PrefetchLoad] { running.values.compactMap(\.load) }

    mutating func add(_ items: [Item]) -> [Action] {
        for item in items where keys.insert(item.key).inserted { waiting.append(item) }
        return keys.isEmpty ? [.tellComplete] : more()
    }

    mutating func remove(_ gone: [ImageCacheKey]) -> [Action] {
        let gone = Set(gone).intersection(keys)
        guard !gone.isEmpty else { return [] }
        keys.subtract(gone)
        waiting.removeAll { gone.contains($0.key) }
        let ended = running.filter { gone.contains($0.value.key) }
        for id in ended.keys { running[id] = nil }
        return ended.values.compactMap(\.load).map { .cancel($0) } + more()
    }

    mutating func removeAll() -> [Action] {
        let ended = loads
        waiting = []
        running = [:]
        keys = []
        return ended.map { .cancel($0) }
    }

    mutating func setPaused(_ isPaused: Bool) -> [Action] {
        self.isPaused = isPaused
        return more()
    }

    /// A load was started; cancelled if its item has been removed since.
    mutating func didBegin(_ id: Int, _ load: PrefetchLoad) -> [Action] {
        guard running[id] != nil else { return [.cancel(load)] }
        running[id]?.load = load
        return []
    }

    mutating func didEnd(_ id: Int) -> [Action] {
        guard let ended = running.removeValue(forKey: id) else { return [] }
        keys.remove(ended.key)
        return keys.isEmpty ? [.tellComplete] : more()
    }

    private mutating func more() -> [Action] {
        guard !isPaused else { return [] }
        var actions: [Action] = []
        while running.count < width, !waiting.isEmpty {
            let item = waiting.removeFirst()
            lastID += 1
            running[lastID] = (item.key, nil)
            actions.append(.begin(item, lastID))
        }
        return actions
    }
}
