internal import LazyBytes
internal import LazyCache

// What the data cache keeps of a request, by its policy.
extension ImagePipeline {
    /// Whether the data cache may have the finished picture of a request.
    func mayStoreFinished(_ request: ImageRequest) -> Bool {
        request.isFinished || configuration.dataCachePolicy == .storeEncodedImages
    }

    /// Whether the finished picture of a request is put into the data cache.
    func storesFinished(_ request: ImageRequest) -> Bool {
        switch configuration.dataCachePolicy {
        case .storeOriginalData: false
        case .storeEncodedImages: true
        case .storeAll, .automatic: request.isFinished
        }
    }

    /// The bytes to put into the data cache: all, unless the delegate says otherwise.
    func willCache(
        _ blob: Blob, of container: ImageContainer?, for request: ImageRequest
    ) -> Blob? {
        guard let delegate else { return blob }
        return delegate.willCache(data: blob, container: container, for: request, pipeline: self)
    }

    /// Waits until all finished pictures are in the data cache, and that on disk.
    public func flush() async {
        await stores.drain()
        guard let cache = configuration.dataCache else { return }
        await BlockingPool.disk.run { cache.flush() }
    }
}

extension ImageRequest {
    /// Whether more is done to the source's bytes than to open them.
    var isFinished: Bool { !processors.isEmpty || thumbnail != nil || selection != .all }

    /// The request as it holds for a finished picture: nothing is selected or scaled again.
    var finished: ImageRequest {
        var request = self
        request.thumbnail = nil
        request.selection = .all
        return request
    }

    /// Whether the options allow a look into the data cache.
    var readsDataCache: Bool {
        options.isDisjoint(with: [.disableDiskCacheReads, .reloadIgnoringCachedData])
    }
}
