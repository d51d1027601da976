internal import FoundationEssentials
internal import LazyLoading

extension URL {
    /// Whether its bytes are on this machine, so that caches on disk do not store them again.
    var isLocal: Bool { scheme.map { ["file", "data"].contains($0.lowercased()) } ?? false }
}

extension ImagePipeline.Configuration {
    /// Whether a URL is read without the loader and its queue.
    func isLocal(_ url: URL) -> Bool {
        isLocalResourcesSupportEnabled && url.isLocal
    }

    /// The load request of an image request before the delegate sees it; nil without a URL.
    func loadRequest(for request: ImageRequest) -> LoadRequest? {
        guard var load = unlimitedLoadRequest(for: request) else { return nil }
        if !isLocal(load.url), let maximumResponseDataSize {
            load.maximumBytes = min(
                load.maximumBytes ?? maximumResponseDataSize, maximumResponseDataSize)
        }
        return load
    }

    /// The same without the size limit, for clips of which only a part is read.
    func unlimitedLoadRequest(for request: ImageRequest) -> LoadRequest? {
        guard var load = request.loadRequest else { return nil }
        if request.options.contains(.returnCacheDataDontLoad) {
            load.policy = .cacheOnly
        } else if request.options.contains(.reloadIgnoringCachedData) {
            load.policy = .reload
        }
        if !isResumableDataEnabled { load.isResumable = false }
        // A change copies the request.
        let identifier = request.fields.customID
        if load.identifier != identifier { load.identifier = identifier }
        return load
    }
}
