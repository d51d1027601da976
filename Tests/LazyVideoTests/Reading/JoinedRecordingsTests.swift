import LazyMedia
import Support
import Testing

@testable import LazyVideo

/// Recordings that were joined byte by byte play one after the other.
@Suite(.ownThreads) struct JoinedRecordingsTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let arguments: String
        let name: String
    }

    static let rows = [
        Row(
            testDescription: "WebM", arguments: "-c:v libvpx -b:v 200k -g 10", name: "a.webm"),
        Row(
            testDescription: "WebM of one group each", arguments: "-c:v libvpx -b:v 200k -g 99",
            name: "a.webm"),
        Row(
            testDescription: "WebM without a size", arguments: "-c:v libvpx -g 10 -live 1",
            name: "a.webm"),
        Row(
            testDescription: "Matroska with B-frames", arguments: "-c:v libx264 -bf 2 -g 10",
            name: "a.mkv"),
        Row(testDescription: "FLV", arguments: "-c:v flv1 -g 10", name: "a.flv"),
        Row(
            testDescription: "FLV with B-frames", arguments: "-c:v libx264 -bf 2 -g 10",
            name: "a.flv"),
        Row(testDescription: "Ogg", arguments: "-c:v libtheora -g 10", name: "a.ogv"),
        Row(
            testDescription: "fragmented MP4",
            arguments:
                "-c:v libx264 -bf 2 -g 5 -movflags frag_keyframe+empty_moov+default_base_moof",
            name: "a.mp4"),
        Row(
            testDescription: "fragmented MP4 of one group each",
            arguments: "-c:v mpeg4 -g 99 -movflags frag_keyframe+empty_moov+default_base_moof",
            name: "a.mp4"),
        Row(testDescription: "NUT", arguments: "-c:v mpeg4 -g 10", name: "a.nut"),
        Row(
            testDescription: "NUT with B-frames", arguments: "-c:v libx264 -bf 2 -g 10",
            name: "a.nut"),
        Row(testDescription: "MPEG-TS", arguments: "-c:v libx264 -bf 2 -g 10", name: "a.ts"),
    ]

    /// Parts of 1.5 s, ten pictures a second, each with other colors.
    private static func parts(_ row: Row, _ scratch: Scratch) -> [[UInt8]] {
        ["", ",negate", ",hflip"].enumerated().map { number, filter in
            let name = "\(number)-\(row.name)"
            _ = Peer.output(
                of:
                    "ffmpeg -v error -y -f lavfi -i testsrc2=s=96x64:r=10:d=1.5\(filter) -pix_fmt yuv420p"
                    + " \(row.arguments) \(scratch.path(name)) </dev/null 2>&1")
            return scratch[name]
        }
    }

    @Test(.needs("ffmpeg"), arguments: rows)
    func `times continue those of the part before`(row: Row) async throws {
        let scratch = Scratch()
        let parts = Self.parts(row, scratch)
        let own = try parts.map { try frames(of: opened(MemoryBytes($0))) }
        try #require(own.map(\.count) == [15, 15, 15])
        let joined = Array(parts.joined())
        let media = try opened(MemoryBytes(joined))
        let read = try frames(of: media)
        #expect(read.count == 45)
        for (number, frame) in read.enumerated() {
            let time = Duration.milliseconds(100) * number
            let distance = frame.timing.presentation.duration - time
            #expect(abs(distance / .milliseconds(1)) < 1.5, "\(number)")
        }
        #expect(read.map(\.bitmap) == own.joined().map(\.bitmap))
        let index = try opened(MemoryBytes(joined)).frameIndex(CancellationFlag())
        #expect(index.timings.map(\.presentation) == read.map(\.timing.presentation))
        let info = try await FrameSequence(opened(MemoryBytes(joined))).detailedInfo()
        #expect(info.frameCount == 45 && info.duration == index.duration)
        #expect(info.warnings.map(\.code) == [.clockJump])
        for number in [44, 29, 3, 16, 15, 14, 28, 31] {
            for isSingle in [true, false] {
                let reader = try media.makeReader(ReaderOptions(isSingleFrame: isSingle))
                try reader.seek(toTime: .milliseconds(100 * number + 50))
                let frame = try #require(try reader.nextFrame())
                #expect(frame.bitmap == read[number].bitmap, "\(number)")
                #expect(
                    frame.timing.presentation == read[number].timing.presentation, "\(number)")
            }
        }
    }

    /// What a second header says is read by nobody.
    @Test(
        .needs("ffmpeg"),
        arguments: ["-movflags frag_keyframe+empty_moov -g 5", "-movflags +faststart", ""])
    func `another movie behind a movie is told of`(flags: String) throws {
        let scratch = Scratch()
        let row = Row(testDescription: "", arguments: "-c:v mpeg4 \(flags)", name: "a.mp4")
        let parts = Self.parts(row, scratch)
        _ = Peer.output(
            of: "ffmpeg -v error -y -f lavfi -i testsrc2=s=64x48:r=10:d=1 -c:v mjpeg \(flags)"
                + " \(scratch.path("b.mp4")) </dev/null 2>&1")
        try #require(!scratch["b.mp4"].isEmpty)
        let media = try opened(MemoryBytes(parts[0] + scratch["b.mp4"]))
        #expect(media.info.warnings.map(\.code) == [.note])
        let own = try opened(MemoryBytes(parts[0]))
        #expect(own.info.warnings.isEmpty)
        #expect(try frames(of: media).map(\.bitmap) == frames(of: own).map(\.bitmap))
    }

    static let others = [
        ("libvpx", "a.webm", "mjpeg -pix_fmt yuvj420p", "b.mkv"),
        // The same codec with another header.
        ("libx264 -bf 2 -pix_fmt yuv420p", "a.mkv", "libx264 -bf 0 -pix_fmt yuv420p", "b.mkv"),
        ("wmv2", "a.wmv", "wmv2", "b.wmv"),
    ]

    @Test(.needs("ffmpeg"), arguments: others)
    func `another recording that cannot be read as one is told of`(
        row: (String, String, String, String)
    ) throws {
        let scratch = Scratch()
        for (codec, name) in [(row.0, row.1), (row.2, row.3)] {
            _ = Peer.output(
                of: "ffmpeg -v error -y -f lavfi -i testsrc2=s=64x48:r=10:d=1 -c:v \(codec)"
                    + " \(scratch.path(name)) </dev/null 2>&1")
        }
        let media = try opened(MemoryBytes(scratch[row.1] + scratch[row.3]))
        #expect(media.info.warnings.map(\.code) == [.note])
        let own = try opened(MemoryBytes(scratch[row.1]))
        #expect(own.info.warnings.isEmpty)
        #expect(try frames(of: media).map(\.bitmap) == frames(of: own).map(\.bitmap))
    }

    @Test(.needs("ffmpeg"), arguments: rows)
    func `a recording by itself has no warning`(row: Row) throws {
        let scratch = Scratch()
        for part in Self.parts(row, scratch) {
            let media = try opened(MemoryBytes(part))
            let reader = try media.makeReader(ReaderOptions())
            _ = try rest(of: reader)
            try reader.seek(toIndex: 3)
            _ = try reader.nextFrame()
            #expect(!media.info.warnings.contains { $0.code == .clockJump })
            #expect(!reader.warnings.contains { $0.code == .clockJump })
        }
    }
}
