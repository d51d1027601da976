import FoundationEssentials
import Glibc
import LazyBase
import LazyLoading
import LazyMedia
import LazyPipeline
import Support
import Testing

/// What removals take out, and what the caches then say.
@Suite(.timeLimit(.minutes(1))) struct RemovalTests {
    /// The stores that a pipeline may have.
    struct Stores: OptionSet, Sendable, CustomTestStringConvertible {
        let rawValue: Int
        static let memory = Stores(rawValue: 1)
        static let data = Stores(rawValue: 2)
        static let answers = Stores(rawValue: 4)
        var testDescription: String {
            [(Stores.memory, "memory"), (.data, "data"), (.answers, "answers")].filter {
                contains($0.0)
            }.map(\.1).joined(separator: "+")
        }
    }

    /// A server that counts, and the folders of one user's caches.
    final class World {
        private let scratch = Scratch()
        var folder: String { scratch.path }
        let loader: ScriptedLoader
        let clock = ManualClock()

        init(_ headers: HTTPHeaders = ["Cache-Control": "max-age=600", "ETag": "\"1\""]) {
            loader = ScriptedLoader { request in
                let bytes = Given.gif(frames: 2, width: 8, height: 8)
                let head = ResponseHead(
                    url: request.url, headers: headers, expectedCount: bytes.count,
                    origin: .network)
                return .init([bytes], head: head)
            }
        }

        var asked: Int { loader.requests.count }

        /// A pipeline as a process has it that starts now.
        func pipeline(
            _ stores: Stores, _ policy: ImagePipeline.DataCachePolicy = .storeOriginalData,
            encoder: any MediaEncoding = ForgingEncoder()
        ) throws -> ImagePipeline {
            var loading: any DataLoading = loader
            if stores.contains(.answers) {
                loading = CachingLoader(loader, store: try DiskStore(folder: folder + "/http"))
            }
            let data =
                stores.contains(.data) ? try DataCache(folder: folder + "/data") : nil
            return Given.pipeline(ConditionalLoader(loading, conditions: NetworkConditions())) {
                $0.imageCache = stores.contains(.memory) ? PlainImageCache() : nil
                $0.dataCache = data
                $0.dataCachePolicy = policy
                $0.encoders = [encoder]
            }
        }
    }

    static let kinds = ["plain", "processed", "thumbnail", "poster", "named"]

    static func request(_ kind: String) -> ImageRequest {
        var request = ImageRequest(url: Given.url())
        switch kind {
        case "processed": request.processors = [.resize(width: 4), .circle()]
        case "thumbnail": request.thumbnail = .init(maxPixelSize: 4)
        case "poster": request.selection = .poster(.first)
        case "named": request.imageID = "cat"
        default: break
        }
        return request
    }

    static let stores: [Stores] = [
        .memory, .data, .answers, [.memory, .data], [.memory, .answers],
        [.memory, .data, .answers],
    ]

    @Test(arguments: stores, ImagePipeline.DataCachePolicy.allCases)
    func `a contained image needs no request, and a removed one does`(
        stores: Stores, policy: ImagePipeline.DataCachePolicy
    ) async throws {
        for kind in Self.kinds {
            let world = World()
            let pipeline = try world.pipeline(stores, policy)
            let request = Self.request(kind)
            #expect(!pipeline.cache.containsCachedImage(for: request), "\(kind)")
            _ = try await pipeline.image(for: request)
            await pipeline.flush()
            #expect(pipeline.cache.containsCachedImage(for: request), "\(kind)")
            _ = try await pipeline.image(for: request)
            #expect(world.asked == 1, "\(kind)")
            let removal = pipeline.cache.removeCachedImage(for: request)
            #expect(!removal.isEmpty && removal.isComplete, "\(kind)")
            #expect((removal.imageCount > 0) == stores.contains(.memory), "\(kind)")
            #expect((removal.data.count > 0) == stores.contains(.data), "\(kind)")
            #expect((removal.responses.count > 0) == stores.contains(.answers), "\(kind)")
            #expect(!pipeline.cache.containsCachedImage(for: request), "\(kind)")
            #expect(pipeline.cache.removeCachedImage(for: request).isEmpty, "\(kind)")
            _ = try await pipeline.image(for: request)
            #expect(world.asked == 2, "\(kind)")
            await pipeline.flush()
            #expect(!pipeline.cache.removeAll().isEmpty, "\(kind)")
            _ = try await pipeline.image(for: request)
            #expect(world.asked == 3, "\(kind)")
        }
    }

    @Test(arguments: stores, kinds)
    func `a disk cache contains an image exactly if it answers another process`(
        stores: Stores, kind: String
    ) async throws {
        let world = World()
        let request = Self.request(kind)
        let first = try world.pipeline(stores, .automatic)
        _ = try await first.image(for: request)
        await first.flush()
        let second = try world.pipeline(stores, .automatic)
        let isThere = second.cache.containsCachedImage(for: request, caches: .disk)
        #expect(isThere == !stores.isDisjoint(with: [.data, .answers]))
        func now() -> ImageContainer? { second.cache.cachedImage(for: request, caches: .disk) }
        #expect((now() != nil) == isThere)
        let later = await second.cache.cachedImage(for: request)
        #expect((later != nil) == isThere)
        let image = try await second.response(for: request)
        #expect((world.asked == 1) == isThere)
        #expect(now()?.image.size ?? image.image.size == image.image.size)
        #expect(now()?.isAnimated ?? image.container.isAnimated == image.container.isAnimated)
        #expect(image.container.sourceSize == PixelSize(width: 8, height: 8))
        #expect(now()?.sourceSize ?? image.container.sourceSize == image.container.sourceSize)
    }

    @Test func `entries can be removed from each cache alone`() async throws {
        let world = World()
        let pipeline = try world.pipeline([.memory, .data, .answers])
        let request = Self.request("plain")
        _ = try await pipeline.image(for: request)
        let parts: [ImagePipeline.Cache.Caches] = [.memory, .dataCache, .responses]
        for (place, part) in parts.enumerated() {
            for other in parts[place...] {
                #expect(pipeline.cache.containsCachedImage(for: request, caches: other))
            }
            #expect(!pipeline.cache.removeCachedImage(for: request, caches: part).isEmpty)
            #expect(!pipeline.cache.containsCachedImage(for: request, caches: part))
        }
        #expect(world.asked == 1)
    }

    @Test(arguments: [false, true])
    func `all variants are removed by identifier or URL, also those of earlier processes`(
        isNamed: Bool
    ) async throws {
        let world = World()
        var requests: [ImageRequest] = []
        for side in [2, 3, 4] {
            var request = ImageRequest(url: Given.url())
            if isNamed {
                request.imageID = "cat"
                request.loadRequest?.url = Given.url("\(side).gif")
            }
            request.thumbnail = .init(maxPixelSize: side)
            requests.append(request)
            request.processors = [CountingProcessor(identifier: "one\ntwo")]
            requests.append(request)
        }
        let other = ImageRequest(url: Given.url("other.gif"))
        let first = try world.pipeline([.data, .answers], .storeAll)
        for request in requests + [other] { _ = try await first.image(for: request) }
        await first.flush()
        let before = world.asked

        let second = try world.pipeline([.memory, .data, .answers], .storeAll)
        for request in requests { _ = try await second.image(for: request) }
        #expect(world.asked == before)
        let removal =
            isNamed
            ? second.cache.removeCachedImages(knownBy: "cat")
            : second.cache.removeCachedImages(at: Given.url())
        #expect(removal.imageCount == 6)
        // The bytes, the thumbnail that came with them, and three processed pictures.
        #expect(removal.data.count == 5)
        #expect(removal.responses.count == 1)
        for request in requests {
            #expect(!second.cache.containsCachedImage(for: request))
        }
        #expect(second.cache.containsCachedImage(for: other))
        _ = try await second.image(for: requests[0])
        #expect(world.asked == before + 1)
        #expect(second.cache.removeCachedImages(knownBy: "dog").isEmpty)
    }

    @Test func `an identifier finds the responses of all its URLs`() async throws {
        let world = World()
        func request(_ name: String, _ address: String) -> ImageRequest {
            var request = ImageRequest(url: Given.url(address))
            request.imageID = name
            return request
        }
        let first = try world.pipeline(.answers)
        for (name, address) in [("cat", "1.gif"), ("cat", "2.gif"), ("dog", "3.gif")] {
            _ = try await first.image(for: request(name, address))
        }
        // An answer that is there notes who asks for it by another name.
        _ = try await first.image(for: request("tom", "1.gif"))
        #expect(world.asked == 3)
        let second = try world.pipeline(.answers)
        #expect(second.cache.removeCachedImages(knownBy: "tom").responses.count == 1)
        #expect(second.cache.removeCachedImages(knownBy: "cat").responses.count == 1)
        #expect(second.cache.containsCachedImage(for: request("dog", "3.gif")))
        #expect(second.cache.removeAll().responses.count == 1)
    }

    @Test func `all variants of a response are removed with its URL`() async throws {
        let world = World(["Cache-Control": "max-age=600", "Vary": "Accept-Language"])
        let pipeline = try world.pipeline(.answers)
        var requests: [ImageRequest] = []
        for language in ["de", "en"] {
            var request = ImageRequest(url: Given.url())
            request.loadRequest?.headers["Accept-Language"] = language
            requests.append(request)
            _ = try await pipeline.image(for: request)
        }
        for request in requests { #expect(pipeline.cache.containsCachedImage(for: request)) }
        pipeline.cache.removeCachedImage(for: requests[0])
        for request in requests { #expect(!pipeline.cache.containsCachedImage(for: request)) }
        for request in requests { _ = try await pipeline.image(for: request) }
        #expect(world.asked == 4)
    }

    @Test func `a stale response counts only for requests that accept it`() async throws {
        let world = World(["Cache-Control": "max-age=0", "ETag": "\"1\""])
        let pipeline = try world.pipeline(.answers)
        var request = Self.request("plain")
        _ = try await pipeline.image(for: request)
        #expect(!pipeline.cache.containsCachedImage(for: request))
        request.options = .returnCacheDataDontLoad
        #expect(pipeline.cache.containsCachedImage(for: request))
        func now() -> ImageContainer? { pipeline.cache.cachedImage(for: request) }
        #expect(now() != nil)
        #expect(world.asked == 1)
    }

    @Test func `interrupted downloads are removed too`() async throws {
        let bytes = Given.gif(frames: 9, width: 64, height: 64)
        let loader = ScriptedLoader { request in
            let head = ResponseHead(
                url: request.url,
                headers: ["ETag": "\"1\"", "Accept-Ranges": "bytes", "Cache-Control": "max-age=9"],
                expectedCount: bytes.count, origin: .network)
            return .init(
                [Array(bytes.prefix(bytes.count / 2))], head: head,
                bodyFailure: .init(.reset, "The connection broke."))
        }
        let scratch = Scratch()
        defer { withExtendedLifetime(scratch) {} }
        let store = try DiskStore(folder: scratch.path("cache"))
        let pipeline = Given.pipeline(CachingLoader(loader, store: store))
        let request = Self.request("plain")
        await #expect(throws: PipelineError.self) { try await pipeline.image(for: request) }
        #expect(store.statistics().partialCount == 1)
        let removal = pipeline.cache.removeCachedImage(for: request)
        #expect(removal.responses.suspendedCount == 1)
        #expect(store.statistics().partialCount == 0)
        await #expect(throws: PipelineError.self) { try await pipeline.image(for: request) }
        #expect(loader.requests.last?.range == nil)
    }

    @Test func `a removal cancels a store in progress`() async throws {
        let world = World()
        let gate = Gate()
        let pipeline = try world.pipeline(
            .data, .storeEncodedImages, encoder: WaitingEncoder(gate: gate))
        let request = Self.request("processed")
        _ = try await pipeline.image(for: request)
        await gate.waitForArrivals(1)
        pipeline.cache.removeCachedImage(for: request)
        gate.open()
        await pipeline.flush()
        #expect(!pipeline.cache.containsCachedImage(for: request))
        _ = try await pipeline.image(for: request)
        #expect(world.asked == 2)
    }

    @Test func `a removal is described in one line`() {
        var removal = ImagePipeline.Cache.Removal()
        #expect("\(removal)" == "nothing")
        removal.imageCount = 2
        removal.data = RemovedEntries(count: 1, byteCount: 10)
        removal.responses = RemovedEntries(count: 1, suspendedCount: 2, byteCount: 30)
        #expect(
            "\(removal)"
                == "2 images of memory, 1 entry of the data cache (10 bytes), "
                + "1 response, 2 interrupted downloads (30 bytes)")
    }

    @Test func `a poster that has to be searched is found asynchronously only`() async throws {
        let world = World()
        let pipeline = try world.pipeline(.answers)
        _ = try await pipeline.image(for: Given.url())
        var request = Self.request("plain")
        request.selection = .poster(.percent(50))
        func now() -> ImageContainer? { pipeline.cache.cachedImage(for: request) }
        #expect(now() == nil)
        #expect(await pipeline.cache.cachedImage(for: request)?.isAnimated == false)
        request.selection = .poster(.index(1))
        #expect(now()?.isAnimated == false)
        #expect(world.asked == 1)
    }
}

/// Waits before it encodes.
private struct WaitingEncoder: MediaEncoding {
    let gate: Gate
    let name = "waiting"

    func encode(
        _ frames: Frames, info: MediaInfo, loop: LoopCount,
        to write: @escaping @Sendable ([UInt8]) throws(MediaError) -> Void
    ) async throws(MediaError) {
        await gate.pass()
        try write(Given.gif())
    }
}
