import FoundationEssentials
import HTTPSupport
import LazyBase
import LazyLoading
import Testing

@Suite struct HTTPLoaderTests {
    static let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }

    let nginx: Nginx
    let loader = HTTPLoader()

    init() throws {
        nginx = try Nginx.shared()
        try nginx.put(Self.bytes, as: "loader.bin")
    }

    @Test func `a file arrives whole, with its head`() async throws {
        let answer = try await loader.load(LoadRequest(url: nginx.url("/loader.bin")))
        #expect(answer.head.status == 200)
        #expect(answer.head.origin == .network)
        #expect(answer.head.expectedCount == Self.bytes.count)
        #expect(answer.head.headers["accept-ranges"] == "bytes")
        #expect(try await answer.body.collect() == Self.bytes)
    }

    @Test func `the body outlives its loader`() async throws {
        let answer = try await HTTPLoader().load(LoadRequest(url: nginx.url("/loader.bin")))
        #expect(try await answer.body.collect() == Self.bytes)
    }

    @Test(arguments: [
        (ByteRange.from(299_990), 299_990..<300_000), (.bytes(5..<9), 5..<9),
        (.last(3), 299_997..<300_000),
    ]) func `a range arrives as a part with its place`(
        range: ByteRange, place: Range<Int>
    ) async throws {
        let request = LoadRequest(url: nginx.url("/loader.bin"), range: range)
        let answer = try await loader.load(request)
        #expect(answer.head.status == 206)
        #expect(answer.head.contentRange?.range == place)
        #expect(answer.head.contentRange?.whole == Self.bytes.count)
        #expect(answer.head.expectedCount == place.count)
        #expect(try await answer.body.collect() == Array(Self.bytes[place]))
    }

    @Test(arguments: [
        (nil, nil, "*/*"), ("image/gif", nil, "image/gif"), ("image/gif", "text/css", "text/css"),
    ]) func `a request's own types are asked for before the loader's`(
        loaders: String?, own: String?, sent: String
    ) async throws {
        let server = try ScriptedServer { _ in .answer(body: [1]) }
        var configuration = HTTPLoader.Configuration()
        configuration.accept = loaders
        let request = LoadRequest(
            url: server.url("/a"), headers: own.map { ["Accept": $0] } ?? HTTPHeaders())
        _ = try await HTTPLoader(configuration: configuration).load(request).body.collect()
        #expect(server.requests.map { $0["Accept"] } == [sent])
    }

    @Test func `a server without ranges responds with the whole body`() async throws {
        let request = LoadRequest(url: nginx.url("/norange/loader.bin"), range: .bytes(5..<9))
        let answer = try await loader.load(request)
        #expect(answer.head.status == 200 && answer.head.contentRange == nil)
        #expect(try await answer.body.collect() == Self.bytes)
    }

    @Test func `a range beyond the end is a response if requested by header`() async throws {
        let request = LoadRequest(url: nginx.url("/loader.bin"), range: .from(300_000))
        let answer = try await loader.load(request)
        #expect(answer.head.status == 416)
        #expect(answer.head.headers["Content-Range"] == "bytes */300000")
    }

    @Test func `a 304 is a response without a body`() async throws {
        let first = try await loader.load(LoadRequest(url: nginx.url("/loader.bin")))
        let tag = try #require(first.head.headers["ETag"])
        let date = try #require(first.head.headers["Last-Modified"])
        for (name, value) in [("If-None-Match", tag), ("If-Modified-Since", date)] {
            let request = LoadRequest(url: nginx.url("/loader.bin"), headers: [name: value])
            let answer = try await loader.load(request)
            #expect(answer.head.status == 304)
            #expect(answer.head.headers["ETag"] == tag)
            #expect(try await answer.body.collect().isEmpty)
        }
        let request = LoadRequest(
            url: nginx.url("/loader.bin"), headers: ["If-None-Match": "\"x\""])
        #expect(try await loader.load(request).head.status == 200)
    }

    @Test func `a compressed body is decoded, and its length unknown`() async throws {
        let text = Array(String(repeating: "compressible ", count: 40_000).utf8)
        try nginx.put(text, as: "loader.txt")
        let answer = try await loader.load(LoadRequest(url: nginx.url("/gzip/loader.txt?undone")))
        #expect(answer.head.headers["Content-Encoding"] == "gzip")
        #expect(answer.head.expectedCount == nil)
        #expect(try await answer.body.collect() == text)
        #expect(nginx.log(of: "/gzip/loader.txt?undone").first?.bodyBytes ?? .max < 10_000)
    }

    @Test(arguments: ["range", "format", "setting", "own"])
    func `compression is not asked for where it is pointless`(reason: String) async throws {
        let text = Array(String(repeating: "compressible ", count: 1000).utf8)
        let name = reason == "format" ? "pointless.jpg" : "pointless-\(reason).txt"
        try nginx.put(text, as: name)
        var request = LoadRequest(url: nginx.url("/gzip/\(name)"))
        var configuration = HTTPLoader.Configuration()
        switch reason {
        case "range": request.range = .from(0)
        case "format": configuration.compressedExtensions.insert("jpg")
        case "setting": configuration.acceptsCompression = false
        case "own": request.headers["Accept-Encoding"] = "identity"
        default: break
        }
        let answer = try await HTTPLoader(configuration: configuration).load(request)
        #expect(answer.head.headers["Content-Encoding"] == nil)
        #expect(answer.head.expectedCount == text.count)
        #expect(try await answer.body.collect() == text)
    }

    @Test func `a connection is reused`() async throws {
        let loader = HTTPLoader()
        for index in 0..<3 {
            let url = nginx.url("/loader.bin?kept\(index)")
            _ = try await loader.load(LoadRequest(url: url)).body.collect()
        }
        let connections = (0..<3).map { nginx.log(of: "/loader.bin?kept\($0)").map(\.connection) }
        #expect(Set(connections).count == 1)
    }

    @Test func `the request carries its own fields and the loader's name`() async throws {
        let request = LoadRequest(
            url: nginx.url("/auth/loader.bin?fields"), headers: ["Authorization": "Basic YTpi"])
        _ = try await loader.load(request).body.collect()
        let entry = try #require(nginx.log(of: "/auth/loader.bin?fields").first)
        #expect(entry.authorization == "Basic YTpi")
        #expect(entry.userAgent.hasPrefix("lazyimg/"))
    }
}
