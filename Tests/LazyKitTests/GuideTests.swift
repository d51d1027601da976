import FoundationEssentials
import LazyBase
import LazyKit
import Observation
import Support
import Testing

/// What the guides show, with what must come of it; `scripts/test-guides.sh` runs their text.
@Suite(.serialized) struct GuideTests {
    private let url = Self.address("delays.gif")
    private let small = Self.address("loop-0.gif")

    private static func address(_ name: String) -> URL {
        guard let url = URL(string: "file://" + Media.path(name)) else {
            preconditionFailure("\(name) has no address")
        }
        return url
    }

    @Test func `the guide to loading`() async throws {
        let pipeline = ImagePipeline.shared
        var request = ImageRequest(url: url, priority: .high)
        request.thumbnail = .init(maxPixelSize: 320)
        let response = try await pipeline.response(for: request)
        #expect(response.image.size.width <= 320)
        let task = pipeline.imageTask(with: request)
        task.priority = .veryHigh
        for await event in task.events {
            switch event {
            case .progress(let progress): print(progress.completed, progress.total)
            case .preview(let preview): print(preview.image.size)
            case .finished(let result): print(result)
            }
        }
        request.selection = .poster(.auto)
        #expect(try await pipeline.response(for: request).container.isAnimated == false)
    }

    @Test func `the guide to loading, policies and faults`() async throws {
        var load = LoadRequest(url: url, headers: ["Authorization": "Bearer …"], policy: .reload)
        load.maximumBytes = 20_000_000
        let fresh = ImageRequest(loadRequest: load)
        let pipeline = ImagePipeline(configuration: .inMemory)
        #expect(try await pipeline.image(for: fresh).size.width > 0)
        var request = fresh
        let isConstrained = NetworkConditions.shared.isConstrained
        request.lowDataURL = small
        NetworkConditions.shared.isConstrained = true
        let medium = small
        request.alternatives = [.init(url: medium), .init(url: small, byteCount: 40_000)]
        request.byteBudget = 200_000
        print(try await pipeline.response(for: request).substitute ?? url)
        request.returnStoreElseLoad(downloadDelay: .milliseconds(250))
        #expect(try await pipeline.response(for: request).substitute == nil)
        NetworkConditions.shared.isConstrained = isConstrained
        request = ImageRequest(url: URL(string: "file:///nowhere/at/all.gif"))
        do throws(PipelineError) {
            print(try await pipeline.image(for: request).size)
        } catch .dataLoadingFailed(let error) where error.isTransient {
            print("later, perhaps:", error.message)
        } catch {
            print(error)
        }
    }

