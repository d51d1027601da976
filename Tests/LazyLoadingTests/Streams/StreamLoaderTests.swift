import FoundationEssentials
import Glibc
import LazyBase
import Support
import Testing

@testable import LazyLoading

/// What a playlist may make its reader load, and from where.
@Suite struct StreamLoaderTests {
    private let scratch = Scratch()

    private func loader(
        _ next: some DataLoading, _ url: String = "http://example.org/l.m3u8", most: Int?,
        isPrivate: Bool = false
    ) -> StreamLoader {
        let request = LoadRequest(url: address(url))
        return StreamLoader(
            next, request, StreamBase(request.url, isPrivate: isPrivate),
            StreamLimits(memory: nil, time: nil), maximumBytes: most)
    }

    private func list(_ lines: String) -> [UInt8] {
        Array("#EXTM3U\n\(lines)\n#EXT-X-ENDLIST\n".utf8)
    }

    /// A loader that answers every request with all of an endless resource.
    private func endless(_ pieces: Int) -> ScriptedLoader {
        ScriptedLoader { _ in
            .init(Array(repeating: [UInt8](repeating: 7, count: 1000), count: pieces))
        }
    }

    private func failure(_ body: () async throws(StreamError) -> Void) async -> LoadingError? {
        do throws(StreamError) { try await body() } catch {
            if case .loading(let error) = error { return error }
            Issue.record("\(error)")
        }
        return nil
    }

    @Test(arguments: [
        "#EXTINF:1,\n#EXT-X-BYTERANGE:10@50000000000\na.ts",
        "#EXT-X-MAP:URI=\"i.mp4\",BYTERANGE=\"10@50000000000\"\n#EXTINF:1,\na.m4s",
    ])
    func `a range far behind the end ends with the bytes that are received`(lines: String)
        async throws
    {
        let server = endless(100_000)
        let loader = loader(server, most: 100_000)
        let playlist = try await loader.playlist(.hls, list(lines), for: nil)
        let resource =
            try playlist.map(of: 0).map { try playlist.map($0).resource }
            ?? playlist.resource(of: 0).resource
        let error = await failure { () async throws(StreamError) in
            _ = try await loader.bytes(resource, nil, from: playlist.base)
        }
        #expect(error?.code == .tooLarge && error?.message.contains("100000 bytes") == true)
        #expect((100_000...101_000).contains(loader.bytesRead))
        // What was received for nothing counts.
        let again = await failure { () async throws(StreamError) in
            _ = try await loader.bytes(resource, nil, from: playlist.base)
        }
        #expect(again?.code == .tooLarge && loader.bytesRead <= 102_000)
    }

    @Test func `an index that begins far behind the end ends, too`() async {
        let manifest = """
            <MPD mediaPresentationDuration='PT1S'><Period><AdaptationSet mimeType='video/mp4'>
            <Representation><BaseURL>a.mp4</BaseURL><SegmentBase indexRange='50000000000-50000000099'/>
            </Representation></AdaptationSet></Period></MPD>
            """
        let loader = loader(endless(100_000), "http://example.org/l.mpd", most: 100_000)
        let error = await failure { () async throws(StreamError) in
            _ = try await loader.playlist(.dash, Array(manifest.utf8), for: nil)
        }
        #expect(error?.code == .tooLarge && loader.bytesRead <= 101_000)
    }

    @Test func `a server without ranges is read up to the range`() async throws {
        let server = ScriptedLoader { _ in .init([[0, 1, 2], [3, 4], [5, 6, 7]]) }
        let loader = loader(server, most: 100)
        let lines = "#EXTINF:1,\n#EXT-X-BYTERANGE:3@2\na.ts"
        let playlist = try await loader.playlist(.hls, list(lines), for: nil)
        let resource = try playlist.resource(of: 0).resource
        #expect(try await loader.bytes(resource, nil, from: playlist.base) == [2, 3, 4])
        #expect(loader.bytesRead == 5)
    }

    // MARK: - Public and private

