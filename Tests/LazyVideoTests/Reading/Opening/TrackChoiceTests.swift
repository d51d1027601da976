import LazyMedia
import LazyVideo
import Support
import Testing

/// Which of several video tracks is read: as in Chromium and ffmpeg, not always the one with the most pixels.
@Suite(.ownThreads) struct TrackChoiceTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// What ffmpeg needs for two tracks: the film of 96x64, and another one of 192x128.
        let arguments: String
        let name: String
        /// The number of the film among the tracks.
        var number = 1
    }

    private static let film = "-f lavfi -i testsrc2=s=96x64:r=10:d=3"
    private static let other = "-f lavfi -i color=red:s=192x128:r=10:d=3"
    private static let picture = "-f lavfi -i color=red:s=192x128:r=10:d=0.1"
    private static let vp8 = "-c:v libvpx -b:v 200k -g 10"

    static let rows = [
        Row(
            testDescription: "a preview picture beside the default track of WebM",
            arguments: "\(film) \(picture) -map 0 -map 1 \(vp8) -disposition:v:0 default"
                + " -disposition:v:1 0", name: "a.webm"),
        Row(
            testDescription: "a preview picture with the same flags",
            arguments: "\(film) \(picture) -map 0 -map 1 \(vp8) -disposition:v:0 default"
                + " -disposition:v:1 default", name: "b.mkv"),
        Row(
            testDescription: "a picture before the film in MP4",
            arguments: "\(picture) \(film) -map 0 -map 1 -c:v libx264 -disposition:v:0 default"
                + " -disposition:v:1 default", name: "c.mp4", number: 2),
        Row(
            testDescription: "a larger track of MP4 that is not enabled",
            arguments: "\(other) \(film) -map 0 -map 1 -c:v libx264 -disposition:v:0 0"
                + " -disposition:v:1 default", name: "d.mp4", number: 2),
        // Their lengths are those of the clock: two frames and more, and of a pipe 2³⁰.
        Row(
            testDescription: "a picture beside the film in AVI",
            arguments: "\(film) \(picture) -f lavfi -i sine=d=3 -map 0 -map 1:v -map 2"
                + " -c:v mpeg4 -frames:v:1 1 -r:v:1 25", name: "e.avi"),
        Row(
            testDescription: "a picture before the film in AVI of a pipe",
            arguments: "\(picture) \(film) -f lavfi -i sine=d=3 -map 0 -map 1 -map 2"
                + " -c:v mpeg4 -f avi - >", name: "f.avi", number: 2),
    ]

    private static func file(_ row: Row, _ scratch: Scratch) throws -> FileBytes {
        _ = Peer.output(
            of: "ffmpeg -v error -y \(row.arguments) \(scratch.path(row.name)) </dev/null 2>&1")
        return try FileBytes(path: scratch.path(row.name))
    }

    @Test(.needs("ffmpeg"), arguments: rows)
    func `the film is read, and each track by its number`(row: Row) throws {
        let scratch = Scratch()
        let media = try opened(try Self.file(row, scratch))
        let film = PixelSize(width: 96, height: 64)
        #expect(media.info.size == film)
        #expect(try frames(of: media).count == 30)
        let numbered = try media.videoTrack(row.number, CancellationFlag())
        #expect(numbered.info.size == film)
        let other = try media.videoTrack(3 - row.number, CancellationFlag())
        #expect(other.info.size == PixelSize(width: 192, height: 128))
        #expect(try frames(of: other).first?.bitmap.size == other.info.size)
        for number in [3, 9] {
            let error = #expect(throws: MediaError.self) {
                try media.videoTrack(number, CancellationFlag())
            }
            #expect(error?.code == .trackNotFound)
            #expect(error?.message.contains("2 video tracks") == true)
        }
    }

    @Test(.needs("ffmpeg")) func `of tracks that are alike the largest is read`() throws {
        let scratch = Scratch()
        for name in ["-default_mode passthrough a.mkv", "a.nut"] {
            let row = Row(
                testDescription: "",
                arguments: "\(Self.film) \(Self.other) -map 0 -map 1"
                    + " -c:v libx264 -disposition:v 0 \(name.dropLast(5))",
                name: String(name.suffix(5)).filter { $0 != " " })
            let media = try opened(try Self.file(row, scratch))
            #expect(media.info.size.width == 192, "\(name)")
        }
    }

    @Test(arguments: ["still.jpg", "sound.mp4"]) func `one track has the number 1`(
        name: String
    ) throws {
        let media = try opened(name)
        #expect(try media.videoTrack(1, CancellationFlag()).info.size == media.info.size)
        let error = #expect(throws: MediaError.self) {
            try media.videoTrack(2, CancellationFlag())
        }
        #expect(error?.message.contains("one video track") == true)
    }
}
