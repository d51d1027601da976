import FoundationEssentials
import HTTPSupport
import LazyBase
import LazyLoading
import LazyMedia
import LazyPipeline
import LazyVideo
import Support
import Testing

/// Posters of long clips on a real server, by its own log.
@Suite struct RangeOpenerTests {
    private let nginx: Nginx
    private let clip: [UInt8]

    init() throws {
        nginx = try Nginx.shared()
        clip = try Media.array("clip.mp4")
    }

    private func long(tablesFirst: Bool) -> [UInt8] {
        MovieForge.spread(clip, room: 2_000_000, tablesFirst: tablesFirst)
    }

    private func opened(_ bytes: any ByteSource) throws -> FrameSequence {
        FrameSequence(try DecoderRegistry(formats: MediaFormat.video).open(bytes))
    }

    /// What is wanted, and the most bytes that may come of some 10 million.
    @Test(
        arguments: [
            (PosterChoice.first, 240_000), (.at(.milliseconds(3880)), 440_000), (.auto, 900_000),
            (.index(60), 440_000),
        ], [true, false])
    func `a poster costs a few percent of the bytes`(
        poster: (choice: PosterChoice, most: Int), tablesFirst: Bool
    ) async throws {
        let name = "range-\(poster.most)-\(poster.choice.hashValue)-\(tablesFirst).mp4"
        try nginx.put(long(tablesFirst: tablesFirst), as: name)
        let opener = RangeOpener(loader: HTTPLoader(), formats: .video)
        let request = LoadRequest(url: nginx.url("/\(name)"))
        let remote = try #require(try await opener.open(request).ranges)
        #expect(remote.type == .mp4)
        let far = try await BlockingPool.disk.run { try opened(remote.bytes) }
        let picture = try await far.poster(poster.choice)
        let near = try await opened(MemoryBytes(clip)).poster(poster.choice)
        #expect(picture.bitmap == near.bitmap)
        #expect(picture.timing?.presentation == near.timing?.presentation)
        let log = nginx.log(of: "/\(name)")
        #expect(log.allSatisfy { $0.status == 206 })
        #expect(log.reduce(0) { $0 + $1.bodyBytes } == remote.bytesRead())
        #expect(remote.bytesRead() < poster.most)
        #expect(log.dropFirst().allSatisfy { !$0.ifRange.isEmpty })
    }

    @Test func `a clip that does not fit in memory is sent once, however often it is read`()
        async throws
    {
        let bytes = long(tablesFirst: true)
        try nginx.put(bytes, as: "range-twice.mp4")
        let opener = RangeOpener(loader: HTTPLoader(), formats: .video, memory: 1 << 21)
        let request = LoadRequest(url: nginx.url("/range-twice.mp4"))
        let remote = try #require(try await opener.open(request).ranges)
        for _ in 0..<2 {
            let read = try await BlockingPool.disk.run { () throws(MediaError) in
                try [UInt8].reading(bytes.count) { buffer throws(MediaError) in
                    try remote.bytes.read(at: 0, into: buffer)
                }
            }
            #expect(read == bytes)
        }
        let sent = nginx.log(of: "/range-twice.mp4").reduce(0) { $0 + $1.bodyBytes }
        #expect(bytes.count > 3 << 21)
        #expect(sent == bytes.count)
        #expect(remote.bytesRead() == bytes.count)
    }

    /// Path, bytes of the file, what is in it.
    @Test(arguments: [
        ("/norange/", 2_000_000, "clip"), ("/", 1000, "clip"), ("/", 2_000_000, "text"),
        ("/", 0, "nothing"),
    ]) func `a file that does not profit from ranges is loaded whole`(
        path: String, count: Int, content: String
    ) async throws {
        let name = "range-\(content)-\(count)-\(path.count).mp4"
        let bytes =
            content == "text"
            ? [UInt8](repeating: 65, count: count) : Array(long(tablesFirst: true).prefix(count))
        try nginx.put(bytes, as: name)
        let opener = RangeOpener(loader: HTTPLoader(), formats: .video)
        let remote = try await opener.open(LoadRequest(url: nginx.url(path + name)))
        #expect(remote.ranges == nil)
        guard path == "/norange/" else { return }
        guard case .whole(let response) = remote else { throw LoadingError(.malformed, "none") }
        #expect(try await response.body.collect() == bytes)
        #expect(nginx.log(of: path + name).count == 1)
    }

