public import FoundationEssentials
internal import LazyBytes
public import LazyCache
internal import LazyLoading

extension ImagePipeline.Cache {
    /// What a removal has taken out of the caches.
    public struct Removal: Hashable, Sendable, CustomStringConvertible {
        /// Pictures of the memory cache.
        public var pictureCount = 0
        /// Entries of the data cache.
        public var data = RemovedEntries()
        /// Answers of servers, and what waited to be continued.
        public var responses = RemovedEntries()

        /// Makes a report of nothing.
        public init() {}

        /// Whether nothing was there to be removed.
        public var isEmpty: Bool { pictureCount == 0 && data.isEmpty && responses.isEmpty }
        /// Whether all was removed that was meant; false where a disk did not allow it.
        public var isComplete: Bool { data.isComplete && responses.isComplete }

        /// One line, such as `1 picture of memory, 2 entries of the data cache (8120 bytes)`.
        public var description: String {
            var parts: [String] = []
            func add(_ count: Int, _ one: String, _ many: String, _ rest: String) {
                if count > 0 { parts.append("\(count) \(count == 1 ? one : many)\(rest)") }
            }
            add(pictureCount, "picture", "pictures", " of memory")
            add(data.count, "entry", "entries", " of the data cache (\(data.byteCount) bytes)")
            add(responses.count, "answer", "answers", " of servers")
            add(responses.suspendedCount, "broken download", "broken downloads", "")
            if responses.byteCount > 0 {
                parts[parts.count - 1] += " (\(responses.byteCount) bytes)"
            }
            if !isComplete { parts.append("not all could be removed") }
            return parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
        }
    }

    /// Removes all that could answer a load of the request: the next one asks the server.
    ///
    /// That is the picture, those with fewer of its processors, the bytes they are made from, the
    /// answers of its addresses, and what a broken download has left. Pictures of other sizes stay in
    /// memory; `removeCachedImages(knownBy:)` takes them too. A load that is under way goes on, and
    /// is stored when it ends. Waits for a disk where that is asked.
    @discardableResult
    public func removeCachedImage(for request: ImageRequest, caches: Caches = .all) -> Removal {
        let known = request.known(by: pipeline.delegate, pipeline)
        var removal = Removal()
        if caches.contains(.memory), let cache = memory(request) {
            for count in 0...known.processors.count {
                let key = ImageCacheKey(known.keepingProcessors(count))
                if cache[key] != nil { removal.pictureCount += 1 }
                cache[key] = nil
            }
        }
        if caches.contains(.dataCache), let cache = disk(request) {
            let keys = known.storedKeys
            pipeline.takeBack { keys.contains($0) }
            for key in keys where cache.containsData(for: key) {
                removal.data.count += 1
                removal.data.byteCount += cache.cachedData(for: key)?.count ?? 0
                cache.removeData(for: key)
            }
        }
        if caches.contains(.responses), let store = pipeline.answerStore(for: request) {
            removal.responses = request.addresses.reduce(removal.responses) {
                $0 + store.remove(at: $1)
            }
        }
        return removal
    }

    /// Removes all that is known by an identifier: every size, selection and combination of
    /// processors, the bytes, and the answers of all addresses that were asked for by that name.
    ///
    /// The identifier is the `imageID` of requests, or what a delegate's `cacheKey` makes of it; of a
    /// request without one of its own it is the address. What was stored by earlier processes counts.
    /// Finding the answers opens every entry of the store. Waits for a disk where that is asked.
    @discardableResult
    public func removeCachedImages(
        knownBy identifier: String, caches: Caches = .all
    ) -> Removal {
        var request = ImageRequest(string: identifier)
        request.imageID = identifier
        var removal = removeVariants(of: identifier, request, caches)
        if caches.contains(.responses), let store = pipeline.answerStore(for: request) {
            removal.responses = removal.responses + store.remove(knownBy: identifier)
        }
        return removal
    }

    /// Removes all that an address has left, whatever was made of it: every size, selection and
    /// combination of processors, the bytes, and the server's answers with all they vary by.
    ///
    /// Pictures of that address that are known by another name (`imageID`) are not found by it.
    /// What was stored by earlier processes counts. Waits for a disk where that is asked.
    @discardableResult
    public func removeCachedImages(at url: URL, caches: Caches = .all) -> Removal {
        removeVariants(of: url.absoluteString, ImageRequest(url: url), caches)
    }

    /// Empties the caches, for all pipelines and processes that share them.
    ///
    /// Waits for a disk where that is asked.
    @discardableResult
    public func removeAll(caches: Caches = .all) -> Removal {
        var removal = Removal()
        let configuration = pipeline.configuration
        if caches.contains(.memory), let cache = configuration.imageCache {
            removal.pictureCount = cache.removeAll()
        }
        if caches.contains(.dataCache), let cache = configuration.dataCache {
            pipeline.takeBack { _ in true }
            removal.data = cache.removeAll()
        }
        if caches.contains(.responses),
            let store = (configuration.dataLoader as? any AnswerKeeping)?.answerStore
        {
            removal.responses = store.removeAll()
        }
        return removal
    }

    /// Removes what an identifier has left, and the answers of the request's address.
    private func removeVariants(
        of identifier: String, _ request: ImageRequest, _ caches: Caches
    ) -> Removal {
        var removal = Removal()
        if caches.contains(.memory), let cache = memory(request) {
            removal.pictureCount = cache.removeVariants(of: identifier)
        }
        if caches.contains(.dataCache), let cache = disk(request) {
            let group = CacheKeyText.group(of: identifier)
            pipeline.takeBack { EntryGroup.contains($0, in: group) }
            removal.data = cache.removeVariants(of: group)
        }
        if caches.contains(.responses), let store = pipeline.answerStore(for: request) {
            removal.responses = request.addresses.reduce(removal.responses) {
                $0 + store.remove(at: $1)
            }
        }
        return removal
    }
}

extension ImagePipeline {
    /// Takes back the encoded pictures that are on their way to the data cache.
    fileprivate func takeBack(where isMeant: (String) -> Bool) {
        for store in stores.all where isMeant(store.key) {
            store.markRemoved()
            graph.leave(store.task)
        }
    }
}

extension ImageRequest {
    /// All keys under which the data cache may have what answers the request.
    fileprivate var storedKeys: Set<String> {
        let finished = (0...processors.count).map { keepingProcessors($0).encodedKeyText }
        return Set(finished + [dataKeyText])
    }

    /// The addresses that its bytes may come from.
    fileprivate var addresses: [URL] {
        let all = [url, lowDataURL].compactMap { $0 } + alternatives.map(\.url)
        return all.filter { ["http", "https"].contains($0.scheme?.lowercased()) }
    }
}
