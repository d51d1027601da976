internal import FoundationEssentials
internal import LazyBase
internal import LazyLoading
internal import LazyMedia
internal import LazyRenditions

typealias SourceWork = WorkUnit<KnownSource, Never>

/// The work that finds out which version a source has, without loading it.
///
/// Costs nothing for what is stored and fresh, a call of the system for a file, one conditional request for what is
/// stale, and for what is unknown the beginning of the load that its bytes come from.
struct SourceNode: LoadNode {
    let pipeline: ImagePipeline
    let unit: SourceWork
    /// Whether the source may be read by ranges.
    let readsRanges: Bool

    static func subscribe(
        _ subscriber: GraphSubscriber, to request: ImageRequest, readsRanges: Bool,
        isShared: Bool = true, in pipeline: ImagePipeline
    ) -> SourceWork? {
        let isShared = isShared && pipeline.configuration.isTaskCoalescingEnabled
        let key = WorkKey.source(request.dataKey, readsRanges: readsRanges)
        return pipeline.graph.subscribe(subscriber, to: isShared ? key : nil, of: request) { unit in
            let node = SourceNode(pipeline: pipeline, unit: unit, readsRanges: readsRanges)
            unit.start { await node.run() }
        }
    }

    private func run() async {
        let result: Result<KnownSource, PipelineError>
        do throws(PipelineError) { result = .success(try await look()) } catch {
            result = .failure(error)
        }
        graph.finish(unit, WorkResult(result, unit.record)) { _ in }
    }

    private func look() async throws(PipelineError) -> KnownSource {
        switch request.source {
        case .missing: throw .requestMissing
        // The identifier, which is a part of each key, is all that tells them apart.
        case .data, .image: return KnownSource(version: "id", .endless)
        case .url(let load) where configuration.isLocal(load.url):
            return try await local(load)
        case .url:
            if let stored = await storedData() { return stored }
            // Which of several URLs is loaded is decided there.
            guard request.alternatives.isEmpty, request.lowDataURL == nil else {
                return KnownSource(version: nil, .none)
            }
            return try await remote()
        }
    }

    // MARK: - On this machine

    private func local(_ load: LoadRequest) async throws(PipelineError) -> KnownSource {
        guard load.url.scheme?.lowercased() == "file" else {
            return KnownSource(version: "url", .endless)
        }
        do throws(LoadingError) {
            let file = try await BlockingPool.disk.run { () throws(LoadingError) in
                try LocalLoader.version(of: load.url)
            }
            return KnownSource(version: file?.version, .none, byteCount: file?.byteCount)
        } catch {
            throw PipelineError(error, limit: nil)
        }
    }

    /// What the data cache has of the source, which is never asked for again.
    private func storedData() async -> KnownSource? {
        guard request.readsDataCache, let cache = pipeline.dataCache(for: request) else {
            return nil
        }
        let key = request.dataKeyText
        return await BlockingPool.disk.run {
            guard let entry = cache.cachedEntry(for: key), entry.data.count > 0 else { return nil }
            var version = KnownSource.version(in: entry.metadata)
            if version == nil, let made = try? KnownSource.version(of: entry.data) {
                // Read once.
                cache.storeData(entry.data, metadata: KnownSource.metadata(made), for: key)
                version = made
            }
            return KnownSource(version: version, .endless, byteCount: entry.data.count)
        }
    }

    // MARK: - From a server

    private func remote() async throws(PipelineError) -> KnownSource {
        guard let load = configuration.loadRequest(for: request) else { throw .requestMissing }
        let stored = try await delayDownload()
        let own = pipeline.ownLoader(for: request)
        let mayReadRanges = await mayReadRanges(load)
        return try await inStage(.loading, isOutsideQueue: request.skipsQueue) {
            () async throws(PipelineError) in
            if let stored { return await known(by: stored, to: load) }
            try await waitForRate()
            var approved = try await pipeline.approved(load, for: request)
            do throws(LoadingError) {
                if mayReadRanges, let opener = configuration.remoteOpener {
                    // The limit applies to the bytes that are read.
                    approved.maximumBytes = request.loadRequest?.maximumBytes
                    switch try await opener.open(approved) {
                    case .ranges(let media): return known(by: media, to: approved)
                    case .whole(let response): return await known(by: response, to: approved)
                    case .usual: break
                    }
                    approved.maximumBytes = load.maximumBytes
                }
                let loader = own ?? configuration.dataLoader
                return await known(
                    by: try await DataNode.answer(to: approved, by: loader), to: approved)
            } catch {
                throw PipelineError(error, limit: load.maximumBytes)
            }
        }
    }

    /// Whether the first range is asked for: not where a store has the whole, which one condition validates.
    private func mayReadRanges(_ load: LoadRequest) async -> Bool {
        guard readsRanges, allowsRanges else { return false }
        guard let store = pipeline.responseCache(for: request) else { return true }
        var stored = load
        stored.policy = .cacheOnly
        return await BlockingPool.disk.run { [stored] in store.body(for: stored) == nil }
    }

    private func known(by response: LoadResponse, to load: LoadRequest) async -> KnownSource {
        let head = response.head
        var version = KnownSource.version(of: request, head)
        if version == nil, [.store, .local].contains(head.origin),
            let body = response.body.stored, body.count == head.expectedCount
        {
            version = await BlockingPool.disk.run { try? KnownSource.version(of: body) }
        }
        return KnownSource(
            version: version, SourceFreshness(of: head, to: load, configuration.clocks),
            byteCount: head.expectedCount, begun: .response(response))
    }

    private func known(by media: RemoteMedia, to load: LoadRequest) -> KnownSource {
        KnownSource(
            version: KnownSource.version(of: request, media.head),
            SourceFreshness(of: media.head, to: load, configuration.clocks),
            byteCount: media.bytes.count, begun: .ranges(media))
    }
}

extension LoadNode {
    /// What is known of the source of a rendition: what is held of it already, where that is of use, or what is found.
    func source(
        for rendition: Rendition, held: KnownSource?, isShared: Bool = true
    ) async throws(PipelineError) -> KnownSource {
        let readsRanges = request.readsRanges(for: rendition)
        // What needs all bytes loads them at once.
        if let held, readsRanges || !held.isRanged { return held }
        guard
            let work = SourceNode.subscribe(
                .node(unit.id), to: request, readsRanges: readsRanges, isShared: isShared,
                in: pipeline)
        else { throw .cancelled }
        return try await output(of: work)
    }

    /// Whether a server's file may be read by ranges for one of its pictures.
    var allowsRanges: Bool {
        guard configuration.remoteOpener != nil, request.url?.isRemote == true else {
            return false
        }
        return request.lowDataURL == nil
            && request.alternatives.isEmpty && !request.options.contains(.returnCacheDataDontLoad)
            && request.loadRequest?.policy != .cacheOnly && pipeline.ownLoader(for: request) == nil
    }
}