    @Test func `policies that prefer the store request no ranges`() async throws {
        let loader = ScriptedLoader { _ in .init([[1]]) }
        for policy in [FetchPolicy.cacheOnly, .cacheElseLoad] {
            let request = LoadRequest(url: nginx.url("/any.mp4"), policy: policy)
            let answer = try await RangeOpener(loader: loader, formats: .video).open(request)
            guard case .usual = answer else { throw LoadingError(.malformed, "\(answer)") }
        }
        #expect(loader.requests.isEmpty)
    }

    @Test func `a server without ranges gets one request for the file and its poster`() async throws
    {
        let name = "range-once.mp4"
        try nginx.put(long(tablesFirst: true), as: name)
        let loader = HTTPLoader()
        var configuration = ImagePipeline.Configuration(
            dataLoader: loader, decoders: DecoderRegistry(formats: MediaFormat.video))
        configuration.remoteOpener = RangeOpener(loader: loader, formats: .video)
        let pipeline = ImagePipeline(configuration: configuration)
        var request = ImageRequest(url: nginx.url("/norange/\(name)"))
        request.selection = .poster(.first)
        _ = try await pipeline.image(for: request)
        #expect(nginx.log(of: "/norange/\(name)").map(\.status) == [200])
    }

    @Test func `a redirect is followed once`() async throws {
        try nginx.put(long(tablesFirst: false), as: "range-redirect.mp4")
        let opener = RangeOpener(loader: HTTPLoader(), formats: .video)
        let request = LoadRequest(url: nginx.url("/redirect/once/range-redirect.mp4"))
        let remote = try #require(try await opener.open(request).ranges)
        let far = try await BlockingPool.disk.run { try opened(remote.bytes) }
        #expect(try await far.poster(.first).bitmap.barcode != nil)
        #expect(nginx.log(of: "/redirect/once/range-redirect.mp4").count == 1)
    }

    @Test func `a file that changes during the load is a distinct error`() async throws {
        try nginx.put(long(tablesFirst: true), as: "range-changed.mp4")
        let opener = RangeOpener(loader: HTTPLoader(), formats: .video)
        let request = LoadRequest(url: nginx.url("/range-changed.mp4"))
        let remote = try #require(try await opener.open(request).ranges)
        try nginx.put(long(tablesFirst: false) + [0], as: "range-changed.mp4")
        let error = await #expect(throws: MediaError.self) {
            let far = try await BlockingPool.disk.run { try opened(remote.bytes) }
            _ = try await far.poster(.at(.seconds(3)))
        }
        #expect(error?.code == .environment)
        #expect((error?.underlying as? LoadingError)?.code == .changed)
    }

    @Test func `a missing file fails at once`() async {
        let opener = RangeOpener(loader: HTTPLoader(), formats: .video)
        let request = LoadRequest(url: nginx.url("/range-missing.mp4"))
        let error = await #expect(throws: LoadingError.self) { try await opener.open(request) }
        #expect(error?.status == 404)
    }

    @Test func `a poster can be cancelled while it waits for bytes`() async throws {
        let clock = ManualClock()
        let bytes = long(tablesFirst: true)
        let loader = ScriptedLoader { request in
            guard case .bytes(let asked)? = request.range else { return .init([bytes]) }
            let range = asked.clamped(to: 0..<bytes.count)
            let head = ResponseHead(
                url: request.url, status: 206, contentRange: (range, bytes.count),
                origin: .network)
            return .init([Array(bytes[range])], head: head) { _ in
                if range.lowerBound > 1_000_000 { try? await clock.sleep(until: .seconds(1)) }
            }
        }
        let request = LoadRequest(url: nginx.url("/scripted.mp4"))
        let remote = try #require(
            try await RangeOpener(loader: loader, formats: .video).open(request).ranges)
        let task = Task {
            let far = try await BlockingPool.disk.run { try opened(remote.bytes) }
            return try await far.poster(.at(.seconds(3)))
        }
        await clock.waitForSleepers()
        remote.bytes.cancelReads()
        let error = await #expect(throws: MediaError.self) { try await task.value }
        #expect(error?.code == .cancelled)
    }
}

extension RemoteOpened {
    fileprivate var ranges: RemoteMedia? {
        if case .ranges(let media) = self { media } else { nil }
    }
}

extension FormatRegistry {
    /// The formats that FFmpeg reads.
    fileprivate static let video = FormatRegistry(MediaFormat.video)
}
