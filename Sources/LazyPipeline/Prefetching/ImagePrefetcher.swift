public import FoundationEssentials
internal import LazyBase

/// Loads images before they are needed, a few at a time and at low priority.
///
/// Loads duplicates once, and skips images that are in memory. Releasing it cancels its
/// loads.
public final class ImagePrefetcher: Sendable {
    /// Where images are loaded to.
    public enum Destination: Sendable {
        /// The memory cache, decoded.
        case memoryCache
        /// The data cache or the HTTP store; nothing is decoded.
        case diskCache
    }

    private let pipeline: ImagePipeline
    private let destination: Destination
    private let queue: PrefetchQueue

    /// Creates a prefetcher with a maximum number of concurrent loads.
    public init(
        pipeline: ImagePipeline, destination: Destination = .memoryCache,
        maxConcurrentRequestCount: Int = 2
    ) {
        self.pipeline = pipeline
        self.destination = destination
        queue = PrefetchQueue(width: max(1, maxConcurrentRequestCount))
    }

    deinit { queue.perform(queue.change { $0.removeAll() }) }

    /// The priority of the loads; may be changed while they run.
    public var priority: Priority {
        get { queue.priority }
        set { queue.setPriority(newValue) }
    }

    /// Whether new loads wait; those in progress continue.
    public var isPaused: Bool {
        get { queue.change { $0.isPaused } }
        set { queue.perform(queue.change { $0.setPaused(newValue) }) }
    }

    /// Called on any thread each time all loads have ended.
    public var didComplete: (@Sendable () -> Void)? {
        get { queue.didComplete.withLock { $0 } }
        set { queue.didComplete.withLock { $0 = newValue } }
    }

    /// Starts to load URLs.
    public func startPrefetching(with urls: [URL]) {
        startPrefetching(with: urls.map { ImageRequest(url: $0) })
    }

    /// Starts to load requests.
    public func startPrefetching(with requests: [ImageRequest]) {
        let items = requests.compactMap(item)
        queue.perform(queue.change { $0.add(items) })
    }

    /// Cancels the loads of URLs.
    public func stopPrefetching(with urls: [URL]) {
        stopPrefetching(with: urls.map { ImageRequest(url: $0) })
    }

    /// Cancels the loads of requests, if there are any.
    public func stopPrefetching(with requests: [ImageRequest]) {
        let keys = requests.map { pipeline.cache.makeImageCacheKey(for: wanted($0)) }
        queue.perform(queue.change { $0.remove(keys) })
    }

    /// Cancels all loads.
    public func stopPrefetching() { queue.perform(queue.change { $0.removeAll() }) }

    /// The request to load: for the disk, the bytes only.
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

/// Performs the actions of a prefetch plan.
private final class PrefetchQueue: Sendable {
    let didComplete = Locked<(@Sendable () -> Void)?>(nil)
    private let plan: Locked<PrefetchPlan>
    private let priorityValue = Locked(Priority.low)
    private let due = Locked((actions: [PrefetchPlan.Action](), isActing: false))

    init(width: Int) { plan = Locked(PrefetchPlan(width: width)) }

    var priority: Priority { priorityValue.withLock { $0 } }

    func setPriority(_ priority: Priority) {
        priorityValue.withLock { $0 = priority }
        for load in plan.withLock({ $0.loads }) { load.setPriority(priority) }
    }

    func change<Value: Sendable>(_ body: (inout PrefetchPlan) -> sending Value) -> Value {
        plan.withLock { body(&$0) }
    }

    /// Performs actions in sequence: a load that ends at once starts the next
    /// one, and thousands of them must not recurse.
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
        // A load that ends at once reports this before `begin` returns.
        let present = priority
        let load = item.begin(present) { [weak self] in
            guard let self else { return }
            perform(change { $0.didEnd(id) })
        }
        perform(change { $0.didBegin(id, load) })
        // The priority may have changed before the load was registered.
        if priority != present { load.setPriority(priority) }
    }
}
