public import FoundationEssentials
internal import LazyBase
public import LazyLoading

extension ImagePipeline.Cache {
    /// What was removed from the caches.
    public struct Removal: Hashable, Sendable, CustomStringConvertible {
        /// Images of the memory cache.
        public var imageCount = 0
        /// Renditions of memory.
        public var renditions = RemovedEntries()
        /// Entries of the data cache.
        public var data = RemovedEntries()
        /// HTTP responses, with interrupted downloads.
        public var responses = RemovedEntries()

        /// Creates an empty report.
        public init() {}

        /// Whether nothing was removed.
        public var isEmpty: Bool {
            imageCount == 0 && renditions.isEmpty && data.isEmpty && responses.isEmpty
        }
        /// Whether the removal succeeded for all entries; false if the disk failed.
        public var isComplete: Bool { data.isComplete && responses.isComplete }

        /// One line, such as `1 image of memory, 2 entries of the data cache (8120 bytes)`.
        public var description: String {
            var parts: [String] = []
            func add(_ count: Int, _ one: String, _ many: String, _ rest: String) {
                if count > 0 { parts.append("\(count) \(count == 1 ? one : many)\(rest)") }
            }
            add(imageCount, "image", "images", " of memory")
            add(
                renditions.count, "rendition", "renditions",
                " of memory (\(renditions.byteCount) bytes)")
            add(data.count, "entry", "entries", " of the data cache (\(data.byteCount) bytes)")
            add(responses.count, "response", "responses", "")
            add(responses.suspendedCount, "interrupted download", "interrupted downloads", "")
            if responses.byteCount > 0 {
                parts[parts.count - 1] += " (\(responses.byteCount) bytes)"
            }
            if !isComplete { parts.append("some could not be removed") }
            return parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
        }
    }

    /// Removes everything that could answer a load of the request, so that the next one uses the server.
    ///
    /// Removes the image, those with fewer of its processors, the bytes they are made from, the
    /// renditions of these bytes, the responses of its URLs, and interrupted downloads; of the data cache all that
    /// has its identifier. Images of other sizes stay in memory; `removeCachedImages(knownBy:)` removes them too. A load in progress continues, and
    /// is stored when it ends. Blocks if disk caches are included.
    @discardableResult
    public func removeCachedImage(for request: ImageRequest, caches: Caches = .all) -> Removal {
        let known = request.known(by: pipeline.delegate, pipeline)
        var removal = Removal()
        if caches.contains(.memory) {
            if let cache = memory(request) {
                for count in 0...known.processors.count {
                    let key = ImageCacheKey(known.keepingProcessors(count))
                    if cache[key] != nil { removal.imageCount += 1 }
                    cache[key] = nil
                }
            }
            removal.renditions = pipeline.removeRenditions(of: known.imageID)
        }
        if caches.contains(.dataCache) {
            pipeline.removeStoredRenditions(of: CacheKeyText.group(of: known.imageID))
            removal.data = removeData(of: known.imageID, request)
        }
        if caches.contains(.responses), let store = pipeline.responseCache(for: request) {
            removal.responses = request.addresses.reduce(removal.responses) {
                $0 + store.remove(at: $1)
            }
        }
        return removal
    }

    /// Removes everything with an identifier: every size, selection and combination of
    /// processors, the bytes, and the responses of all URLs requested with that identifier.
    ///
    /// The identifier is the `imageID` of requests, or what a delegate's `cacheKey` returns; by
    /// default it is the URL. Entries that earlier processes have stored are included.
    /// Finding the responses opens every entry of the store. Blocks if disk caches are included.
    @discardableResult
    public func removeCachedImages(
        knownBy identifier: String, caches: Caches = .all
    ) -> Removal {
        if caches.contains(.dataCache) {
            pipeline.removeStoredRenditions(of: CacheKeyText.group(of: identifier))
        }
        return removeVariants(knownBy: identifier, caches)
    }

    /// The same in all caches, without blocking; waits for a store of renditions, and counts what it removes.
    package func removeAll(knownBy identifier: String) async -> Removal {
        var removal = await BlockingPool.disk.run { removeVariants(knownBy: identifier, .all) }
        if let store = pipeline.configuration.renditionStore {
            let stored = await store.remove(source: CacheKeyText.group(of: identifier))
            removal.data = removal.data + stored
        }
        return removal
    }

