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

    @Test(.needs("ffmpeg"), arguments: ["matroska", "webm", "flv", "ogg"])
    func `what is written to a pipe has no end to miss`(format: String) throws {
        let codec = ["matroska": "mpeg4", "webm": "libvpx", "flv": "flv", "ogg": "libtheora"]
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