    @Test func `the guide to caching`() async {
        // Others share the shared one.
        await #expect(processExitsWith: .success) {
            ImagePipeline.shared = ImagePipeline(configuration: .withURLCache)
            ImagePipeline.shared = ImagePipeline(configuration: .withDataCache(name: "pictures"))
            ImagePipeline.shared = ImagePipeline(configuration: .inMemory)
            ImagePipeline.shared = ImagePipeline(configuration: .offline)
            ImagePipeline.shared = ImagePipeline(configuration: .server(limit: 256 << 20))
            let custom = ImagePipeline { configuration in
                configuration.imageCache = nil
                configuration.dataLoadingLimit = 2
            }
            precondition(custom.configuration.imageCache == nil)
            let width = try await custom.image(for: GuideTests.address("delays.gif")).size.width
            precondition(width > 0)
        }
    }

    @Test @MainActor func `the guide to caching, what is there and what goes`() async throws {
        var configuration = ImagePipeline.Configuration.withDataCache(name: "covers")
        configuration.dataCachePolicy = .automatic
        let pipeline = ImagePipeline(configuration: configuration)
        let daily = ImagePipeline(configuration: .withURLCache(expiryInterval: .seconds(24 * 3600)))
        let weekly = try DataCache(name: "covers", ageLimit: .seconds(7 * 24 * 3600))
        #expect(
            (daily.configuration.imageCache as? ImageCache)?.ttl == weekly.ageLimit.map { $0 / 7 })
        let request = ImageRequest(url: url, processors: [.resize(width: 320)])
        print(pipeline.cache.containsCachedImage(for: request, caches: .disk))
        print(pipeline.cache.removeCachedImage(for: request))
        print(pipeline.cache.removeCachedImages(knownBy: "user-17"))
        print(pipeline.cache.removeCachedImages(at: url, caches: .disk))
        _ = try await pipeline.image(for: request)
        await pipeline.flush()
        #expect(pipeline.cache.containsCachedImage(for: request, caches: .dataCache))
        func firstPaint(_ request: ImageRequest) -> Bitmap? {
            pipeline.cache.cachedImage(for: request)?.image
        }
        print(firstPaint(request) == nil)
        print(LazyImage.cached(request, pipeline: pipeline)?.info?.size ?? "nothing yet")
        let cached = LazyImage.cached(request, caches: .dataCache, pipeline: pipeline)
        let own = try await pipeline.response(for: ImageRequest(url: url)).frames.info.size
        #expect(cached?.info?.size == own)
        #expect(cached?.info?.deliveredSize == firstPaint(request)?.size)
        #expect(!pipeline.cache.removeCachedImage(for: request).isEmpty)
        print(pipeline.cache.removeAll(caches: .memory))
        #expect(firstPaint(request) == nil)
        #expect(LazyImage.cached(request, pipeline: pipeline) == nil)
    }

    @Test func `each in-memory configuration has a memory of its own`() async throws {
        let one = ImagePipeline(configuration: .inMemory)
        let other = ImagePipeline(configuration: .inMemory)
        let request = ImageRequest(url: url)
        _ = try await one.image(for: request)
        #expect(one.cache[request] != nil)
        #expect(other.cache[request] == nil)
    }

    @Test func `the guide to tailoring`() async throws {
        final class Signing: ImagePipelineDelegate {
            func willLoadData(
                _ loadRequest: LoadRequest, for request: ImageRequest, pipeline: ImagePipeline
            ) async throws -> LoadRequest {
                var signed = loadRequest
                signed.headers["Authorization"] = "Bearer …"
                return signed
            }
            func cacheKey(for request: ImageRequest, pipeline: ImagePipeline) -> String? {
                request.url?.path
            }
        }
        let pipeline = ImagePipeline(delegate: Signing()) { $0.imageCache = ImageCache() }
        let key = pipeline.cache.makeDataCacheKey(for: ImageRequest(url: url))
        #expect(key == url.path)
        pipeline.queue(.loading).limit = 2
        pipeline.queue(.loading).isSuspended = true
        pipeline.queue(.loading).isSuspended = false
        #expect(pipeline.queue(.loading).limit == 2)
        let eager = ImagePipeline {
            $0.isProgressiveDecodingEnabled = true
            $0.progressiveDecodingInterval = .milliseconds(200)
            $0.isStoringPreviewsInMemoryCache = false
        }
        let request = ImageRequest(url: url, options: [.progressive])
        let response = try await eager.response(for: request)
        #expect(response.image.size.width > 0)
        await pipeline.shutdown()
        eager.invalidate()
        await #expect(throws: PipelineError.self) { try await eager.response(for: request) }
    }

    @Test func `the guide to previews`() async throws {
        let path = Media.path("clip.mp4")
        let clip = try FrameSequence(path: path)
        let thumbnail = Rendition.animation(limit: .bytes(200_000))
        let (webp, made) = try await thumbnail.data(of: clip) { share in
            print(share)
        }
        print(webp.count, made.frameCount ?? 0, made.warnings)
        #expect(webp.count <= 200_000 && made.frameCount ?? 0 > 1)
        let edit = ClipEdit(
            segments: [Duration.seconds(1)..<Duration.seconds(2)], speed: 2, isBouncing: true,
            size: TargetSize(width: 120, height: 120, fit: .cover), gravity: .attention)
        let square = try await clip.edited(edit)
        for try await frame in square.frames() {
            print(frame.presentationTime, frame.bitmap.size)
        }
        #expect(square.info.frameCount == 48)
        let conversion = Rendition.conversion(.init(looping: .times(2)), to: .webm)
        let (webm, report) = try await conversion.data(of: square)
        print(webm.count, report.json)
        #expect(report.warnings.contains { $0.code.rawValue == "loopLost" })
        let gif = try await square.encoded(as: .gif)
        #expect(
            try FrameSequence(opening: MemoryBytes(gif), registry: .standard).info.size
                == square.info.size)
        var layout = Rendition.Sheet(count: 12, columns: 4)
        layout.indexes = [.vtt]
        let (parts, _) = try await Rendition.sheet(layout).parts(of: clip)
        print(
            parts[.main]?.count ?? 0, String(decoding: parts[.index(.vtt)] ?? [], as: UTF8.self))
        let cues = String(decoding: parts[.index(.vtt)] ?? [], as: UTF8.self)
        #expect(cues.split(separator: "main#xywh=").count == 13)
        let request = ImageRequest(url: url, processors: [.animatedThumbnail(width: 240)])
        let response = try await ImagePipeline.shared.response(for: request)
        print(response.container.isAnimated)
        #expect(response.container.isAnimated)
        let body = try await response.frames.encoded(as: .webpAnimation)
        #expect(try DecoderRegistry.standard.type(of: MemoryBytes(body)) == .webpAnimation)
    }

    @Test func `the guide to processing`() async throws {
        let avatar = ImageRequest(url: url, processors: [.resize(width: 64), .circle()])
        let moving = try await ImagePipeline.shared.response(for: avatar)
        for try await frame in moving.frames.frames() {
            print(frame.bitmap.size)
        }
        #expect(moving.container.isAnimated)
        struct Negative: ImageProcessing {
            let identifier = "example/negative"
            func process(_ bitmap: Bitmap) throws -> Bitmap {
                try bitmap.mapPixels { SIMD4(~$0.x, ~$0.y, ~$0.z, $0.w) }
            }
        }
        let inverted = try Negative().process(moving.image)
        #expect(inverted[0, 0].x == ~moving.image[0, 0].x)
        let png = try moving.image.pngData()
        #expect(png.starts(with: [0x89, 0x50]))
        #expect(try await moving.image.encoded(as: .jpeg).starts(with: [0xFF, 0xD8]))
    }

    @MainActor @Test func `the guide to models`() async throws {
        let model = FetchImage(url: url)
        model.onSuccess = { response in print(response.image.size) }
        model.load(url)
        print(model.isLoading, model.progress.fraction)
        model.cancel()
        #expect(!model.isLoading)
        let view = LazyImage(url: url)
            .transition(.fadeIn())
            .onSuccess { response in print(response.image.size) }
        view.onAppear()
        print(view.phase.name)
        let html = view.content {
            "<p>Nothing yet.</p>"
        } inProgress: { progress in
            "<progress value=\(progress.fraction)></progress>"
        } failure: { error, retry in
            "<p>\(error)</p>"
        } content: { picture, info in
            "<img width=\(info.size.width) height=\(info.size.height)>"
        }
        // Another test may have brought the picture into memory.
        #expect(html.hasPrefix("<progress") || html.hasPrefix("<img"))
        let urls = [url, small]
        let views = LazyImageOptions.changing {
            $0.pipeline = ImagePipeline(configuration: .inMemory)
            $0.maxPixelSize = 600
            $0.returnStoreElseLoad()
        } in: {
            urls.map { LazyImage(url: $0) }
        }
        #expect(views.allSatisfy { $0.options.downloadDelay == .milliseconds(250) })
        let prefetcher = ImagePrefetcher()
        prefetcher.startPrefetching(with: urls)
        let ready = LazyImage.cached(ImageRequest(url: url))
        print(ready?.phase.name ?? "not yet")
        var magnification = Magnification(range: 1...4)
        if let rect = view.frame(in: (320, 240)) {
            magnification.scale(by: 2, around: (100, 80), of: rect, in: (320, 240))
        }
        print(view.frame(in: (320, 240), magnified: magnification) ?? "nothing to draw")
    }

    @MainActor @Test func `the guide to models, waiting and phases`() async throws {
        let path = Media.path("clip.mp4")
        let view = LazyImage(url: url)
        do throws(PipelineError) {
            let response = try await view.loaded()
            print(response.image.size, response.isLowData)
        } catch .cancelled {
            print("given up")
        } catch {
            print(error)
        }
        for await phase in view.phases {
            print(phase.name, phase.image?.size ?? "nothing yet")
            if phase.container?.isPreview == false { break }
        }
        for await width in Observations({ view.image?.size.width }) {
            print(width ?? 0)
            break
        }
        func animate(_ change: () -> Void) { change() }
        let clip = try FrameSequence(path: path)
        let stand = LazyImage(url: url)
            .placeholder(try await clip.poster())
            .transaction { change in animate(change) }
        #expect(stand.options.placeholder?.size == clip.info.size)
        view.processors([.resize(width: 64)])
        let small = try await view.loaded().image
        #expect(small.size.width <= 64)
    }

    @MainActor @Test func `the guide to models, low data`() async throws {
        // What the process is told of its network is for all of it.
        await #expect(processExitsWith: .success) {
            let (url, lowURL) = (
                GuideTests.address("delays.gif"), GuideTests.address("loop-0.gif")
            )
            await MainActor.run {
                let thrifty = LazyImage(url: url).lowData(lowURL)
                let plain = FetchImage(regularURL: url, lowDataURL: lowURL)
                print(thrifty.isLowData, plain.isLowData)
            }
            let network = await NetworkConditions.shared.followSystem()
            print(network)
        }
    }

    @Test func `the guide to models, pictures in text`() async throws {
        let picture = try await ImagePipeline.shared.image(for: url)
        let address = try picture.dataURL()
        let again = try await ImagePipeline.shared.image(for: ImageRequest(string: address))
        #expect(again == picture)
    }
}

/// What `LazyKit` puts together.
@Suite struct PresetTests {
    @Test func `presets have the caches that their names say`() {
        typealias Configuration = ImagePipeline.Configuration
        #expect(Configuration.standard.imageCache != nil)
        #expect(Configuration.standard.dataCache == nil)
        #expect(Configuration.standard.remoteOpener != nil)
        #expect(Configuration.offline.remoteOpener == nil)
        #expect(Configuration.withDataCache(name: "tests").dataCache != nil)
        #expect(Configuration.inMemory.dataCache == nil)
        #expect(Configuration.server(limit: 1 << 20).imageCache !== ImageCache.shared)
    }

    @Test func `offline is an error for what is not stored`() async throws {
        let url = try #require(URL(string: "http://127.0.0.1:1/never"))
        let pipeline = ImagePipeline(configuration: .offline)
        await #expect {
            try await pipeline.image(for: url)
        } throws: { error in
            guard case .dataLoadingFailed(let error) = error as? PipelineError else {
                if case .dataMissingInCache = error as? PipelineError { return true }
                return false
            }
            return error.code == .notCached
        }
    }

    @Test func `the shared pipeline is one`() {
        #expect(ImagePipeline.shared === ImagePipeline.shared)
    }
}
