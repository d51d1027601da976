import FoundationEssentials
import LazyBase
import LazyKit
import LazyLoading
import LazyMedia
import LazyPipeline
import LazyRenditions
import Synchronization

/// What a request costs beside the work itself: hits through the public API, and shared loads.
struct PipelineBenchmarks {
    let harness: Harness

    func run() async {
        await hits()
        await hitsOfRenditions()
        await hitsOfList()
        keys()
        await loads()
        await coalesced()
    }

    private func hits() async {
        let pipeline = Self.pipeline(StillLoader(), cache: ImageCache(costLimit: 1 << 30))
        let requests = Pictures.requests(1000)
        for request in requests { pipeline.cache[request] = Pictures.picture() }
        harness.measure("ImagePipeline: cache hit", operations: requests.count) {
            for request in requests { use(pipeline.cache[request]) }
        }
        await harness.measure("ImagePipeline: response, cache hit", operations: requests.count) {
            for request in requests { use(try? await pipeline.response(for: request)) }
        }
        await harness.measure("ImagePipeline: task, cache hit", operations: requests.count) {
            for request in requests {
                use(try? await pipeline.imageTask(with: request).response)
            }
        }
    }

    /// Encoded posters in memory, whose sources are fresh.
    private func hitsOfRenditions() async {
        var configuration = ImagePipeline.Configuration(
            dataLoader: StillLoader(["Cache-Control": "max-age=3600", "ETag": "\"1\""]),
            decoders: DecoderRegistry([StillDecoder()]))
        configuration.isRateLimiterEnabled = false
        configuration.renditionCacheLimit = 1 << 30
        configuration.renditionEncoders = .standard
        let pipeline = ImagePipeline(configuration: configuration)
        let requests = Pictures.requests(1000)
        let rendition = Rendition.poster(.first, as: .webp, size: TargetSize(width: 320))
        for request in requests { _ = try? await pipeline.data(for: request, as: rendition) }
        await harness.measure("ImagePipeline: data of a rendition, hit", operations: requests.count)
        {
            for request in requests {
                use(try? await pipeline.data(for: request, as: rendition))
            }
        }
        await harness.measure("ImagePipeline: head of a rendition, hit", operations: requests.count)
        {
            for request in requests {
                use(try? await pipeline.head(for: request, as: rendition))
            }
        }
    }

    /// What a row of a list asks for on the main actor.
    @MainActor private func hitsOfList() async {
        let pipeline = Self.pipeline(StillLoader(), cache: ImageCache(costLimit: 1 << 30))
        let requests = Pictures.requests(1000)
        for request in requests { pipeline.cache[request] = Pictures.picture() }
        await harness.measure("Main actor: image(for:), hit", operations: requests.count) {
            for request in requests { use(try? await pipeline.image(for: request)) }
        }
        await harness.measure("Main actor: response(for:), hit", operations: requests.count) {
            for request in requests { use(try? await pipeline.response(for: request)) }
        }
        await harness.measure("Main actor: task, hit", operations: requests.count) {
            for request in requests {
                use(try? await pipeline.imageTask(with: request).response)
            }
        }
        await harness.measure("Main actor: FetchImage, hit", operations: requests.count) {
            for request in requests {
                use(FetchImage(request: request, pipeline: pipeline).container)
            }
            await Task.yield()
        }
        await harness.measure("Main actor: LazyImage, hit", operations: requests.count) {
            for request in requests {
                use(LazyImage(request: request, pipeline: pipeline).phase)
            }
            await Task.yield()
        }
        // Rows that are used again, as in a list that scrolls; and models without an image.
        let fetch = FetchImage(pipeline: pipeline)
        let view = LazyImage(url: nil, pipeline: pipeline)
        await harness.measure("Main actor: FetchImage, next hit", operations: requests.count) {
            for request in requests {
                fetch.load(request)
                use(fetch.container)
            }
            await Task.yield()
        }
        await harness.measure("Main actor: LazyImage, next hit", operations: requests.count) {
            for request in requests {
                view.setSource(request)
                use(view.phase)
            }
            await Task.yield()
        }
        await harness.measure("Main actor: FetchImage, no image", operations: requests.count) {
            for _ in requests { use(FetchImage(pipeline: pipeline).container) }
            await Task.yield()
        }
        await harness.measure("Main actor: LazyImage, no image", operations: requests.count) {
            for _ in requests { use(LazyImage(request: nil, pipeline: pipeline).phase) }
            await Task.yield()
        }
    }

    /// Keys of new requests, whose processors are at hand or made for each.
    private func keys() {
        let urls = (0..<1000).compactMap { URL(string: "https://images.example.com/\($0).jpeg") }
        let processors: [any ImageProcessing] = [
            .resize(width: 320), .roundedCorners(radius: 8),
        ]
        harness.measure("ImageRequest: key", operations: urls.count) {
            for url in urls { use(ImageCacheKey(ImageRequest(url: url))) }
        }
        harness.measure("ImageRequest: key, 2 processors", operations: urls.count) {
            for url in urls {
                use(ImageCacheKey(ImageRequest(url: url, processors: processors)))
            }
        }
        harness.measure("ImageRequest: key, 2 new processors", operations: urls.count) {
            for url in urls {
                let request = ImageRequest(
                    url: url, processors: [.resize(width: 320), .roundedCorners(radius: 8)])
                use(ImageCacheKey(request))
            }
        }
    }

