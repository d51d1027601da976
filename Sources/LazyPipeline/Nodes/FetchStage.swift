internal import FoundationEssentials
internal import LazyBytes
internal import LazyLoading

// From a request to its bytes: the data cache, a closure, a local file, or a loader.
extension ImagePipeline {
    func run(_ work: DataWork) async {
        var record = WorkRecord()
        do throws(PipelineError) {
            let data = try await fetch(work, &record)
            count(record)
            finish(work, WorkResult(.success(data), record))
        } catch {
            finish(work, WorkResult(.failure(error), record))
        }
    }

    private func fetch(
        _ work: DataWork, _ record: inout WorkRecord
    ) async throws(PipelineError) -> LoadedData {
        let request = work.request
        if let stored = await cachedOriginal(request) {
            record.storeBytes += stored.count
            record.cacheType = .disk
            return LoadedData(blob: stored, cacheType: .disk)
        }
        switch request.source {
        case .missing, .image: throw .requestMissing
        case .data(_, let load):
            if request.options.contains(.returnCacheDataDontLoad) { throw .dataMissingInCache }
            let blob = try await inStage(
                .loading, work.id, &record, \.fetching,
                isOutsideQueue: request.options.contains(.skipDataLoadingQueue)
            ) { () throws(PipelineError) in try await Self.made(by: load) }
            return try await finished(LoadedData(blob: blob), work)
        case .url(let load):
            let isLocal = isLocal(load.url)
            let isOutside = isLocal || request.options.contains(.skipDataLoadingQueue)
            if !isLocal { try await delayDownload(work) }
            var loaded: (data: LoadedData, transfer: WorkRecord)?
            try await inStage(
                .loading, work.id, &record, \.fetching, isOutsideQueue: isOutside
            ) { () throws(PipelineError) in
                if !isLocal { try await waitForRate() }
                loaded = try await self.load(work)
            }
            guard let loaded else { throw .cancelled }
            record.add(loaded.transfer)
            return try await finished(loaded.data, work, isLocal: isLocal)
        }
    }

    func isLocal(_ url: URL) -> Bool {
        guard configuration.isLocalResourcesSupportEnabled, let scheme = url.scheme else {
            return false
        }
        return ["file", "data"].contains(scheme.lowercased())
    }

    /// Runs a user's closure that makes something.
    static func made<Value>(
        by load: @Sendable () async throws -> Value
    ) async throws(PipelineError) -> Value {
        do { return try await load() } catch let error as PipelineError { throw error } catch {
            throw error is CancellationError || Task.isCancelled ? .cancelled : .sourceFailed(error)
        }
    }

    func waitForRate() async throws(PipelineError) {
        guard configuration.isRateLimiterEnabled else { return }
        let clock = configuration.clocks.steady
        while let moment = limiter.withLock({ $0.take(at: clock.now) }) {
            do { try await clock.sleep(until: moment) } catch { throw .cancelled }
        }
    }

    /// Checks what was loaded, and stores it.
    private func finished(
        _ data: LoadedData, _ work: DataWork, isLocal: Bool = false
    ) async throws(PipelineError) -> LoadedData {
        if data.blob.count == 0 { throw .dataIsEmpty }
        if isLocal { return data }
        if let most = configuration.maximumResponseDataSize, data.blob.count > most {
            throw .dataDownloadExceededMaximumSize(most)
        }
        await storeOriginal(data, work)
        return data
    }

    // MARK: - Loaders

    /// Loads one address, with no more bytes from the network than a budget allows.
    func pull(
        _ load: LoadRequest, _ work: DataWork, budget: Int? = nil
    ) async throws(PipelineError) -> (LoadedData, WorkRecord) {
        let own = delegate?.dataLoader(for: work.request, pipeline: self)
        let begun = own == nil ? work.takeBegun() : nil
        // What has begun was approved before.
        let load = begun == nil ? try await approved(load, work.request) : load
        var loader = own ?? configuration.dataLoader
        if isLocal(load.url) { loader = LocalLoader(next: loader) }
        var limit = load.maximumBytes
        do throws(LoadingError) {
            let response = if let begun { begun } else { try await loader.load(load) }
            let count = response.head.expectedCount
            if let budget {
                if response.head.isOfNetwork { limit = min(limit ?? budget, budget) }
                if let count { learn(count, of: load.url) }
            }
            if let limit, let count, count > limit {
                throw LoadingError(.tooLarge, "The answer has \(count) bytes.")
            }
            let blob = try await collect(response, limit, work)
            let data = LoadedData(
                blob: blob, head: response.head, cacheType: response.head.cacheType)
            return (data, WorkRecord(of: response.head, count: blob.count))
        } catch {
            throw PipelineError(error, limit: limit)
        }
    }