    private func removeVariants(knownBy identifier: String, _ caches: Caches) -> Removal {
        var request = ImageRequest(string: identifier)
        request.imageID = identifier
        var removal = removeVariants(of: identifier, request, caches)
        if caches.contains(.responses), let store = pipeline.responseCache(for: request) {
            removal.responses = removal.responses + store.remove(knownBy: identifier)
        }
        return removal
    }

    /// Removes everything that was loaded from a URL: every size, selection and
    /// combination of processors, the bytes, and the responses with all their variants.
    ///
    /// Images of the URL with another identifier (`imageID`) are not found.
    /// Entries that earlier processes have stored are included. Blocks if disk caches are included.
    @discardableResult
    public func removeCachedImages(at url: URL, caches: Caches = .all) -> Removal {
        if caches.contains(.dataCache) {
            pipeline.removeStoredRenditions(of: CacheKeyText.group(of: url.absoluteString))
        }
        return removeVariants(of: url.absoluteString, ImageRequest(url: url), caches)
    }

    /// Removes all entries, for all pipelines and processes that share the caches.
    ///
    /// Blocks if disk caches are included.
    @discardableResult
    public func removeAll(caches: Caches = .all) -> Removal {
        var removal = Removal()
        let configuration = pipeline.configuration
        if caches.contains(.memory) {
            removal.imageCount = configuration.imageCache?.removeAll() ?? 0
            removal.renditions = pipeline.renditionMemory?.removeAll() ?? RemovedEntries()
        }
        if caches.contains(.dataCache), let cache = configuration.dataCache {
            pipeline.cancelStores { _ in true }
            removal.data = cache.removeAll()
        }
        if caches.contains(.responses),
            let store = (configuration.dataLoader as? any ResponseCaching)?.responseCache
        {
            removal.responses = store.removeAll()
        }
        return removal
    }

    /// Removes the entries of an identifier, and the responses of the request's URLs.
    private func removeVariants(
        of identifier: String, _ request: ImageRequest, _ caches: Caches
    ) -> Removal {
        var removal = Removal()
        if caches.contains(.memory) {
            removal.imageCount = memory(request)?.removeVariants(of: identifier) ?? 0
            removal.renditions = pipeline.removeRenditions(of: identifier)
        }
        if caches.contains(.dataCache) { removal.data = removeData(of: identifier, request) }
        if caches.contains(.responses), let store = pipeline.responseCache(for: request) {
            removal.responses = request.addresses.reduce(removal.responses) {
                $0 + store.remove(at: $1)
            }
        }
        return removal
    }

    /// Removes what the data cache has of an identifier.
    private func removeData(of identifier: String, _ request: ImageRequest) -> RemovedEntries {
        let group = CacheKeyText.group(of: identifier)
        pipeline.cancelStores { EntryGroup.contains($0, in: group) }
        return disk(request)?.removeVariants(of: group) ?? RemovedEntries()
    }
}

extension ImagePipeline {
    /// Removes the renditions in memory of an identifier.
    fileprivate func removeRenditions(of identifier: String) -> RemovedEntries {
        renditionMemory?.remove(source: CacheKeyText.group(of: identifier)) ?? RemovedEntries()
    }

    /// Removes the renditions of a source from a store of one's own; `flush()` waits for it.
    fileprivate func removeStoredRenditions(of source: String) {
        guard let store = configuration.renditionStore else { return }
        let id = makeID()
        removing.withLock { removing in
            removing[id] = Task { [weak self] in
                _ = await store.remove(source: source)
                self?.removing.withLock { $0[id] = nil }
            }
        }
    }

    /// Cancels the stores of encoded images that are in progress.
    fileprivate func cancelStores(where isMeant: (String) -> Bool) {
        for store in stores.all where isMeant(store.key) {
            store.markRemoved()
            graph.leave(store.task)
        }
    }
}

extension ImageRequest {
    /// The URLs that its bytes may come from.
    fileprivate var addresses: [URL] {
        let all = [url, lowDataURL].compactMap { $0 } + alternatives.map(\.url)
        return all.filter(\.isRemote)
    }
}
