internal import LazyBase
internal import LazyLoading
internal import LazyRenditions

// What the data cache stores for a request, by its policy.
extension ImagePipeline {
    /// Whether the data cache may have the finished image of a request.
    func mayStoreFinished(_ request: ImageRequest) -> Bool {
        request.isFinished || configuration.dataCachePolicy == .storeEncodedImages
    }

    /// Whether the finished image of a request is stored in the data cache.
    func storesFinished(_ request: ImageRequest) -> Bool {
        switch configuration.dataCachePolicy {
        case .storeOriginalData: false
        case .storeEncodedImages: true
        case .storeAll, .automatic: request.isFinished
        }
    }

    /// The bytes to store in the data cache; unchanged without a delegate.
    func willCache(
        _ blob: Blob, of container: ImageContainer?, for request: ImageRequest
    ) -> Blob? {
        guard let delegate else { return blob }
        return delegate.willCache(data: blob, container: container, for: request, pipeline: self)
    }

    /// Removes a result that was stored while its source was removed.
    func removeResult(_ key: Rendition.Key, of request: ImageRequest) async {
        _ = renditionMemory?.removeAll { $0 == key.place }
        if let store = configuration.renditionStore {
            _ = await store.remove(source: key.source)
        } else if let cache = dataCache(for: request) {
            let text = key.text
            await BlockingPool.disk.run { cache.removeData(for: text) }
        }
    }

    /// Waits until all finished images and renditions are in their stores and on disk.
    public func flush() async {
        await stores.drain()
        for removal in removing.withLock({ Array($0.values) }) { await removal.value }
        guard let cache = configuration.dataCache else { return }
        await BlockingPool.disk.run { cache.flush() }
    }
}

extension ImageRequest {
    /// Whether the image differs from the decoded source.
    var isFinished: Bool { !processors.isEmpty || thumbnail != nil || selection != .all }

    /// The request for a finished image, which is not selected or scaled again.
    var finished: ImageRequest {
        var request = self
        request.thumbnail = nil
        request.selection = .all
        return request
    }

    /// Whether the options allow reading the data cache.
    var readsDataCache: Bool {
        options.isDisjoint(with: [.disableDiskCacheReads, .reloadIgnoringCachedData])
    }
}
