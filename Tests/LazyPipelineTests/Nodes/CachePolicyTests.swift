import LazyBase
import LazyLoading
import LazyMedia
import LazyPipeline
import Support
import Testing

/// Which bytes and pictures are kept where, and read from where.
@Suite(.timeLimit(.minutes(1))) struct CachePolicyTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let policy: ImagePipeline.DataCachePolicy
        let isProcessed: Bool
        let keys: [String]
        var testDescription: String { "\(policy.rawValue), processed: \(isProcessed)" }
    }

    static let address = "http://example.test/a.gif"
    static let processed = "\(address)\n4:pone"
    static let cases: [Case] = [
        Case(policy: .storeOriginalData, isProcessed: false, keys: [address]),
        Case(policy: .storeOriginalData, isProcessed: true, keys: [address]),
        Case(policy: .storeEncodedImages, isProcessed: false, keys: [address + "\nencoded"]),
        Case(policy: .storeEncodedImages, isProcessed: true, keys: [processed]),
        Case(policy: .storeAll, isProcessed: false, keys: [address]),
        Case(policy: .storeAll, isProcessed: true, keys: [address, processed]),
        Case(policy: .automatic, isProcessed: false, keys: [address]),
        Case(policy: .automatic, isProcessed: true, keys: [processed]),
    ]

    private func request(_ isProcessed: Bool, _ options: ImageRequest.Options = []) -> ImageRequest
    {
        ImageRequest(
            url: Given.url(),
            processors: isProcessed ? [CountingProcessor(identifier: "one")] : [],
            options: options)
    }

    private func pipeline(
        _ loader: ScriptedLoader, _ cache: PlainDataCache,
        _ policy: ImagePipeline.DataCachePolicy
    ) -> ImagePipeline {
        Given.pipeline(loader) {
            $0.dataCache = cache
            $0.dataCachePolicy = policy
            $0.encoders = [ForgingEncoder()]
        }
    }

    @Test(arguments: cases)
    func `a policy stores what it declares, and the next load needs no network`(item: Case)
        async throws
    {
        let loader = ScriptedLoader { _ in .init([Given.gif(frames: 2)]) }
        let cache = PlainDataCache()
        let pipeline = pipeline(loader, cache, item.policy)
        _ = try await pipeline.image(for: request(item.isProcessed))
        await pipeline.flush()
        #expect(cache.keys == item.keys)
        let again = try await pipeline.response(
            for: request(item.isProcessed, .returnCacheDataDontLoad))
        #expect(again.frames.info.frameCount == 2)
        #expect(loader.requests.count == 1)
    }

    @Test func `options disable the data cache`() async throws {
        let loader = Given.loader()
        let cache = PlainDataCache()
        let pipeline = pipeline(loader, cache, .storeAll)
        for options in [ImageRequest.Options.disableDiskCacheWrites, .disableDiskCache] {
            _ = try await pipeline.image(for: request(true, options))
        }
        await pipeline.flush()
        #expect(cache.keys.isEmpty && loader.requests.count == 2)
        _ = try await pipeline.image(for: request(true))
        await pipeline.flush()
        for options in [ImageRequest.Options.disableDiskCacheReads, .reloadIgnoringCachedData] {
            _ = try await pipeline.image(for: request(true, options))
        }
        #expect(loader.requests.count == 5)
        _ = try await pipeline.image(for: request(true))
        #expect(loader.requests.count == 5)
    }

    @Test func `options disable the memory cache`() async throws {
        let loader = Given.loader()
        let cache = PlainImageCache()
        let pipeline = Given.pipeline(loader) { $0.imageCache = cache }
        _ = try await pipeline.image(for: request(false, .disableMemoryCacheWrites))
        #expect(cache.count == 0)
        _ = try await pipeline.image(for: request(false))
        #expect(cache.count == 1 && loader.requests.count == 2)
        _ = try await pipeline.image(for: request(false))
        #expect(loader.requests.count == 2)
        for options in [ImageRequest.Options.disableMemoryCacheReads, .reloadIgnoringCachedData] {
            _ = try await pipeline.image(for: request(false, options))
        }
        #expect(loader.requests.count == 4)
        #expect(pipeline.cache[request(false)] != nil)
    }

    @Test func `a processed image starts at the longest prefix in memory`() async throws {
        let loader = Given.loader()
        let pipeline = Given.pipeline(loader) { $0.imageCache = PlainImageCache() }
        let one = CountingProcessor(identifier: "one")
        let two = CountingProcessor(identifier: "two")
        _ = try await pipeline.image(for: ImageRequest(url: Given.url(), processors: [one]))
        _ = try await pipeline.image(for: ImageRequest(url: Given.url(), processors: [one, two]))
        #expect([one.count.value, two.count.value, loader.requests.count] == [1, 1, 1])
    }

    @Test func `the cache is read and written by request`() async throws {
        let cache = PlainDataCache()
        let pipeline = Given.pipeline(Given.loader()) {
            $0.imageCache = PlainImageCache()
            $0.dataCache = cache
            $0.dataCachePolicy = .storeAll
            $0.encoders = [ForgingEncoder()]
        }
        let request = request(true)
        #expect(!pipeline.cache.containsCachedImage(for: request))
        let container = try await pipeline.response(for: self.request(false)).container
        await pipeline.cache.storeCachedImage(container, for: request)
        #expect(pipeline.cache.containsCachedImage(for: request, caches: .memory))
        #expect(pipeline.cache.containsCachedImage(for: request, caches: .disk))
        pipeline.cache.removeCachedImage(for: request, caches: .memory)
        #expect(pipeline.cache[request] == nil)
        #expect(await pipeline.cache.cachedImage(for: request) != nil)
        pipeline.cache.removeCachedImage(for: request)
        #expect(await pipeline.cache.cachedImage(for: request) == nil)
        #expect(!pipeline.cache.containsData(for: request))
        _ = try await pipeline.response(for: self.request(false))
        #expect(pipeline.cache.cachedData(for: request)?.count == Given.gif().count)
        #expect(pipeline.cache.removeAll().data.count == 1)
        #expect(!pipeline.cache.containsData(for: request) && cache.keys.isEmpty)
    }
}

/// Writes a GIF of as many frames as come.
struct ForgingEncoder: MediaEncoding {
    let name = "forge"

    func encode(
        _ frames: Frames, info: MediaInfo, loop: LoopCount,
        to write: @escaping @Sendable ([UInt8]) throws(MediaError) -> Void
    ) async throws(MediaError) {
        var count = 0
        for try await _ in frames { count += 1 }
        try write(Given.gif(frames: count, width: info.size.width, height: info.size.height))
    }
}