    /// Nuke's two: each request another address, nothing cached.
    private func loads() async {
        let pipeline = Self.pipeline(StillLoader(), cache: nil)
        let requests = Pictures.requests(5000)
        await harness.measure("ImagePipeline: 5 000 loads, async", operations: requests.count) {
            await withTaskGroup(of: Void.self) { group in
                for request in requests {
                    group.addTask { use(try? await pipeline.image(for: request)) }
                }
            }
        }
        let processed = requests.map { request in
            var request = request
            request.processors = [Nothing(identifier: "one"), Nothing(identifier: "two")]
            return request
        }
        await harness.measure("ImagePipeline: 5 000 with 2 processors", operations: 5000) {
            await withTaskGroup(of: Void.self) { group in
                for request in processed {
                    group.addTask { use(try? await pipeline.image(for: request)) }
                }
            }
        }
        // The floor: the same work by hand, without sharing, priorities, cancellation and events.
        let (loader, decoders) = (StillLoader(), DecoderRegistry([StillDecoder()]))
        await harness.measure("No pipeline: 5 000 loads, async", operations: requests.count) {
            await withTaskGroup(of: Void.self) { group in
                for request in requests {
                    group.addTask { use(try? await Self.picture(of: request, loader, decoders)) }
                }
            }
        }
        await harness.measure("ImagePipeline: 5 000 loads, tasks", operations: requests.count) {
            let tasks = requests.map { pipeline.imageTask(with: $0) }
            for task in tasks { use(try? await task.response) }
        }
    }

    /// Loads and decodes a picture without a pipeline.
    private static func picture(
        of request: ImageRequest, _ loader: StillLoader, _ decoders: DecoderRegistry
    ) async throws -> Bitmap? {
        guard let load = request.loadRequest else { return nil }
        let bytes = try await loader.load(load).body.collect()
        return try await BlockingPool.shared.run {
            try decoders.open(MemoryBytes(bytes)).makeReader(ReaderOptions()).nextFrame()?.bitmap
        }
    }

    /// All for one address; the loader waits until all have asked.
    private func coalesced() async {
        let loader = StillLoader()
        let pipeline = Self.pipeline(loader, cache: nil)
        let request = ImageRequest(string: "https://images.example.com/clip.mp4")
        await harness.measure("ImagePipeline: 5 000 requests for one clip", operations: 5000) {
            loader.close()
            let tasks = (0..<5000).map { _ in pipeline.imageTask(with: request) }
            loader.open()
            for task in tasks { use(try? await task.response) }
        }
        let count = loader.loads
        print("    \(count.loads) downloads for \(count.rounds) rounds of 5 000 requests")
    }

    static func pipeline(
        _ loader: StillLoader, cache: (any ImageCaching)?
    ) -> ImagePipeline {
        var configuration = ImagePipeline.Configuration(
            dataLoader: loader, decoders: DecoderRegistry([StillDecoder()]))
        configuration.imageCache = cache
        configuration.isRateLimiterEnabled = false
        return ImagePipeline(configuration: configuration)
    }
}

/// Answers at once, or when it is opened, with the signature of a PNG.
final class StillLoader: DataLoading {
    private struct State {
        var isClosed = false
        var loads = 0
        var rounds = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }
    private let state = Mutex(State())
    private let headers: HTTPHeaders

    /// Makes a loader with header fields of its responses.
    init(_ headers: HTTPHeaders = [:]) { self.headers = headers }

    var loads: (loads: Int, rounds: Int) { state.withLock { ($0.loads, $0.rounds) } }

    func close() {
        state.withLock {
            $0.isClosed = true
            $0.rounds += 1
        }
    }

    func open() {
        let waiting = state.withLock { state in
            state.isClosed = false
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func load(_ request: LoadRequest) async throws(LoadingError) -> LoadResponse {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                state.loads += 1
                if state.isClosed { state.waiting.append(continuation) }
                return !state.isClosed
            }
            if isOpen { continuation.resume() }
        }
        return LoadResponse(
            head: ResponseHead(
                url: request.url, headers: headers, expectedCount: Self.png.count,
                origin: .network),
            body: LoadBody(Blob(Self.png)))
    }

    private static let png: [UInt8] = [
        0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52,
        0, 0, 0, 1, 0, 0, 0, 1, 8, 6, 0, 0, 0, 0x1F, 0x15, 0xC4, 0x89,
    ]
}

/// Takes whatever comes for one picture that is there already.
struct StillDecoder: MediaDecoding {
    private static let picture = Pictures.picture().image
    let name = "still"

    func canOpen(_ type: MediaType) -> Bool { true }

    func open(
        _ bytes: any ByteSource, type: MediaType, limits: DecodingLimits
    ) throws(MediaError) -> any OpenedMedia { StillMedia(Self.picture) }
}
