public import LazyBytes
internal import LazyCache
internal import LazyMedia

extension ImagePipeline {
    /// What the pipeline's caches hold, by request.
    public var cache: Cache { Cache(pipeline: self) }

    /// A look into the caches of a pipeline, and a hand on them.
    public struct Cache: Sendable {
        /// Which caches are meant.
        public struct Caches: OptionSet, Sendable {
            /// One bit a cache.
            public let rawValue: Int
            /// Makes a set of bits.
            public init(rawValue: Int) { self.rawValue = rawValue }
            /// The memory cache.
            public static let memory = Caches(rawValue: 1 << 0)
            /// The data cache.
            public static let disk = Caches(rawValue: 1 << 1)
            /// Both.
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

        /// The picture of a request, from the memory cache or else the data cache.
        ///
        /// Only what is finished and encoded in the data cache counts, or the bytes of a request without
        /// processors. Looking on a disk waits for it, and decodes.
        public func cachedImage(
            for request: ImageRequest, caches: Caches = .all
        ) async -> ImageContainer? {
            if caches.contains(.memory), let container = self[request] { return container }
            guard caches.contains(.disk) else { return nil }
            var local = request
            local.options.insert([.returnCacheDataDontLoad, .disableMemoryCacheReads])
            local.options.remove(.disableDiskCacheReads)
            guard let blob = await storedPicture(local) else { return nil }
            return await pipeline.picture(of: blob.data, blob.isFinished, local)
        }

        /// Puts a picture into the caches; into the data cache it goes encoded, which takes a while.
        public func storeCachedImage(
            _ container: ImageContainer, for request: ImageRequest, caches: Caches = .all
        ) async {
            if caches.contains(.memory) { self[request] = container }
            guard caches.contains(.disk), let cache = disk(request),
                let encoder = pipeline.encoder(for: container, request),
                let blob = await encoder.blob(of: container)
            else { return }
            let key = encodedKey(request)
            await BlockingPool.disk.run { cache.storeData(blob, for: key) }
        }

        /// Removes the picture of a request from the caches.
        public func removeCachedImage(for request: ImageRequest, caches: Caches = .all) {
            if caches.contains(.memory) { self[request] = nil }
            if caches.contains(.disk) {
                let cache = disk(request)
                for key in pictureKeys(request) { cache?.removeData(for: key) }
            }
        }

        /// Whether a cache has the picture of a request; waits for a disk where that is asked.
        public func containsCachedImage(
            for request: ImageRequest, caches: Caches = .all
        ) -> Bool {
            if caches.contains(.memory), self[request] != nil { return true }
            guard caches.contains(.disk), let cache = disk(request) else { return false }
            return pictureKeys(request).contains { cache.containsData(for: $0) }
        }

        /// The bytes of a request as they came, from the data cache; waits for a disk.
        public func cachedData(for request: ImageRequest) -> Blob? {
            disk(request)?.cachedData(for: makeDataCacheKey(for: request))
        }

        /// Puts bytes of a request, as they came, into the data cache.
        public func storeCachedData(_ data: Blob, for request: ImageRequest) {
            disk(request)?.storeData(data, for: makeDataCacheKey(for: request))
        }

        /// Removes the bytes of a request, as they came, from the data cache.
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

        /// Empties the caches; waits for a disk where that is asked.
        public func removeAll(caches: Caches = .all) {
            if caches.contains(.memory) { pipeline.configuration.imageCache?.removeAll() }
            if caches.contains(.disk) { pipeline.configuration.dataCache?.removeAll() }
        }

        private func memory(_ request: ImageRequest) -> (any ImageCaching)? {
            pipeline.imageCache(for: request)
        }

        private func disk(_ request: ImageRequest) -> (any DataCaching)? {
            pipeline.dataCache(for: request)
        }

        private func encodedKey(_ request: ImageRequest) -> String {
            request.known(by: pipeline.delegate, pipeline).encodedKeyText
        }

        /// Where the data cache may have the picture: encoded, or as it came if nothing is done to it.
        private func pictureKeys(_ request: ImageRequest) -> [String] {
            let known = request.known(by: pipeline.delegate, pipeline)
            return known.isFinishedWork
                ? [known.encodedKeyText] : [known.encodedKeyText, known.dataKeyText]
        }

        private func storedPicture(
            _ request: ImageRequest
        ) async -> (data: Blob, isFinished: Bool)? {
            let request = request.known(by: pipeline.delegate, pipeline)
            guard let cache = disk(request) else { return nil }
            let isFinished = request.isFinishedWork
            let keys = pictureKeys(request)
            return await BlockingPool.disk.run {
                keys.lazy.compactMap { cache.cachedData(for: $0) }.first.map { ($0, isFinished) }
            }
        }
    }

    fileprivate func picture(
        of blob: Blob, _ isFinished: Bool, _ request: ImageRequest
    ) async -> ImageContainer? {
        var request = request
        if isFinished {
            request.thumbnail = nil
            request.selection = .all
        }
        let job = DecodeJob(
            bytes: BlobBytes(blob), blob: blob, request: request, flag: CancellationFlag())
        return try? await run(job)
    }
}
