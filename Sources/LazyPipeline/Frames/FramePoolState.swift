internal import LazyBase
internal import LazyMedia

/// The state of a frame pool, kept under its lock.
struct FramePoolState {
    /// The time without memory pressure after which the pool grows again.
    static let calmPeriod = Duration.seconds(10)

    private(set) var budget: Int
    /// The budget as reduced by memory pressure.
    private(set) var effectiveBudget: Int
    private(set) var stores: [FrameStore.Key: FrameStore] = [:]
    private let bytes: FrameByteCounter
    private var lastViewer = 0
    private var lastPressure: Duration?
    /// Batches of frames that are to be freed, and are not yet.
    private var freeing = 0
    private var demands: [FrameStore.Key: FrameDemand] = [:]
    // The few stores that matter to each decoded frame, so that its cost does not grow with their number.
    private var deferred: Set<FrameStore.Key> = []
    private var decoding: Set<FrameStore.Key> = []

    init(budget: Int, bytes: FrameByteCounter) {
        self.budget = budget
        effectiveBudget = budget
        self.bytes = bytes
    }

    mutating func join(
        _ sequence: FrameSequence, _ key: FrameStore.Key, _ effects: inout FrameStore.Effects
    ) -> Int {
        lastViewer += 1
        let id = lastViewer
        if stores[key] == nil { stores[key] = FrameStore(sequence, key: key, bytes: bytes) }
        change(key, &effects) { store, _ in store.ring.join(id) }
        return id
    }

    mutating func setBudget(_ budget: Int, _ effects: inout FrameStore.Effects) {
        self.budget = budget
        effectiveBudget = budget
        share(&effects)
    }

    /// Reduces the budget to half or to the minimum.
    mutating func shrink(
        _ level: MemoryPressure.Level, _ now: Duration, _ effects: inout FrameStore.Effects
    ) {
        effectiveBudget = level == .critical ? 0 : effectiveBudget / 2
        lastPressure = now
        share(&effects)
    }

    /// Doubles the budget after a time without pressure.
    mutating func grow(_ now: Duration, _ effects: inout FrameStore.Effects) {
        guard let last = lastPressure, now - last >= Self.calmPeriod else { return }
        effectiveBudget = min(budget, max(effectiveBudget * 2, budget / 16))
        lastPressure = effectiveBudget < budget ? now : nil
        share(&effects)
    }

    /// Changes a store, and divides the budget again if its demand changes.
    mutating func change(
        _ key: FrameStore.Key, _ effects: inout FrameStore.Effects,
        _ change: (inout FrameStore, inout FrameStore.Effects) -> Void
    ) {
        guard var store = stores[key] else { return }
        stores[key] = nil
        store.ring.isUndecided = true
        change(&store, &effects)
        store.ring.isUndecided = false
        guard store.ring.viewerCount > 0 else {
            store.empty(&effects)
            deferred.remove(key)
            decoding.remove(key)
            if demands.removeValue(forKey: key)?.viewers ?? 0 > 0 { share(&effects) }
            return
        }
        stores[key] = store
        if store.demand != demands[key] {
            stores[key]?.ring.isUndecided = true
            share(after: store.demand, of: key, &effects)
            stores[key]?.ring.isUndecided = false
        }
        plan(key, &effects) { $0.plan() }
    }

    mutating func didDecode(
        _ start: FrameStore.Start, _ outcome: FrameStore.Outcome,
        _ effects: inout FrameStore.Effects
    ) {
        defer { resumeDeferred(&effects) }
        guard stores[start.key]?.source === start.source else {
            if case .success(.some(let frame)) = outcome { effects.freed.append(frame) }
            return
        }
        change(start.key, &effects) { store, effects in
            switch outcome {
            case .success(.some(let frame)):
                store.keep(frame, as: start.frame)
                store.apply(store.ring.decoded(start.frame), &effects)
            case .success(.none):
                store.apply(store.ring.reachedEnd(at: start.frame), &effects)
            case .failure(let error):
                store.apply(store.ring.failed(at: start.frame), error: error, &effects)
            }
        }
    }

    // MARK: - Memory being freed

    mutating func willFree(_ effects: FrameStore.Effects) {
        if !effects.freed.isEmpty { freeing += 1 }
    }

    /// Memory was freed: decoding that waited for it continues.
    mutating func didFree(_ effects: inout FrameStore.Effects) {
        freeing -= 1
        resumeDeferred(&effects)
    }

    private mutating func resumeDeferred(_ effects: inout FrameStore.Effects) {
        for key in deferred { plan(key, &effects) { $0.plan() } }
    }

    /// Whether memory is being freed, by dropped frames or by frames that are unwanted when
    /// they are decoded.
    private func isFreeing(_ effects: FrameStore.Effects) -> Bool {
        freeing > 0 || !effects.freed.isEmpty
            || decoding.contains { key in
                guard let store = stores[key], store.ring.decoding != nil else { return false }
                return store.counter.live > store.ring.capacity
            }
    }

    // MARK: - Shares

    /// Lets a store decide by the present state of the memory.
    private mutating func plan(
        _ key: FrameStore.Key, _ effects: inout FrameStore.Effects,
        _ decide: (inout FrameRing) -> [FrameRing.Action]
    ) {
        guard var store = stores[key] else { return }
        stores[key] = nil
        let isOpen = bytes.bytesInUse + store.counter.frameBytes <= effectiveBudget
        store.look(isOpen: isOpen, isFreeing: !isOpen && isFreeing(effects))
        store.apply(decide(&store.ring), &effects)
        remember(key, store.ring)
        stores[key] = store
    }

    private mutating func remember(_ key: FrameStore.Key, _ ring: FrameRing) {
        if ring.isDeferred { deferred.insert(key) } else { deferred.remove(key) }
        if ring.decoding != nil { decoding.insert(key) } else { decoding.remove(key) }
    }

    /// Divides the budget after a change of one demand.
    private mutating func share(
        after demand: FrameDemand, of key: FrameStore.Key, _ effects: inout FrameStore.Effects
    ) {
        guard demand.viewers == 0, demands[key]?.viewers ?? 0 == 0 else { return share(&effects) }
        // Nobody plays it yet: it gets nothing, and nobody gets less.
        demands[key] = demand
        plan(key, &effects) { $0.setCapacity(0) }
    }

    /// Divides the budget: first shrinks the stores that get less, then grows the others.
    private mutating func share(_ effects: inout FrameStore.Effects) {
        demands = stores.mapValues(\.demand)
        let keys = Array(stores.keys)
        let capacities = FrameDemand.capacities(
            keys.compactMap { demands[$0] }, budget: effectiveBudget)
        let changed = zip(keys, capacities).filter { stores[$0]?.ring.capacity != $1 }
        let order = changed.sorted { left, right in
            left.1 - (stores[left.0]?.ring.capacity ?? 0)
                < right.1 - (stores[right.0]?.ring.capacity ?? 0)
        }
        for (key, capacity) in order {
            plan(key, &effects) { $0.setCapacity(capacity) }
        }
    }
}
