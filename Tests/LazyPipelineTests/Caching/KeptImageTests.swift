import FoundationEssentials
import LazyBase
import LazyLoading
import LazyMedia
import LazyPipeline
import Support
import Testing

/// What may be in which cache, and what a load takes from them.
@Suite(.timeLimit(.minutes(1))) struct KeptImageTests {
    private static func preview() async throws -> ImageContainer {
        let pipeline = Given.pipeline(ScriptedLoader { _ in .init([Given.gif(color: 0x0000FF)]) })
        var container = try await pipeline.response(for: ImageRequest(url: Given.url())).container
        container.isPreview = true
        return container
    }

    @Test func `a preview is never the final image of the data cache`() async throws {
        let data = PlainDataCache()
        let loader = Given.loader()
        for policy in ImagePipeline.DataCachePolicy.allCases {
            let pipeline = Given.pipeline(loader) {
                $0.dataCache = data
                $0.imageCache = PlainImageCache()
                $0.dataCachePolicy = policy
                $0.encoders = [StubEncoder()]
            }
            let request = ImageRequest(url: Given.url("\(policy)"))
            await pipeline.cache.storeCachedImage(try await Self.preview(), for: request)
            #expect(data.keys.isEmpty)
            #expect(pipeline.cache[request]?.isPreview == true)
        }
    }

    @Test func `a preview is kept in memory only where previews are`() async throws {
        for isStoring in [true, false] {
            let pipeline = Given.pipeline(Given.loader()) {
                $0.imageCache = PlainImageCache()
                $0.isStoringPreviewsInMemoryCache = isStoring
            }
            let request = ImageRequest(url: Given.url())
            pipeline.cache[request] = try await Self.preview()
            #expect((pipeline.cache[request] != nil) == isStoring)
        }
    }

    @Test(arguments: [false, true]) func `a preview in memory is the first of a task`(
        isProcessed: Bool
    ) async throws {
        let gate = Gate()
        let pipeline = Given.pipeline(Given.loader(gate: { _ in await gate.pass() })) {
            $0.imageCache = PlainImageCache()
        }
        let plain = ImageRequest(url: Given.url())
        pipeline.cache[plain] = try await Self.preview()
        var request = plain
        if isProcessed { request.processors = [.resize(width: 2), .flip(.vertical)] }
        let task = pipeline.imageTask(with: request)
        var count = 0
        for await preview in task.previews {
            count += 1
            #expect(preview.isPreview)
            #expect(preview.cacheType == .memory)
            #expect(preview.image.size.width == (isProcessed ? 2 : 4))
            #expect(preview.image[0, 0] == SIMD4(0, 0, 255, 255))
            gate.open()
        }
        #expect(count == 1)
        let image = try await task.image
        #expect(image[0, 0] == SIMD4(255, 0, 0, 255))
        #expect(pipeline.cache[request]?.isPreview == false)
    }

    @Test func `only caches answer, whatever the loader knows of policies`() async throws {
        let loader = Given.loader()
        let pipeline = Given.pipeline(loader)
        var offline = ImageRequest(url: Given.url(), options: .returnCacheDataDontLoad)
        let missing = "dataMissingInCache"
        #expect(await word { _ = try await pipeline.image(for: offline) } == missing)
        offline.processors = [.circle()]
        #expect(await word { _ = try await pipeline.image(for: offline) } == missing)
        offline.lowDataURL = Given.url("small")
        #expect(await word { _ = try await pipeline.image(for: offline) } == missing)
        #expect(loader.requests.isEmpty)
        // One that has responses answers with them.
        struct Keeping: StoredResponseLoading {
            let next: ScriptedLoader
            func load(_ request: LoadRequest) async throws(LoadingError) -> LoadResponse {
                try await next.load(request)
            }
            func storedResponse(
                to request: LoadRequest
            ) async throws(LoadingError) -> LoadResponse? {
                try await next.load(request)
            }
        }
        let keeping = Given.pipeline(Keeping(next: loader))
        let request = ImageRequest(url: Given.url(), options: .returnCacheDataDontLoad)
        _ = try await keeping.image(for: request)
    }

    @Test func `bytes of files are not stored again, whatever loader reads them`() async throws {
        for isSupported in [true, false] {
            let data = PlainDataCache()
            let pipeline = Given.pipeline(Given.loader()) {
                $0.dataCache = data
                $0.isLocalResourcesSupportEnabled = isSupported
            }
            if isSupported {
                _ = try await pipeline.image(
                    for: ImageRequest(
                        string: "data:image/gif;base64,"
                            + Data(Given.gif()).base64EncodedString()))
            } else {
                _ = try await pipeline.image(for: ImageRequest(string: "file:///a.gif"))
            }
            #expect(data.keys.isEmpty)
        }
    }

    @Test func `a part or a size of an image in memory is not downloaded again`() async throws {
        let loader = ScriptedLoader { _ in .init([Given.gif(frames: 4, width: 8, height: 8)]) }
        let data = PlainDataCache()
        let pipeline = Given.pipeline(loader) {
            $0.imageCache = PlainImageCache()
            $0.dataCache = data
            $0.dataCachePolicy = .storeEncodedImages
            $0.encoders = [StubEncoder()]
        }
        let whole = ImageRequest(url: Given.url())
        _ = try await pipeline.image(for: whole)
        await pipeline.flush()
        _ = data.removeAll()
        var small = whole
        small.thumbnail = .init(maxPixelSize: 2)
        let task = pipeline.imageTask(with: small)
        #expect(try await task.image.size == PixelSize(width: 2, height: 2))
        #expect(try await task.response.cacheType == .memory)
        #expect(task.summary?.cacheType == .memory)
        var still = whole
        still.selection = .poster(.index(1))
        still.processors = [.circle()]
        #expect(try await pipeline.image(for: still)[4, 4] == SIMD4(0, 255, 0, 255))
        #expect(loader.requests.count == 1)
        // They are kept as others are.
        #expect(pipeline.cache[small] != nil)
        await pipeline.flush()
        #expect(data.keys.count == 2)
        // Options are heeded.
        small.thumbnail = .init(maxPixelSize: 3)
        small.options = .reloadIgnoringCachedData
        _ = try await pipeline.image(for: small)
        #expect(loader.requests.count == 2)
    }

    @Test func `the encoder is chosen by frames and transparency`() async throws {
        let jpeg = StubEncoder(name: "opaque", canAnimate: false, canStoreAlpha: false)
        let png = StubEncoder(name: "alpha", canAnimate: false)
        let apng = StubEncoder(name: "frames")
        func stored(
            frames: Int, _ processors: [any ImageProcessing], _ encoders: [any MediaEncoding]
        ) async throws -> String? {
            let data = PlainDataCache()
            let loader = ScriptedLoader { _ in .init([Given.gif(frames: frames)]) }
            let pipeline = Given.pipeline(loader) {
                $0.dataCache = data
                $0.dataCachePolicy = .storeEncodedImages
                $0.encoders = encoders
            }
            let request = ImageRequest(url: Given.url(), processors: processors)
            _ = try await pipeline.image(for: request)
            await pipeline.flush()
            return try data.keys.first.flatMap { data.cachedData(for: $0) }
                .map { String(decoding: try $0.bytes(), as: UTF8.self) }
        }
        let all: [any MediaEncoding] = [jpeg, png, apng]
        #expect(try await stored(frames: 1, [.resize(width: 2)], all) == "opaque")
        #expect(try await stored(frames: 1, [.circle()], all) == "alpha")
        #expect(try await stored(frames: 3, [.circle()], all) == "frames")
        #expect(try await stored(frames: 1, [.circle()], [jpeg]) == nil)
    }
}
