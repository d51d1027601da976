public import LazyBytes
internal import LazyCache
internal import LazyMedia

extension ImagePipeline {
    /// What the pipeline's caches hold, by request.
    public var cache: Cache { Cache(pipeline: self) }

    /// A look into the caches of a pipeline, and a hand on them.
    ///
    /// One contract for all of them: what `containsCachedImage` says is what the next load finds,
    /// and what a removal has taken out answers no load any more. Which caches are looked into is
    /// said by `caches`, and the options of a request that forbid it do not count here. A loader or
    /// a cache that a delegate chooses by request is reached by the same request.
    public struct Cache: Sendable {
        /// Which caches are meant.
        public struct Caches: OptionSet, Hashable, Sendable {
            /// One bit a cache.
            public let rawValue: Int
            /// Makes a set of bits.
            public init(rawValue: Int) { self.rawValue = rawValue }
            /// The memory cache.
            public static let memory = Caches(rawValue: 1 << 0)
            /// The data cache, where the pipeline has one.
            public static let dataCache = Caches(rawValue: 1 << 1)
            /// The answers of servers that the loader keeps, and what waits there to be continued.
            ///
            /// The standard store is shared with other pipelines and processes of this user.
            public static let responses = Caches(rawValue: 1 << 2)
            /// What is kept on disk: the data cache and the answers of servers.
            public static let disk: Caches = [.dataCache, .responses]
            /// All of them.
            public static let all: Caches = [.memory, .disk]
        }

        let pipeline: ImagePipeline

        /// The picture of a request in memory; setting nil removes it.
        ///
        /// Looks at no option.
        public subscript(request: ImageRequest) -> ImageContainer? {
            get { memory(request)?[makeImageCacheKey(for: request)] }
            nonmutating set { memory(request)?[makeImageCacheKey(for: request)] = newValue }
        }

        /// The picture of a request, from the memory cache or else from disk: read and decoded on
        /// the thread of the caller.
        ///
        /// For what cannot wait for a load, such as a widget or the first paint. From memory it
        /// costs next to nothing; from disk the reading of the bytes, the decoding of one frame
        /// and the processors: some milliseconds for a picture of a screen's size, which is why it
        /// is seldom right in a list that scrolls. Nothing is put into the memory cache. It is nil
        /// too where the poster has to be searched for (`.auto`, a share or a number from the end)
        /// or a processor makes a sequence of a sequence; the form with `await` gives those.
        ///
        /// An answer of a server that is stale counts where the request says
        /// `.returnCacheDataDontLoad`.
        public func cachedImage(
            for request: ImageRequest, caches: Caches = .all
        ) -> ImageContainer? {
            if caches.contains(.memory), let container = self[request] { return container }
            let known = request.known(by: pipeline.delegate, pipeline)
            return pipeline.stored(known, caches).flatMap { try? pipeline.decodedNow($0) }
        }

        /// The picture of a request, from the memory cache or else from disk, on threads for that.
        ///
        /// As the form without `await`, but for what that leaves out.
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

        /// Puts a picture into the caches; into the data cache it goes encoded, which takes a while.
        ///
        /// The next load finds it in either. The answers of servers are not changed.
        public func storeCachedImage(
            _ container: ImageContainer, for request: ImageRequest, caches: Caches = .all
        ) async {
            if caches.contains(.memory) { self[request] = container }
            guard caches.contains(.dataCache), let cache = disk(request),
                let encoder = pipeline.encoder(for: container, request),
                let blob = await encoder.blob(of: container)
            else { return }
            let known = request.known(by: pipeline.delegate, pipeline)
            let isFinished = pipeline.mayStoreFinished(known)
            let key = isFinished ? known.encodedKeyText : known.dataKeyText
            let note = PictureNote.metadata(of: container)
            await BlockingPool.disk.run { cache.storeData(blob, metadata: note, for: key) }
        }

        /// Whether a cache could answer a load of the request; waits for a disk where that is asked.
        ///
        /// On disk that is: the picture, the bytes that it is made from, or an answer of the server
        /// that may be served without asking it again. A stale answer counts where the request says
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

        /// The bytes of a request as they came, from the data cache; waits for a disk.
        public func cachedData(for request: ImageRequest) -> Blob? {
            disk(request)?.cachedData(for: makeDataCacheKey(for: request))
        }

        /// Puts bytes of a request, as they came, into the data cache.
        public func storeCachedData(_ data: Blob, for request: ImageRequest) {
            disk(request)?.storeData(data, for: makeDataCacheKey(for: request))
        }

        /// Removes the bytes of a request, as they came, from the data cache alone.
        public func removeCachedData(for request: ImageRequest) {
            disk(request)?.removeData(for: makeDataCacheKey(for: request))
        }

        /// Whether the data cache has the bytes of a request as they came.
        public func containsData(for request: ImageRequest) -> Bool {
            disk(request)?.containsData(for: makeDataCacheKey(for: request)) ?? false
        }

        /// What the memory cache knows the picture of a request by.
        public func makeImageCacheKey(for request: ImageRequest) -> ImageCacheKey {
            ImageCacheKey(request.known(by: pipeline.delegate, pipeline))
        }

        /// What the data cache knows the bytes of a request by.
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
