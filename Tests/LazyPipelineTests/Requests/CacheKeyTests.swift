import FoundationEssentials
import LazyBase
import LazyLoading
import LazyMedia
import Support
import Testing

@testable import LazyPipeline

/// What tells pictures and their bytes apart.
@Suite(.timeLimit(.minutes(1))) struct CacheKeyTests {
    private static func request(_ id: String, _ change: (inout ImageRequest) -> Void = { _ in })
        -> ImageRequest
    {
        var request = ImageRequest(url: Given.url())
        request.imageID = id
        change(&request)
        return request
    }

    private static func steps(_ names: [String]) -> [any ImageProcessing] {
        names.map { CountingProcessor(identifier: $0) }
    }

    @Test func `no identifier equals another one with details`() {
        let scaled = Self.request("a") { $0.scale = 2 }
        let requests = [
            Self.request("a"), scaled, Self.request("a|s2.0"),
            Self.request(ImageCacheKey(scaled).text), Self.request("a\n"),
            Self.request("a\u{1}n"), Self.request("a\nencoded"), Self.request("a\u{1}1n"),
            Self.request("a") { $0.processors = Self.steps(["x", "y"]) },
            Self.request("a") { $0.processors = Self.steps(["x|y"]) },
            Self.request("a") { $0.processors = Self.steps(["x|2:py"]) },
            Self.request("a|1:x") { $0.processors = Self.steps(["y"]) },
            Self.request("a") { $0.selection = .poster(.first) },
            Self.request("a") { $0.selection = .poster(.index(1)) },
            Self.request("a") { $0.selection = .poster(.at(.seconds(1))) },
            Self.request("a") { $0.selection = .poster(.at(.seconds(1) + .nanoseconds(1))) },
            Self.request("a") { $0.selection = .poster(.percent(1)) },
            Self.request("a") { $0.selection = .range(.zero ..< .seconds(1)) },
            Self.request("a") { $0.thumbnail = .init(maxPixelSize: 1) },
            Self.request("a") { $0.loadRequest?.range = .from(1) },
            Self.request("a") { $0.loadRequest?.range = .last(1) },
        ]
        #expect(Set(requests.map { ImageCacheKey($0).text }).count == requests.count)
        #expect(Set(requests.map(\.encodedKeyText)).count == requests.count)
        let bytes = Set(requests.map(\.dataKeyText))
        #expect(bytes.isDisjoint(with: requests.map(\.encodedKeyText)))
    }

    @Test func `compositions with different parts have different keys`() {
        let one = ImageProcessors.Composition(Self.steps(["a", "b"]))
        let other = ImageProcessors.Composition(Self.steps(["a)(b"]))
        #expect(one.identifier != other.identifier)
    }

    @Test func `header fields are part of the key unless the request has an identifier`() {
        var one = ImageRequest(url: Given.url())
        var other = one
        one.loadRequest?.headers.add("Accept", "one")
        other.loadRequest?.headers.add("Accept", "other")
        #expect(ImageCacheKey(one) != ImageCacheKey(other))
        #expect(one.dataKeyText != other.dataKeyText)
        one.imageID = "cat"
        other.imageID = "cat"
        #expect(ImageCacheKey(one) == ImageCacheKey(other))
        #expect(one.dataKeyText == other.dataKeyText)
    }

    @Test(arguments: ["authorization", "Cookie", "X-Session", "user"], [nil, "cat"])
    func `users never share images, and no key contains a secret`(
        name: String, id: String?
    ) throws {
        func request(_ secret: String?) throws -> ImageRequest {
            let user = name == "user" ? secret.map { "me:\($0)@" } ?? "" : ""
            let url = try #require(URL(string: "http://\(user)host/a.gif"))
            var load = LoadRequest(url: url)
            load.secretHeaders = ["x-session"]
            if name != "user" { load.headers[name] = secret }
            var request = ImageRequest(loadRequest: load)
            if let id { request.imageID = id }
            return request
        }
        let requests = try [request("secret-1"), request("secret-2"), request(nil)]
        #expect(Set(requests.map(ImageCacheKey.init)).count == 3)
        #expect(Set(requests.map(\.dataKeyText)).count == 3)
        #expect(Set(requests.map(DataKey.init)).count == 3)
        let again = try request("secret-1")
        #expect(again.dataKeyText == requests[0].dataKeyText)
        #expect(DataKey(again) == DataKey(requests[0]))
        for request in requests {
            #expect(!request.dataKeyText.contains("secret"))
            #expect(!ImageCacheKey(request).text.contains("secret"))
        }
    }

    @Test func `a range of the bytes has another key than the whole`() async throws {
        let whole = Given.gif()
        let loader = ScriptedLoader { .init([$0.range == nil ? whole : Array(whole[5...])]) }
        let pipeline = Given.pipeline(loader) { $0.dataCache = PlainDataCache() }
        var part = ImageRequest(url: Given.url())
        part.loadRequest?.range = .from(5)
        #expect(try await pipeline.data(for: part).data.count == whole.count - 5)
        #expect(try await pipeline.image(for: Given.url()).size.width == 4)
        #expect(try await pipeline.data(for: part).data.count == whole.count - 5)
        #expect(loader.requests.count == 2)
    }

    @Test func `an encoded image has another key than the original bytes`() async throws {
        let loader = Given.loader()
        let pipeline = Given.pipeline(loader) {
            $0.dataCache = PlainDataCache()
            $0.dataCachePolicy = .storeEncodedImages
            $0.encoders = [OneByteEncoder()]
        }
        _ = try await pipeline.image(for: Given.url())
        await pipeline.flush()
        let request = ImageRequest(url: Given.url())
        #expect(pipeline.cache.containsCachedImage(for: request, caches: .disk))
        #expect(!pipeline.cache.containsData(for: request))
        #expect(try await pipeline.data(for: request).data.bytesInMemory == Given.gif())
        pipeline.cache.removeCachedImage(for: request)
        #expect(!pipeline.cache.containsCachedImage(for: request))
    }

    @Test func `an unreadable stored image is loaded again`() async throws {
        let loader = Given.loader()
        let pipeline = Given.pipeline(loader) {
            $0.dataCache = PlainDataCache()
            $0.dataCachePolicy = .automatic
            $0.encoders = [OneByteEncoder()]
        }
        let request = ImageRequest(url: Given.url(), processors: [.resize(width: 2)])
        for _ in 0..<2 {
            #expect(try await pipeline.image(for: request).size.width == 2)
            await pipeline.flush()
        }
        #expect(loader.requests.count == 2)
    }
}

/// Writes what nobody can read.
struct OneByteEncoder: MediaEncoding {
    let name = "byte"

    func encode(
        _ frames: Frames, info: MediaInfo, loop: LoopCount,
        to write: @escaping @Sendable ([UInt8]) throws(MediaError) -> Void
    ) async throws(MediaError) { try write([1]) }
}
