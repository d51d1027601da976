import FoundationEssentials
import Support
import Testing

@testable import LazyLoading

/// Playlists of HLS as the specification has them.
@Suite struct HLSPlaylistTests {
    private let base = StreamBase(
        address("http://example.org/a/list.m3u8"), isPrivate: false)

    private func segments(_ lines: String...) throws(StreamError) -> ReadPlaylist {
        let text = "#EXTM3U\n" + lines.joined(separator: "\r\n")
        switch try HLSPlaylist(Array(text.utf8), base, .unlimited) {
        case .segments(let playlist): return try ReadPlaylist(playlist)
        case .variants: throw .malformed("variants")
        }
    }

    @Test func `segments have addresses and times`() throws {
        let playlist = try segments(
            "#EXT-X-TARGETDURATION:10", "#EXTINF:9.5,title, with a comma", "one.ts", "",
            "# a comment", "#EXTINF:3", "../two.ts?x=1", "#EXTINF:0.25,",
            "http://cdn.example.org/3",
            "#EXT-X-ENDLIST")
        #expect(
            playlist.segments.map(\.resource.url.absoluteString) == [
                "http://example.org/a/one.ts", "http://example.org/two.ts?x=1",
                "http://cdn.example.org/3",
            ])
        #expect(playlist.segments.map(\.start) == [.zero, .seconds(9.5), .seconds(12.5)])
        #expect(playlist.all.duration == .seconds(12.75) && !playlist.all.isLive)
        #expect(playlist.segments.map(\.run) == [0, 0, 0])
    }

    @Test func `a range without an offset follows the one before it`() throws {
        let playlist = try segments(
            "#EXTINF:1,", "#EXT-X-BYTERANGE:100@50", "a.ts", "#EXTINF:1,", "#EXT-X-BYTERANGE:10",
            "a.ts", "#EXTINF:1,", "#EXT-X-BYTERANGE:5@0", "b.ts", "#EXTINF:1,",
            "#EXT-X-BYTERANGE:7", "a.ts")
        #expect(playlist.segments.map(\.resource.range) == [50..<150, 150..<160, 0..<5, 160..<167])
        #expect(playlist.all.isLive)
    }

    @Test func `a map holds until the next one, which begins a run`() throws {
        let playlist = try segments(
            "#EXT-X-MAP:URI=\"i.mp4\",BYTERANGE=\"20@4\"", "#EXTINF:1,", "a", "#EXTINF:1,", "b",
            "#EXT-X-MAP:URI=\"j.mp4\"", "#EXTINF:1,", "c", "#EXT-X-DISCONTINUITY", "#EXTINF:1,", "d"
        )
        let maps = playlist.segments.map(\.map?.resource)
        #expect(maps[0]?.range == 4..<24 && maps[0] == maps[1])
        #expect(maps[2]?.url.lastPathComponent == "j.mp4" && maps[3] == maps[2])
        #expect(playlist.segments.map(\.run) == [0, 0, 1, 2])
    }

    @Test func `the vector of a key is the number of the segment`() throws {
        let playlist = try segments(
            "#EXT-X-MEDIA-SEQUENCE:258", "#EXT-X-KEY:METHOD=AES-128,URI=\"k?a=1,2\"", "#EXTINF:1,",
            "a", "#EXTINF:1,", "b", "#EXT-X-KEY:METHOD=AES-128,URI=\"k2\",IV=0x0A", "#EXTINF:1,",
            "c", "#EXT-X-KEY:METHOD=NONE", "#EXTINF:1,", "d")
        let key = address("http://example.org/a/k?a=1,2")
        let zeros = [UInt8](repeating: 0, count: 14)
        #expect(playlist.segments[0].key == .aes128(key, vector: zeros + [1, 2]))
        #expect(playlist.segments[1].key == .aes128(key, vector: zeros + [1, 3]))
        #expect(
            playlist.segments[2].key
                == .aes128(address("http://example.org/a/k2"), vector: zeros + [0, 10]))
        #expect(playlist.segments[3].key == nil)
    }

    @Test func `the plain one of several keys is taken`() throws {
        let drm = "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"x\",KEYFORMAT=\"com.microsoft.playready\""
        let plain = "#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=0x1"
        for keys in [[drm, plain], [plain, drm]] {
            let playlist = try segments(keys[0], keys[1], "#EXTINF:1,", "a")
            guard case .aes128? = playlist.segments[0].key else {
                Issue.record("\(keys)")
                continue
            }
        }
        let protected = try segments(plain, "#EXTINF:1,", "a", drm, "#EXTINF:1,", "b")
        #expect(protected.segments[1].key == .protected("PlayReady"))
    }

    @Test func `a missing segment leaves its time`() throws {
        let playlist = try segments(
            "#EXTINF:1,", "a", "#EXT-X-GAP", "#EXTINF:5,", "b", "#EXTINF:1,", "c")
        #expect(playlist.segments.map(\.start) == [.zero, .seconds(6)])
        #expect(playlist.segments.map(\.run) == [0, 0])
        #expect(playlist.all.segment(at: .seconds(5)) == 0)
        #expect(playlist.all.segment(at: .seconds(6)) == 1)
    }

    @Test func `variants have sizes and sounds have no pictures`() throws {
        let text = """
            #EXTM3U
            #EXT-X-STREAM-INF:BANDWIDTH=100,CODECS="avc1.4d, mp4a.40.2",RESOLUTION=640x360,NAME="a,b"
            low.m3u8
            #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI="i.m3u8"
            #EXT-X-STREAM-INF:CODECS="mp4a.40.2",BANDWIDTH=5
            sound.m3u8
            """
        guard case .variants(let main) = try HLSPlaylist(Array(text.utf8), base, .unlimited) else {
            Issue.record("no variants")
            return
        }
        let variants = main.variants
        #expect(
            try variants.map { try main.address(of: $0).lastPathComponent } == [
                "low.m3u8", "sound.m3u8",
            ])
        #expect(variants.map(\.bandwidth) == [100, 5])
        #expect(variants[0].size?.width == 640 && variants[0].size?.height == 360)
        #expect(variants.map(\.hasVideo) == [true, false])
    }

    @Test func `the best variant is the smallest that suffices`() {
        let sizes = [(640, 360), (1920, 1080), (320, 180), (640, 360)]
        let variants = sizes.enumerated().map { place, size in
            StreamVariant(
                size: (size.0, size.1), bandwidth: place + 1, place: place)
        }
        func best(_ width: Int?) -> Int? {
            guard let width else {
                return StreamVariant.ordered(variants, for: nil).first?.bandwidth
            }
            let ordered = StreamVariant.ordered(variants) { size in size.width >= width }
            #expect(ordered.count == 4)
            let best = StreamVariant.best(of: variants) { size in size.width >= width }
            #expect(best?.bandwidth == ordered.first?.bandwidth)
            return ordered.first?.bandwidth
        }
        #expect(best(nil) == 2 && best(100) == 3 && best(320) == 3)
        #expect(best(321) == 4 && best(641) == 2 && best(5000) == 2)
    }

    @Test(arguments: [
        "#EXTINF:1e99,\na", "#EXTINF:x,\na", "a", "#EXT-X-MEDIA-SEQUENCE:-1",
        "#EXTINF:1,\n#EXT-X-BYTERANGE:5\na", "#EXT-X-KEY:METHOD=AES-128\n#EXTINF:1,\na",
        "#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=12\n#EXTINF:1,\na", "#EXT-X-MAP:X=1\n#EXTINF:1,\na",
        "#EXTINF:1,\nfile:///etc/passwd", "#EXTINF:1,\nftp://example.org/a",
        "#EXTINF:1,\nhttp://", "#EXT-X-ENDLIST",
    ])
    func `what violates the format is refused`(text: String) {
        #expect(throws: StreamError.self) { _ = try segments(text) }
    }

    @Test func `variables are replaced in addresses and attributes`() throws {
        let base = StreamBase(
            address("http://example.org/main.m3u8?token=a%26b&x=1"), isPrivate: false)
        let main = """
            #EXTM3U
            #EXT-X-DEFINE:NAME="host",VALUE="http://cdn.example.org"
            #EXT-X-DEFINE:NAME="odd",VALUE="{$host}"
            #EXT-X-DEFINE:QUERYPARAM="token"
            #EXT-X-STREAM-INF:BANDWIDTH=100
            {$host}/{$token}/list.m3u8?{$odd
            """
        guard case .variants(let found) = try HLSPlaylist(Array(main.utf8), base, .unlimited) else {
            Issue.record("no variants")
            return
        }
        let url = try found.address(of: found.variants[0])
        #expect(url.absoluteString == "http://cdn.example.org/a&b/list.m3u8?%7B$odd")
        let list = """
            #EXTM3U
            #EXT-X-DEFINE:IMPORT="host"
            #EXT-X-DEFINE:NAME="v",VALUE="0a"
            #EXT-X-KEY:METHOD=AES-128,URI="{$host}/key",IV=0x{$v}
            #EXT-X-MAP:URI="{$v}.mp4"
            #EXTINF:1,
            {$v}/1.m4s
            """
        let media = try HLSPlaylist(
            Array(list.utf8), base, importing: found.names.variables, .unlimited)
        guard case .segments(let segments) = media else {
            Issue.record("no segments")
            return
        }
        let segment = try ReadPlaylist(segments).segments[0]
        #expect(segment.resource.url.absoluteString == "http://example.org/0a/1.m4s")
        #expect(segment.map?.resource.url.lastPathComponent == "0a.mp4")
        let vector = [UInt8](repeating: 0, count: 15) + [10]
        #expect(segment.key == .aes128(address("http://cdn.example.org/key"), vector: vector))
    }

    @Test(arguments: [
        "#EXT-X-DEFINE:NAME=\"a\"\n#EXTINF:1,\na", "#EXT-X-DEFINE:VALUE=\"a\"\n#EXTINF:1,\na",
        "#EXT-X-DEFINE:IMPORT=\"a\"\n#EXTINF:1,\na", "#EXTINF:1,\n{$a}.ts",
        "#EXT-X-DEFINE:QUERYPARAM=\"a\"\n#EXTINF:1,\na",
        "#EXT-X-DEFINE:NAME=\"a b\",VALUE=\"c\"\n#EXTINF:1,\na",
        "#EXT-X-DEFINE:NAME=\"a\",VALUE=\"b\"\n#EXT-X-DEFINE:NAME=\"a\",VALUE=\"c\"\n#EXTINF:1,\na",
    ])
    func `a variable has one value, which is known`(text: String) {
        #expect(throws: StreamError.self) { _ = try segments(text) }
    }

    @Test(.timeLimit(.minutes(1))) func `beginnings of variables are read once`() {
        _ = try? segments("#EXTINF:1,", String(repeating: "{$", count: 1 << 17))
    }

    @Test func `values of variables do not grow without bound`() {
        let value = String(repeating: "a", count: 10_000)
        let uses = String(repeating: "{$a}", count: 20)
        #expect(throws: StreamError.self) {
            _ = try segments("#EXT-X-DEFINE:NAME=\"a\",VALUE=\"\(value)\"", "#EXTINF:1,", uses)
        }
    }

    @Test func `an encrypted playlist names nothing in the clear`() {
        let base = StreamBase(address("https://example.org/list.m3u8"), isPrivate: false)
        #expect(throws: StreamError.self) { _ = try base.address("http://example.org/a.ts") }
        #expect(throws: Never.self) { _ = try base.address("//example.org/a.ts") }
    }

    @Test func `a playlist is bounded`() {
        let text = "#EXTM3U\n" + String(repeating: "#EXTINF:1,\na\n", count: 100_001)
        #expect(throws: StreamError.self) {
            _ = try HLSPlaylist(Array(text.utf8), base, .unlimited)
        }
        let long = "#EXTM3U\n" + String(repeating: "#EXTINF:31536000,\na\n", count: 11)
        #expect(throws: StreamError.self) {
            _ = try HLSPlaylist(Array(long.utf8), base, .unlimited)
        }
    }

    @Test(
        arguments: [
            ("#EXTM3U\n#EXT-X-VERSION:3\n", StreamKind.hls),
            ("\u{FEFF}#EXTM3U\r\n#EXT-X-MEDIA", .hls),
            ("#EXTM3U\n#EXTINF:123,Song\nsong.mp3\n", nil), ("  <?xml?>\n<MPD xmlns=\"a\">", .dash),
            ("<!-- a --><MPD>", .dash), ("<MPDX>", nil), ("<html>", nil), ("", nil),
        ] as [(String, StreamKind?)])
    func `a playlist is known by its content`(text: String, kind: StreamKind?) {
        #expect(StreamKind(head: Array(text.utf8)) == kind)
    }
}