    func approved(
        _ load: LoadRequest, _ request: ImageRequest
    ) async throws(PipelineError) -> LoadRequest {
        guard let delegate else { return load }
        do {
            return try await delegate.willLoadData(load, for: request, pipeline: self)
        } catch let error as LoadingError {
            throw PipelineError(error, limit: nil)
        } catch {
            if error is CancellationError { throw .cancelled }
            throw .dataLoadingFailed(
                LoadingError(
                    .environment, "The load was not begun: \(error).", underlying: error))
        }
    }

    private func collect(
        _ response: LoadResponse, _ limit: Int?, _ work: DataWork
    ) async throws(LoadingError) -> Blob {
        let body = response.body
        if let whole = response.wholeAtHand {
            tell(.init(completed: Int64(whole.count), total: Int64(whole.count)), work)
            return whole
        }
        let growing = GrowingBody(total: response.head.expectedCount)
        while let piece = try await body.next() {
            do { try await growing.append(piece, of: body) } catch {
                throw LoadingError(
                    .environment, "The bytes cannot be kept: \(error).", underlying: error)
            }
            if let limit, growing.progress.completed > limit {
                throw LoadingError(.tooLarge, "The answer is larger than \(limit) bytes.")
            }
            work.output.publish(growing)
            if let progress = growing.takeProgress() { tell(progress, work) }
        }
        if let progress = growing.takeProgress(isEnd: true) { tell(progress, work) }
        let blob = growing.blob
        guard blob.count == growing.progress.completed else {
            throw LoadingError(.environment, "The store has lost bytes that it was to keep.")
        }
        return blob
    }

    private func tell(_ progress: ImageTask.Progress, _ work: DataWork) {
        let (images, datas) = state.withLock { state in
            let ids = state.graph.tasks(above: work.id)
            return (
                ids.compactMap { state.imageTasks[$0] }, ids.compactMap { state.dataTasks[$0] }
            )
        }
        for task in images { task.didProgress(progress) }
        for task in datas { task.didProgress(progress) }
    }
}

extension LoadRequest {
    /// Takes over what a request's options and the configuration say about loading.
    mutating func take(
        _ options: ImageRequest.Options, _ configuration: ImagePipeline.Configuration,
        atMost most: Int?
    ) {
        if options.contains(.returnCacheDataDontLoad) {
            policy = .cacheOnly
        } else if options.contains(.reloadIgnoringCachedData) {
            policy = .reload
        }
        if !configuration.isResumableDataEnabled { isResumable = false }
        if let most {
            maximumBytes = min(maximumBytes ?? most, most)
        }
    }
}

extension LoadResponse {
    /// The body where somebody keeps the whole of it already: nothing need be pulled.
    var wholeAtHand: Blob? {
        guard [.local, .store, .stale, .revalidated].contains(head.origin),
            let expected = head.expectedCount, let stored = body.stored, stored.count == expected
        else { return nil }
        return stored
    }
}

extension ResponseHead {
    /// Whether the bytes, or some of them, come over the network.
    fileprivate var isOfNetwork: Bool { [.network, .resumed].contains(origin) }

    /// Whether a store answered, and not the source.
    var cacheType: CacheType? {
        switch origin {
        case .store, .revalidated, .stale: .disk
        default: nil
        }
    }
}

extension PipelineError {
    /// The pipeline's word for what a loader says.
    init(_ error: LoadingError, limit: Int?) {
        switch error.code {
        case .cancelled: self = .cancelled
        case .notCached: self = .dataMissingInCache
        case .empty: self = .dataIsEmpty
        case .tooLarge where limit != nil: self = .dataDownloadExceededMaximumSize(limit ?? 0)
        default: self = .dataLoadingFailed(error)
        }
    }
}

extension WorkRecord {
    init(of head: ResponseHead, count: Int) {
        origin = head.origin
        cacheType = head.cacheType
        switch head.origin {
        case .network: networkBytes = count
        case .resumed:
            storeBytes = min(head.resumedCount, count)
            networkBytes = count - storeBytes
        default: storeBytes = count
        }
    }

    /// Takes over what the work below has cost.
    mutating func add(_ other: WorkRecord) {
        queued += other.queued
        fetching += other.fetching
        decoding += other.decoding
        processing += other.processing
        networkBytes += other.networkBytes
        storeBytes += other.storeBytes
        origin = other.origin ?? origin
        cacheType = other.cacheType ?? cacheType
    }
}
