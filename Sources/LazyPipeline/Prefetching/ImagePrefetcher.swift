public import FoundationEssentials
internal import LazyBytes

/// Loads what will soon be wanted, a little at a time, behind everything else.
///
/// What is asked for twice is loaded once; what is in memory already is passed over. Ends its loads
/// when it is dropped.
public final class ImagePrefetcher: Sendable {
    /// Where pictures are brought to.
    public enum Destination: Sendable {
        /// Ready to be shown.
        case memoryCache
        /// Only the bytes, into the data cache or the store of HTTP answers; nothing is decoded.
        case diskCache
    }

    private let pipeline: ImagePipeline
    private let destination: Destination
    private let queue: PrefetchQueue

    /// Makes a prefetcher of so many loads at one time.
    public init(
        pipeline: ImagePipeline, destination: Destination = .memoryCache,
        maxConcurrentRequestCount: Int = 2
    ) {
        self.pipeline = pipeline
        self.destination = destination
        queue = PrefetchQueue(width: max(1, maxConcurrentRequestCount))
    }

    deinit { queue.perform(queue.change { $0.removeAll() }) }

    /// How urgent the loads are; may be set at any time, also for those under way.
    public var priority: Priority {
        get { queue.priority }
        set { queue.setPriority(newValue) }
    }

    /// Whether no new loads begin; those under way go on.
    public var isPaused: Bool {
        get { queue.change { $0.isPaused } }
        set { queue.perform(queue.change { $0.setPaused(newValue) }) }
    }

    /// Called, on some thread, each time there is nothing left to load.
    public var didComplete: (@Sendable () -> Void)? {
        get { queue.didComplete.withLock { $0 } }
        set { queue.didComplete.withLock { $0 = newValue } }
    }

    /// Begins to load what addresses stand for.
    public func startPrefetching(with urls: [URL]) {
        startPrefetching(with: urls.map { ImageRequest(url: $0) })
    }

    /// Begins to load what is asked for.
    public func startPrefetching(with requests: [ImageRequest]) {
        let items = requests.compactMap(item)
        queue.perform(queue.change { $0.add(items) })
    }

    /// Ends the loads of addresses.
    public func stopPrefetching(with urls: [URL]) {
        stopPrefetching(with: urls.map { ImageRequest(url: $0) })
    }

    /// Ends the loads of requests; nothing happens where there is none.
    public func stopPrefetching(with requests: [ImageRequest]) {
        let keys = requests.map { pipeline.cache.makeImageCacheKey(for: wanted($0)) }
        queue.perform(queue.change { $0.remove(keys) })
    }

    /// Ends all loads.
    public func stopPrefetching() { queue.perform(queue.change { $0.removeAll() }) }

    /// What is to be loaded: for the disk the bytes alone, whatever is to be made of them.
    private func wanted(_ request: ImageRequest) -> ImageRequest {
        guard destination == .diskCache else { return request }
        var request = request
        request.processors = []
        request.thumbnail = nil
        request.selection = .all
        request.scale = 1
        return request
    }

    private func item(_ asked: ImageRequest) -> PrefetchPlan.Item? {
        let request = wanted(asked)
        let key = pipeline.cache.makeImageCacheKey(for: request)
        if destination == .memoryCache, pipeline.cache[request]?.isPreview == false { return nil }
        let pipeline = self.pipeline
        let isForMemory = destination == .memoryCache
        return PrefetchPlan.Item(key: key) { priority, done in
            var request = request
            request.priority = priority
            if isForMemory {
                let task = pipeline.loadImage(with: request) { _ in done() }
                return PrefetchLoad(cancel: task.cancel) { task.priority = $0 }
            }
            let task = pipeline.loadData(with: request) { _ in done() }
            return PrefetchLoad(cancel: task.cancel) { task.priority = $0 }
        }
    }
}

/// A plan that is acted upon.
private final class PrefetchQueue: Sendable {
    let didComplete = Locked<(@Sendable () -> Void)?>(nil)
    private let plan: Locked<PrefetchPlan>
    private let urgency = Locked(Priority.low)
    private let due = Locked((actions: [PrefetchPlan.Action](), isActing: false))

    init(width: Int) { plan = Locked(PrefetchPlan(width: width)) }

    var priority: Priority { urgency.withLock { $0 } }

    func setPriority(_ priority: Priority) {
        urgency.withLock { $0 = priority }
        for load in plan.withLock({ $0.loads }) { load.setPriority(priority) }
    }

    func change<Value: Sendable>(_ body: (inout PrefetchPlan) -> sending Value) -> Value {
        plan.withLock { body(&$0) }
    }

    /// Does what was decided, one thing after the other: a load that ends at once begins the next
    /// one, and thousands of them may not stand on one stack.
    func perform(_ actions: [PrefetchPlan.Action]) {
        due.withLock { $0.actions += actions }
        while let actions = takeDue() {
            for action in actions { act(action) }
            due.withLock { $0.isActing = false }
        }
    }

    private func takeDue() -> [PrefetchPlan.Action]? {
        due.withLock { due in
            guard !due.isActing, !due.actions.isEmpty else { return nil }
            due.isActing = true
            defer { due.actions = [] }
            return due.actions
        }
    }

    private func act(_ action: PrefetchPlan.Action) {
        switch action {
        case .begin(let item, let id): begin(item, id)
        case .cancel(let load): load.cancel()
        case .tellComplete: didComplete.withLock { $0 }?()
        }
    }

    private func begin(_ item: PrefetchPlan.Item, _ id: Int) {
        // A load that has ended at once is told of before `begin` returns.
        let urgency = priority
        let load = item.begin(urgency) { [weak self] in
            guard let self else { return }
            perform(change { $0.didEnd(id) })
        }
        perform(change { $0.didBegin(id, load) })
        // It may have been changed before the load was known here.
        if priority != urgency { load.setPriority(priority) }
    }
}
