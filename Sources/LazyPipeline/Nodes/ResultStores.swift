internal import LazyBase
internal import LazyLoading
internal import LazyRenditions

/// The stores of results that a request may use: memory, then the next one.
struct ResultStores: Sendable {
    /// A result, and where it was.
    struct Found {
        let result: Rendition.Stored
        let cacheType: CacheType
    }

    private let request: ImageRequest
    private let memory: RenditionMemory?
    private let store: (any Rendition.Storing)?

    init(of request: ImageRequest, in pipeline: ImagePipeline) {
        self.request = request
        memory = pipeline.renditionMemory
        store =
            pipeline.configuration.renditionStore
            ?? pipeline.dataCache(for: request).map { DataCacheResults(cache: $0) }
    }

    /// The result of a key; a store that fails has none.
    func result(for key: Rendition.Key, range: Range<Int>? = nil) async -> Found? {
        if request.readsRenditionMemory, let result = memory?.result(for: key, range: range) {
            return Found(result: result, cacheType: .memory)
        }
        guard request.readsDataCache, request.readsResults,
            let result = try? await store?.result(for: key, range: range)
        else { return nil }
        return Found(result: result, cacheType: .disk)
    }

    /// Stores a result where the request allows it; returns the one that is there, or nil if none is.
    func put(
        _ result: Rendition.Stored, for key: Rendition.Key, _ freshness: SourceFreshness
    ) async -> Rendition.Stored? {
        var winner: Rendition.Stored?
        if !request.options.contains(.disableDiskCacheWrites), let store {
            winner = try? await store.putIfAbsent(result, for: key)
        }
        if keep(winner ?? result, for: key, freshness) { return winner ?? result }
        return winner
    }

    /// Keeps a result in memory; false if that is not possible.
    @discardableResult
    func keep(
        _ result: Rendition.Stored, for key: Rendition.Key, _ freshness: SourceFreshness
    ) -> Bool {
        guard !request.options.contains(.disableMemoryCacheWrites), let memory else { return false }
        memory.keep(result, for: key, freshness)
        return memory.result(for: key, range: 0..<0) != nil
    }
}

extension ImageRequest {
    /// Whether its policy allows results of the past.
    var readsResults: Bool {
        !options.contains(.reloadIgnoringCachedData)
            && ![.reload, .noCache].contains(loadRequest?.policy ?? .normal)
    }

    /// Whether results in memory may be used.
    var readsRenditionMemory: Bool {
        readsResults && !options.contains(.disableMemoryCacheReads)
    }

    /// Whether only caches may answer.
    var isForCachesOnly: Bool {
        options.contains(.returnCacheDataDontLoad) || loadRequest?.policy == .cacheOnly
    }

    /// Whether one picture, or the header, is all that is read of the source.
    func readsRanges(for rendition: Rendition) -> Bool {
        if case .poster = selection { return true }
        let isHeader = if case .facts(let facts) = rendition.kind { facts.isQuick } else { false }
        return hasBytes && !isFinished && (isHeader || rendition.wanted.use.poster != nil)
    }
}
