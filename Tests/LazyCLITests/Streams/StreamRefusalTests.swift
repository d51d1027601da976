import Foundation
import HTTPSupport
import Support
import Testing
import ToolSupport

/// Streams that are refused: for what they name, for their encryption, and for what is wrong in them.
@Suite(.ownThreads, .needs("ffmpeg", "ffprobe")) struct StreamRefusalTests {
    private let files = StreamFiles.shared

    private func poster(_ input: String) -> Tool.Outcome {
        Tool.run(["poster", input, "--no-cache", "--json", "-o", "-"])
    }

    private func expect(
        _ outcome: Tool.Outcome, _ status: CInt, _ code: String, _ text: String = "",
        at place: SourceLocation = #_sourceLocation
    ) {
        #expect(outcome.status == status, "\(outcome.errors)", sourceLocation: place)
        #expect(
            outcome.errors.contains("\"code\": \"\(code)\""), "\(outcome.errors)",
            sourceLocation: place)
        #expect(outcome.errors.contains(text), "\(outcome.errors)", sourceLocation: place)
    }

    private func list(_ segment: String, _ tags: [String] = []) -> String {
        StreamFiles.playlist(tags + ["#EXTINF:1,", segment])
    }

    /// A server of one playlist, and of what a closure answers.
    private func server(
        _ playlist: @escaping @Sendable () -> String,
        _ other: @escaping @Sendable (ScriptedServer.Request) -> ScriptedServer.Response = { _ in
            .answer(404)
        }
    ) throws -> ScriptedServer {
        try ScriptedServer { request in
            request.path == "/list.m3u8"
                ? .serve(Array(playlist().utf8), to: request) : other(request)
        }
    }

    @Test func `a playlist from the network names no files`() throws {
        let path = files.scratch.path("ts0.ts")
        let list = list("file://" + path)
        let server = try server { list }
        expect(poster(server.url("/list.m3u8").absoluteString), 65, "malformed", "names the file")
    }

    @Test func `a playlist names no other host of a private network`() throws {
        let bytes = files.scratch["ts0.ts"]
        let inner = try ScriptedServer { .serve(bytes, to: $0) }
        let address = inner.url("/ts0.ts", host: "localhost").absoluteString
        let list = list(address)
        let outer = try server { list }
        expect(poster(outer.url("/list.m3u8").absoluteString), 65, "malformed", "public Internet")
        #expect(inner.requests.isEmpty)
        // The host that the user named may be one, at every port.
        let own = self.list(inner.url("/ts0.ts").absoluteString)
        let same = try server { own }
        #expect(poster(same.url("/list.m3u8").absoluteString).status == 0)
    }

    @Test func `a segment does not redirect to a private network`() throws {
        let bytes = files.scratch["ts0.ts"]
        let inner = try ScriptedServer { .serve(bytes, to: $0) }
        let address = inner.url("/ts0.ts", host: "localhost").absoluteString
        let list = list("moved.ts")
        let outer = try server {
            list
        } _: { _ in
            .answer(302, headers: [("Location", address)])
        }
        let outcome = poster(outer.url("/list.m3u8").absoluteString)
        #expect(
            outcome.status != 0 && outcome.errors.contains("public Internet"), "\(outcome.errors)")
        #expect(inner.requests.isEmpty)
    }

    @Test func `a playlist in a file names no host of a private network`() throws {
        let bytes = files.scratch["ts0.ts"]
        let server = try ScriptedServer { .serve(bytes, to: $0) }
        let folder = files.folder([], list(server.url("/ts0.ts").absoluteString))
        expect(poster(folder.path("list.m3u8")), 65, "malformed", "public Internet")
        #expect(server.requests.isEmpty)
    }

    @Test func `a playlist in a file names files in its folder only`() {
        let outside = files.scratch.path("ts0.ts")
        let folder = files.folder(["ts0.ts"], list(outside))
        expect(poster(folder.path("list.m3u8")), 65, "malformed", "not in its folder")
        symlink(outside, folder.path("link.ts"))
        folder.write(Array(list("link.ts").utf8), "link.m3u8")
        expect(poster(folder.path("link.m3u8")), 65, "malformed", "not in its folder")
        mkfifo(folder.path("pipe.ts"), 0o600)
        folder.write(Array(list("pipe.ts").utf8), "pipe.m3u8")
        expect(poster(folder.path("pipe.m3u8")), 65, "malformed", "not a regular file")
        folder.write(Array(list("ts0.ts").utf8), "good.m3u8")
        #expect(poster(folder.path("good.m3u8")).status == 0)
    }

    @Test func `a missing segment is named`() throws {
        let folder = files.folder([], list("none.ts"))
        expect(poster(folder.path("list.m3u8")), 66, "notFound", "none.ts")
        let list = list("none.ts")
        let server = try server { list }
        expect(poster(server.url("/list.m3u8").absoluteString), 66, "status", "none.ts")
    }

    @Test(arguments: [
        ("#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"k\"", "SAMPLE-AES"),
        (
            "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"skd://k\",KEYFORMAT=\"com.apple.streamingkeydelivery\"",
            "FairPlay"
        ),
        (
            "#EXT-X-KEY:METHOD=SAMPLE-AES-CTR,URI=\"data:,k\",KEYFORMAT=\"urn:uuid:edef8ba9-79d6-4ace-a3c8-27dcd51d21ed\"",
            "Widevine"
        ),
        ("#EXT-X-KEY:METHOD=AES-128,URI=\"none.key\"", "none.key"),
        ("#EXT-X-KEY:METHOD=AES-128,URI=\"list.m3u8\"", "no key"),
    ])
    func `a stream without a key is encrypted`(tag: String, name: String) {
        let folder = files.folder(["ts0.ts"], list("ts0.ts", [tag]))
        expect(poster(folder.path("list.m3u8")), 65, "encrypted", name)
    }

    @Test func `a manifest with protected content is encrypted`() {
        let folder = Scratch()
        let text = String(decoding: files.scratch["numbers.mpd"], as: UTF8.self)
        let protected = text.replacingOccurrences(
            of: "<Representation",
            with: """
                <ContentProtection schemeIdUri="urn:mpeg:dash:mp4protection:2011" value="cenc"/>
                <ContentProtection schemeIdUri="urn:uuid:EDEF8BA9-79D6-4ACE-A3C8-27DCD51D21ED"/>
                <Representation
                """)
        folder.write(Array(protected.utf8), "list.mpd")
        expect(poster(folder.path("list.mpd")), 65, "encrypted", "Widevine")
    }

    @Test func `another key is told from a good one`() {
        let folder = files.folder(
            ["e0.ts"],
            list(
                "e0.ts",
                ["#EXT-X-KEY:METHOD=AES-128,URI=\"key\",IV=0x\(String(repeating: "0", count: 32))"])
        )
        folder.write(Array(repeating: 7, count: 16), "key")
        expect(poster(folder.path("list.m3u8")), 65, "malformed", "cannot be decrypted")
    }

    @Test(arguments: [
        "#EXTM3U\n#EXT-X-VERSION:3\n", "#EXTM3U\n#EXT-X-VERSION:3\nts0.ts\n",
        "#EXTM3U\n#EXT-X-VERSION:3\n#EXTINF:nan,\nts0.ts\n",
        "#EXTM3U\n#EXT-X-VERSION:3\n#EXTINF:-1,\nts0.ts\n",
        "#EXTM3U\n#EXT-X-VERSION:3\n#EXTINF:1,\n#EXT-X-BYTERANGE:9223372036854775807@1\nts0.ts\n",
        "#EXTM3U\n#EXT-X-VERSION:3\n#EXTINF:1,\n#EXT-X-BYTERANGE:10\nts0.ts\n",
        "#EXTM3U\n#EXT-X-VERSION:3\n#EXTINF:1,\n#EXT-X-BYTERANGE:10@900000\nts0.ts\n",
        "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nlist.m3u8\n",
        "#EXTM3U\n#EXT-X-VERSION:3\n#EXTINF:1,\nlist.m3u8\n",
        "<MPD", "<MPD></MPD>", "<MPD><Period></MPD>",
        "<MPD><Period><AdaptationSet mimeType=\"video/mp4\"><SegmentTemplate media=\"$Number%999d$\" duration=\"1\"/><Representation/></AdaptationSet></Period></MPD>",
        "<MPD mediaPresentationDuration=\"PT1H\"><Period><AdaptationSet mimeType=\"video/mp4\"><SegmentTemplate media=\"$Number$\" duration=\"1\" timescale=\"4294967296\"/><Representation/></AdaptationSet></Period></MPD>",
        "<MPD><Period><AdaptationSet mimeType=\"video/mp4\"><SegmentTemplate media=\"$Time$\"><SegmentTimeline><S d=\"1\" r=\"99999999999\"/></SegmentTimeline></SegmentTemplate><Representation/></AdaptationSet></Period></MPD>",
    ])
    func `a wrong playlist is one sentence`(text: String) {
        let folder = files.folder(["ts0.ts"], text)
        let outcome = Tool.run(["poster", folder.path("list.m3u8"), "-o", "-"])
        #expect([65, 66, 74].contains(outcome.status), "\(outcome.errors)")
        #expect(outcome.errors.split(separator: "\n").count <= 2, "\(outcome.errors)")
    }

    @Test func `the bytes of segments are limited`() throws {
        let server = try files.server()
        let scratch = Scratch()
        let outcome = Tool.run([
            "convert", server.url("/ts.m3u8").absoluteString, "--no-cache", "--max-download", "30K",
            "-o", scratch.path("a.gif"),
        ])
        #expect(outcome.status != 0)
        #expect(outcome.errors.contains("segments of the stream are larger"), "\(outcome.errors)")
        #expect(outcome.errors.contains("--max-download"), "\(outcome.errors)")
    }
}
