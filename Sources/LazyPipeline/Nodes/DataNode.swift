internal import FoundationEssentials
internal import LazyBase
internal import LazyLoading

extension ImagePipeline {
    /// Subscribes a task to the bytes of its request, and reports the present progress to it.
    func join(_ task: DataTask, _ request: ImageRequest) {
        let work = DataNode.subscribe(.task(task), to: request, in: self) {
            if let progress = $0.progress { task.didProgress(progress) }
        }
        if work == nil { task.fail(.pipelineInvalidated) }
    }
}

/// The work that loads the bytes of a request.
///
/// The bytes come from the data cache, a closure, a local file, or a loader.
struct DataNode: LoadNode {
    let pipeline: ImagePipeline
    let unit: DataWork

    /// Subscribes a task or another node to the bytes of a request.
    ///
    /// Continues a response that has begun, unless the download is in progress already.
    static func subscribe(
        _ subscriber: GraphSubscriber, to request: ImageRequest, in pipeline: ImagePipeline,
        begun: @autoclosure () -> LoadResponse? = nil,
        didJoin: (LoadGraph.Subscription<LoadedData, GrowingBody>) -> Void = { _ in }
    ) -> DataWork? {
        let isShared = pipeline.configuration.isTaskCoalescingEnabled
        return pipeline.graph.subscribe(
            subscriber, to: isShared ? .data(of: request) : nil, of: request, didJoin: didJoin
        ) { unit in
            let node = DataNode(pipeline: pipeline, unit: unit)
            let begun = begun()
            unit.start { await node.run(begun) }
        }
    }

    private func run(_ begun: LoadResponse?) async {
        do throws(PipelineError) {
            let data = try await load(begun)
            pipeline.count(unit.record)
            finish(.success(data))
        } catch {
            finish(.failure(error))
        }
    }

    private func load(_ begun: LoadResponse?) async throws(PipelineError) -> LoadedData {
        if let stored = await storedData() { return stored }
        switch request.source {
        case .missing, .image: throw .requestMissing
        case .data(_, let load):
            let data = LoadedData(blob: try await made(by: load))
            return try await storing(data)
        case .url(let load) where configuration.isLocal(load.url):
            let data = try await inStage(.loading, isOutsideQueue: true) {
                () async throws(PipelineError) in try await fetch(begun: nil)
            }
            if data.blob.count == 0 { throw .dataIsEmpty }
            return data
        case .url:
            let stored = begun == nil ? try await delayDownload() : nil
            // A load that has begun has had its turn, and may hold the connection that the next one waits for.
            let isOutside = request.skipsQueue || begun != nil
            let data = try await inStage(.loading, isOutsideQueue: isOutside) {
                () async throws(PipelineError) in
                if begun == nil { try await waitForRate() }
                return try await fetch(begun: begun ?? stored)
            }
            return try await storing(data)
        }
    }

    /// The bytes from the data cache.
    private func storedData() async -> LoadedData? {
        guard request.url?.isLocal != true, request.readsDataCache,
            let cache = pipeline.dataCache(for: request)
        else {
            return nil
        }
        let key = request.dataKeyText
        let blob = await BlockingPool.disk.run { cache.cachedData(for: key) }
        guard let blob, blob.count > 0 else { return nil }
        unit.charge {
            $0.storeBytes += blob.count
            $0.cacheType = .disk
        }
        return LoadedData(blob: blob, cacheType: .disk)
    }

    private func fetch(begun: LoadResponse?) async throws(PipelineError) -> LoadedData {
        guard let load = configuration.loadRequest(for: request) else { throw .requestMissing }
        if request.lowDataURL == nil, request.alternatives.isEmpty {
            return try await pull(load, begun: begun)
        }
        return try await pullAlternatives(load, begun: begun)
    }

    /// Loads one URL, within a budget of bytes from the network.
    func pull(
        _ load: LoadRequest, begun: LoadResponse?, budget: Int? = nil
    ) async throws(PipelineError) -> LoadedData {
        let own = pipeline.ownLoader(for: request)
        // The delegate has approved what has begun.
        let isApproved = begun != nil || pipeline.delegate == nil
        let load = isApproved ? load : try await pipeline.approved(load, for: request)
        var loader = own ?? configuration.dataLoader
        if configuration.isLocal(load.url) { loader = LocalLoader(next: loader) }
        var limit = load.maximumBytes
        do throws(LoadingError) {
            let response =
                if let begun { begun } else { try await Self.answer(to: load, by: loader) }
            let head = response.head
            if let budget {
                if head.isFromNetwork { limit = min(limit ?? budget, budget) }
                if let count = head.expectedCount { learn(count, of: load.url) }
            }
            if let limit, let count = head.expectedCount, count > limit {
                throw LoadingError(.tooLarge, "The response has \(count) bytes.")
            }
            let blob = try await collect(response, of: own == nil ? load : nil, limit)
            unit.charge { $0.add(WorkRecord(of: head, count: blob.count)) }
            return LoadedData(blob: blob, head: head, cacheType: head.cacheType)
        } catch {
            throw PipelineError(error, limit: limit)
        }
    }

    /// The response of a loader, which does not load where only caches may answer.
    ///
    /// Loaders of one's own need not know policies: without a store of responses there is none.
    static func answer(
        to load: LoadRequest, by loader: any DataLoading
    ) async throws(LoadingError) -> LoadResponse {
        guard load.policy == .cacheOnly, !load.url.isLocal else {
            return try await loader.load(load)
        }
        let stored = try await (loader as? any StoredResponseLoading)?.storedResponse(to: load)
        guard let stored else {
            throw LoadingError(.notCached, "No cache has the response.")
        }
        return stored
    }

    // MARK: - The end

    /// Checks the bytes, and stores them in the data cache if the policy says so.
    private func storing(_ data: LoadedData) async throws(PipelineError) -> LoadedData {
        if data.blob.count == 0 { throw .dataIsEmpty }
        if let limit = configuration.maximumResponseDataSize, data.blob.count > limit {
            throw .dataDownloadExceededMaximumSize(limit)
        }
        guard data.substitute == nil, request.url?.isLocal != true,
            !request.options.contains(.disableDiskCacheWrites),
            let cache = pipeline.dataCache(for: request), isOriginalKept,
            let blob = pipeline.willCache(data.blob, of: nil, for: request)
        else { return data }
        let key = request.dataKeyText
        let note = KnownSource.metadata(of: request, data.head)
        await BlockingPool.disk.run { cache.storeData(blob, metadata: note, for: key) }
        return data
    }

    private var isOriginalKept: Bool {
        switch configuration.dataCachePolicy {
        case .storeOriginalData, .storeAll: true
        case .storeEncodedImages: false
        // Only if a task wants the bytes, or the unprocessed image.
        case .automatic: graph.hasTasks(unit.id) || graph.isWantedUnfinished(unit.id)
        }
    }

    private func finish(_ result: Result<LoadedData, PipelineError>) {
        graph.finish(unit, WorkResult(result, unit.record)) { tasks in
            for case let task as DataTask in tasks {
                task.end(
                    result.map {
                        DataTask.Response(
                            data: $0.blob, head: $0.head, cacheType: $0.cacheType,
                            substitute: $0.substitute)
                    })
            }
        }
    }
}

extension ResponseHead {
    /// Whether the bytes, or some of them, come over the network.
    var isFromNetwork: Bool { [.network, .resumed].contains(origin) }
}
