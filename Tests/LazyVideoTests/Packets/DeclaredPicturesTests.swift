import CFFmpeg
import LazyMedia
import Support
import Testing

@testable import LazyVideo

/// What streams of H.264 and HEVC declare they keep is counted before it is made.
@Suite(.ownThreads) struct DeclaredPicturesTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let arguments: String
        let id: AVCodecID
        var size = PixelSize(width: 192, height: 128)
        var halfBytes = 3
        let references: Int
    }

    private static let x264 = "-c:v libx264 -x264-params log-level=-1:bframes=0:ref="
    private static let x265 = "-c:v libx265 -x265-params log-level=none:bframes=0:ref="

    static let rows = [
        Row(
            testDescription: "H.264", arguments: "\(x264)3", id: AV_CODEC_ID_H264, references: 3),
        Row(
            testDescription: "H.264 with 16 references", arguments: "\(x264)16",
            id: AV_CODEC_ID_H264, references: 16),
        Row(
            testDescription: "H.264 of 10 bits in full chroma",
            arguments: "\(x264)2 -pix_fmt yuv444p10", id: AV_CODEC_ID_H264, halfBytes: 12,
            references: 2),
        Row(
            testDescription: "H.264 of fields", arguments: "\(x264)2:tff=1", id: AV_CODEC_ID_H264,
            references: 2),
        Row(
            testDescription: "HEVC", arguments: "\(x265)3", id: AV_CODEC_ID_HEVC, references: 3),
        Row(
            testDescription: "HEVC of 10 bits", arguments: "\(x265)1 -pix_fmt yuv420p10",
            id: AV_CODEC_ID_HEVC, halfBytes: 6, references: 1),
    ]

    private static func stream(_ arguments: String, size: String = "192x128") -> [UInt8] {
        Peer.output(
            of: "ffmpeg -v error -f lavfi -i testsrc2=s=\(size):r=10:d=0.2 \(arguments) -f"
                + " \(arguments.contains("265") ? "hevc" : "h264") - </dev/null 2>/dev/null")
    }

    @Test(.needs("ffmpeg"), arguments: rows) func `parameter sets are read`(row: Row) throws {
        let bytes = Self.stream(row.arguments)
        let declared = try #require(
            bytes.withUnsafeBufferPointer { DeclaredPictures(packet: $0, .startCodes, row.id) })
        #expect(declared.pixels == row.size.pixelCount)
        #expect(declared.halfBytes == row.halfBytes)
        // x265 declares one picture more than it refers to where it may reorder.
        #expect((row.references...row.references + 2).contains(declared.references))
        let one = declared.pixels * declared.halfBytes / 2 + declared.pixels / 2
        #expect(
            declared.bytes(threads: 1) == one * (declared.references + 1) + declared.pixels * 5 / 4)
        #expect(declared.threads(8, within: 0) == 1)
        #expect(declared.threads(8, within: .max) == 8)
        #expect(declared.threads(8, within: declared.bytes(threads: 3)) == 3)
    }

    @Test func `bytes that are damaged declare nothing, or a number`() {
        var numbers = SplitMix(3)
        for _ in 0..<2000 {
            let unit = (0..<60).map { _ in UInt8(truncatingIfNeeded: numbers.next()) }
            for (id, head) in [
                (AV_CODEC_ID_H264, [0, 0, 1, 0x67] as [UInt8]),
                (AV_CODEC_ID_HEVC, [0, 0, 1, 0x42, 1]),
            ] {
                let declared = (head + unit).withUnsafeBufferPointer {
                    DeclaredPictures(packet: $0, .startCodes, id)
                }
                if let declared { #expect(declared.bytes(threads: 4) > 0) }
            }
        }
    }

    @Test(.needs("ffmpeg")) func `a film that declares too much is refused before its first frame`()
        throws
    {
        let scratch = Scratch()
        for name in ["a.mp4", "a.ts", "a.mkv"] {
            _ = Peer.output(
                of: "ffmpeg -v error -y -f lavfi -i testsrc2=s=1280x704:r=10:d=0.3 \(Self.x264)16"
                    + " \(scratch.path(name)) </dev/null 2>&1")
            // Seventeen pictures of 1.8 MB; three are decoded.
            let limits = DecodingLimits(memory: 24_000_000)
            let error = #expect(throws: MediaError.self, "\(name)") {
                let media = try opened(MemoryBytes(scratch[name]), limits: limits)
                _ = try frames(of: media, ReaderOptions(limits: limits, isSingleFrame: true))
            }
            #expect(error?.excess?.limit == "memory", "\(name)")
            let wide = DecodingLimits(memory: 60_000_000)
            let media = try opened(MemoryBytes(scratch[name]), limits: wide)
            #expect(try frames(of: media, ReaderOptions(limits: wide)).count == 3, "\(name)")
        }
    }

    @Test(arguments: [
        (2_000_000_000, 1_000_000_000), (800_000_000, 800_000_000), (300_000_000, 300_000_000),
        (4_000_000_000, 2_000_000_000),
    ]) func `pictures of a film take half of the memory, or 800 MB`(memory: Int, most: Int) throws {
        let limits = DecodingLimits(memory: memory)
        #expect(limits.filmMemory == most)
        try limits.check(filmMemory: most)
        let error = #expect(throws: MediaError.self) { try limits.check(filmMemory: most + 1) }
        // As much as is named is enough.
        let actual = try #require(error?.excess?.actual)
        try DecodingLimits(memory: Int(actual)).check(filmMemory: most + 1)
    }
}
