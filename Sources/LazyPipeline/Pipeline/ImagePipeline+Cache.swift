public import LazyBase
internal import LazyLoading
internal import LazyMedia

extension ImagePipeline {
    /// Access to the pipeline's caches by request.
    public var cache: Cache { Cache(pipeline: self) }

    /// Reads, stores and removes entries of a pipeline's caches by request.
    ///
    /// One contract holds for all of them: the next load finds what `containsCachedImage` reports,
    /// and a removed entry answers no later load. `caches` selects the caches; options of a request
    /// that forbid their use are ignored. A loader or
    /// cache that a delegate chooses for a request is used for that request here too.
    public struct Cache: Sendable {
        /// A set of caches.
        public struct Caches: OptionSet, Hashable, Sendable {
            /// The bits, one per cache.
            public let rawValue: Int
            /// Creates a set from bits.
            public init(rawValue: Int) { self.rawValue = rawValue }
            /// The memory cache.
            public static let memory = Caches(rawValue: 1 << 0)
            /// The data cache, if the pipeline has one.
            public static let dataCache = Caches(rawValue: 1 << 1)
            /// The loader's store of HTTP responses, with interrupted downloads.
            ///
            /// The standard store is shared with other pipelines and processes of this user.
            public static let responses = Caches(rawValue: 1 << 2)
            /// The caches on disk: the data cache and the HTTP responses.
            public static let disk: Caches = [.dataCache, .responses]
            /// All caches.
            public static let all: Caches = [.memory, .disk]
        }

        let pipeline: ImagePipeline

        /// The image of a request in the memory cache; setting nil removes it.
        ///
        /// Ignores the options of the request. A preview is stored only if the configuration stores previews
        /// in memory.
        public subscript(request: ImageRequest) -> ImageContainer? {
            get { memory(request)?[makeImageCacheKey(for: request)] }
            nonmutating set {
                let keepsPreviews = pipeline.configuration.isStoringPreviewsInMemoryCache
                if newValue?.isPreview == true, !keepsPreviews { return }
                memory(request)?[makeImageCacheKey(for: request)] = newValue
            }
        }

        /// The image of a request from the memory cache or from disk, read and decoded on
        /// the calling thread.
        ///
        /// For code that cannot wait for a load, such as a widget or the first paint. Reading from disk
        /// costs the reading of the bytes, the decoding of one frame
        /// and the processors: some milliseconds for an image of screen size, which is why it
        /// seldom suits a scrolling list. The memory cache is not changed. Returns nil
        /// too if the poster has to be searched (`.auto`, a percentage or an index from the end)
        /// or a processor changes the whole sequence; the asynchronous form returns those.
        ///
        /// A stale response counts if the request has the option
        /// `.returnCacheDataDontLoad`.
        public func cachedImage(
            for request: ImageRequest, caches: Caches = .all
        ) -> ImageContainer? {
            if caches.contains(.memory), let container = self[request] { return container }
            let known = request.known(by: pipeline.delegate, pipeline)
            return pipeline.stored(known, caches).flatMap { try? pipeline.decodedNow($0) }
        }

        /// The image of a request from the memory cache or from disk, decoded in the background.
        ///
        /// Finds every image that the synchronous form finds, and those that it cannot decode.
        public func cachedImage(
            for request: ImageRequest, caches: Caches = .all
        ) async -> ImageContainer? {
            if caches.contains(.memory), let container = self[request] { return container }
            let known = request.known(by: pipeline.delegate, pipeline)
            let pipeline = pipeline
            let stored = await BlockingPool.disk.run { pipeline.stored(known, caches) }
            guard let stored else { return nil }
            return try? await pipeline.decoded(stored)
        }

        /// Stores an image in the caches; encoding it for the data cache takes a while.
        ///
        /// The next load finds it in either. HTTP responses are not changed. A preview is stored in memory
        /// only, where it is the first preview of the next load.
        public func storeCachedImage(
            _ container: ImageContainer, for request: ImageRequest, caches: Caches = .all
        ) async {
            if caches.contains(.memory) { self[request] = container }
            guard caches.contains(.dataCache), !container.isPreview, let cache = disk(request),
                let encoder = pipeline.encoder(for: container, request),
                let blob = await encoder.blob(of: container)
            else { return }
            let known = request.known(by: pipeline.delegate, pipeline)
            let isFinished = pipeline.mayStoreFinished(known)
            // No load looks for the bytes of a local source on disk.
            if !isFinished, known.url?.isLocal == true { return }
            let key = isFinished ? known.encodedKeyText : known.dataKeyText
            let note = StoredImageMetadata.metadata(of: container)
            await BlockingPool.disk.run { cache.storeData(blob, metadata: note, for: key) }
        }

        /// Whether a cache could answer a load of the request; blocks if disk caches are included.
        ///
        /// A disk cache can answer with the image, the bytes that it is made from, or a response
        /// that may be used without validation. A stale response counts if the request has the option
        /// `.returnCacheDataDontLoad`.
        public func containsCachedImage(
            for request: ImageRequest, caches: Caches = .all
        ) -> Bool {
            if caches.contains(.memory), self[request] != nil { return true }
            let known = request.known(by: pipeline.delegate, pipeline)
            if caches.contains(.dataCache), let cache = disk(request),
                pipeline.places(of: known).contains(where: { cache.containsData(for: $0.key) })
            {
                return true
            }
            return caches.contains(.responses) && pipeline.storedBody(known) != nil
        }

        /// The original bytes of a request in the data cache; blocks.
        public func cachedData(for request: ImageRequest) -> Blob? {
            disk(request)?.cachedData(for: makeDataCacheKey(for: request))
        }

        /// Stores the original bytes of a request in the data cache.
        public func storeCachedData(_ data: Blob, for request: ImageRequest) {
            disk(request)?.storeData(data, for: makeDataCacheKey(for: request))
        }

        /// Removes the original bytes of a request from the data cache only.
        public func removeCachedData(for request: ImageRequest) {
            disk(request)?.removeData(for: makeDataCacheKey(for: request))
        }

        /// Whether the data cache has the original bytes of a request.
        public func containsData(for request: ImageRequest) -> Bool {
            disk(request)?.containsData(for: makeDataCacheKey(for: request)) ?? false
        }

        /// The key of a request's image in the memory cache.
        public func makeImageCacheKey(for request: ImageRequest) -> ImageCacheKey {
            ImageCacheKey(request.known(by: pipeline.delegate, pipeline))
        }

        /// The key of a request's bytes in the data cache.
        public func makeDataCacheKey(for request: ImageRequest) -> String {
            request.known(by: pipeline.delegate, pipeline).dataKeyText
        }

        func memory(_ request: ImageRequest) -> (any ImageCaching)? {
            pipeline.imageCache(for: request)
        }

        func disk(_ request: ImageRequest) -> (any DataCaching)? {
            pipeline.dataCache(for: request)
        }
    }
}
