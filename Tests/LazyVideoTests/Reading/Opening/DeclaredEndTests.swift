import LazyMedia
import Support
import Testing

/// Files that are cut off, as downloads and recordings are that were interrupted.
@Suite(.ownThreads) struct DeclaredEndTests {
    private static let names = ["h264.mkv", "vp9.webm", "mpeg4.avi", "h264.flv", "theora.ogv"]

    private static func warnsOfItsEnd(_ bytes: [UInt8]) throws -> Bool {
        let info = try opened(MemoryBytes(bytes)).info
        let codes = info.warnings.map(\.code)
        #expect(info.isTruncated == codes.contains(.truncated))
        return info.isTruncated
    }

    @Test(arguments: names) func `a file that is cut off says so`(name: String) throws {
        let bytes = try Media.array(name)
        #expect(try !Self.warnsOfItsEnd(bytes))
        for part in [0.7, 0.9] {
            let cut = Array(bytes[..<Int(Double(bytes.count) * part)])
            #expect(try Self.warnsOfItsEnd(cut), "\(part)")
            // While it arrives, its end is not missing.
            let arriving = PartialBytes(try MemoryBytes(cut))
            #expect(try !opened(arriving).info.isTruncated)
        }
    }

    /// How ffmpeg writes the containers that have no sample in `media/`.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let arguments: String
    }

    static let rows = [
        Row(testDescription: "a.wmv", arguments: "-c:v wmv2"),
        Row(testDescription: "a.rm", arguments: "-s 128x96 -c:v rv10"),
        Row(testDescription: "a.swf", arguments: "-c:v flv1"),
        Row(testDescription: "a.y4m", arguments: "-pix_fmt yuv422p"),
        Row(testDescription: "b.y4m", arguments: "-pix_fmt yuv420p10 -strict -1"),
        Row(testDescription: "c.y4m", arguments: "-pix_fmt gray"),
        Row(
            testDescription: "a.mp4",
            arguments: "-c:v libx264 -g 5 -movflags frag_keyframe+empty_moov"),
        Row(testDescription: "a.mxf", arguments: "-r 25 -c:v mpeg2video"),
        Row(testDescription: "a.ivf", arguments: "-c:v libvpx"),
        Row(
            testDescription: "a.obu", arguments: "-s 128x96 -g 5 -c:v libsvtav1 -svtav1-params lp=1"
        ),
        Row(
            testDescription: "a.dv", arguments: "-s 720x576 -r 25 -t 0.2 -c:v dvvideo"),
        Row(testDescription: "a.mjpeg", arguments: "-c:v mjpeg"),
        // Neither the segment nor its clusters have a size until they are over.
        Row(testDescription: "a.webm", arguments: "-c:v libvpx -live 1 -cluster_time_limit 500"),
        Row(testDescription: "a.mkv", arguments: "-c:v libx264 -live 1"),
    ]

    @Test(.needs("ffmpeg"), arguments: rows)
    func `what ffmpeg writes is whole, and says so where it is cut`(row: Row) throws {
        let scratch = Scratch()
        let name = row.testDescription
        _ = Peer.output(
            of: """
                ffmpeg -v error -y -f lavfi -i testsrc2=s=64x48:r=10:d=2 -pix_fmt yuv420p \
                \(row.arguments) \(scratch.path(name)) </dev/null 2>&1
                """)
        let bytes = scratch[name]
        try #require(!bytes.isEmpty)
        #expect(try !Self.warnsOfItsEnd(bytes))
        for part in [0.53, 0.71, 0.93] {
            let cut = Array(bytes[..<Int(Double(bytes.count) * part)])
            #expect(try Self.warnsOfItsEnd(cut), "\(part)")
            let arriving = PartialBytes(try MemoryBytes(cut))
            if let media = try? opened(arriving) { #expect(!media.info.isTruncated) }
        }
    }

    @Test(.needs("ffmpeg"), arguments: ["matroska", "webm", "flv", "ogg", "asf"])
    func `what is written to a pipe has no end to miss`(format: String) throws {
        let codec = [
            "matroska": "mpeg4", "webm": "libvpx", "flv": "flv", "ogg": "libtheora",
            "asf": "wmv2",
        ]
        let scratch = Scratch()
        _ = Peer.output(
            of: """
                ffmpeg -v error -f lavfi -i testsrc=d=1:s=64x48:r=10 -c:v \(codec[format] ?? "") \
                -f \(format) - 2>/dev/null | cat >\(scratch.path("piped"))
                """)
        let bytes = scratch["piped"]
        try #require(!bytes.isEmpty)
        #expect(try !Self.warnsOfItsEnd(bytes))
    }

    @Test func `a wrong size is no end`() throws {
        // Behind the last tag of FLV, and of the list of AVI, as some programs write them.
        var film = try Media.array("h264.flv")
        film[film.count - 1] &+= 11
        #expect(try !Self.warnsOfItsEnd(film))
        var list = try Media.array("mpeg4.avi")
        list[4] &+= 8
        #expect(try !Self.warnsOfItsEnd(list))
    }
}