    @Test(
        arguments: [
            ("http://a.test/l", "http://a.test/l", true, "a.test"),
            ("http://a.test/l", "http://a.test/l", false, ""),
            // The user named it, and it redirected.
            ("http://a.test/l", "http://b.test/l", true, "a.test"),
            ("http://a.test/l", "http://b.test/l", false, ""),
            // An address and a name that always mean this machine.
            ("http://127.0.0.1/l", "http://127.0.0.1/l", false, "127.0.0.1"),
            ("http://[::1]/l", "http://[::1]/l", false, "::1"),
            ("http://localhost:80/l", "http://localhost:80/l", false, "localhost"),
            ("http://127.0.0.1/l", "http://b.test/l", false, ""),
            ("http://93.184.216.34/l", "http://93.184.216.34/l", false, ""),
        ] as [(String, String, Bool, String)])
    func `only a playlist of a private network trusts its host`(
        named: String, came: String, isPrivate: Bool, host: String
    ) {
        let base = StreamBase(address(came), namedAs: address(named), isPrivate: isPrivate)
        #expect(base.trustedHost.trimmingBrackets == host)
        #expect(base.moved(to: address("http://c.test/")).trustedHost.trimmingBrackets == host)
    }

    @Test func `a public playlist that a private one names trusts no host`() async throws {
        let server = ScriptedLoader { request in
            let url = request.url
            let isPublic = url.host() == "b.test"
            var head = ResponseHead(url: url, origin: .network)
            head.isPrivate = !isPublic
            return .init(
                [
                    Array(
                        "#EXTM3U\n#EXT-X-VERSION:3\n#EXTINF:1,\nhttp://a.test/x.ts\n#EXT-X-ENDLIST\n"
                            .utf8)
                ], head: head)
        }
        for (host, trusted) in [("a.test", "a.test"), ("b.test", "")] {
            let loader = loader(server, "http://a.test/l.m3u8", most: nil, isPrivate: true)
            let lines = "#EXT-X-STREAM-INF:BANDWIDTH=1\nhttp://\(host)/v.m3u8"
            let playlist = try await loader.playlist(.hls, list(lines), for: nil)
            _ = try await loader.bytes(playlist.resource(of: 0).resource, nil, from: playlist.base)
            #expect(server.requests.last?.trustedHost == trusted)
        }
    }

    @Test func `what a cache has of a private network is not used for a public playlist`()
        async throws
    {
        let server = ScriptedLoader { request in
            var head = ResponseHead(url: request.url, origin: .store)
            head.isPrivate = request.policy != .reload
            return .init([request.policy == .reload ? [2] : [1]], head: head)
        }
        for (isPrivate, bytes) in [(true, [1]), (false, [2])] as [(Bool, [UInt8])] {
            let loader = loader(server, "http://a.test/l.m3u8", most: nil, isPrivate: isPrivate)
            let playlist = try await loader.playlist(
                .hls, list("#EXTINF:1,\nhttp://a.test/x.ts"), for: nil)
            let resource = try playlist.resource(of: 0).resource
            #expect(try await loader.bytes(resource, nil, from: playlist.base) == bytes)
        }
    }

    // MARK: - Files

    @Test func `a file that became a link to the outside is not read`() async throws {
        mkdir(scratch.path("in"), 0o700)
        scratch.write([1, 2, 3], "in/a.ts")
        scratch.write([4, 5, 6], "outside.ts")
        let url = "file://" + scratch.path("in/l.m3u8")
        let loader = loader(LocalLoader(next: endless(1)), url, most: nil)
        let playlist = try await loader.playlist(.hls, list("#EXTINF:1,\na.ts"), for: nil)
        let resource = try playlist.resource(of: 0).resource
        #expect(playlist.isLocal)
        #expect(try await loader.bytes(resource, nil, from: playlist.base) == [1, 2, 3])
        unlink(scratch.path("in/a.ts"))
        symlink("../outside.ts", scratch.path("in/a.ts"))
        await #expect(throws: StreamError.self) {
            _ = try await loader.bytes(resource, nil, from: playlist.base)
        }
    }
}

extension String {
    fileprivate var trimmingBrackets: String { replacing("[", with: "").replacing("]", with: "") }
}
