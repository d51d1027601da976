import LazyMedia
import LazyVideo
import Support
import Testing

/// Films that were cut without encoding: an edit list hides the packets before the first picture.
@Suite(.ownThreads) struct CutFilmTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let arguments: String
        var name = "film.mp4"
        var sound = false
    }

    static let rows = [
        Row(testDescription: "H.264 with B-frames", arguments: "-c:v libx264 -bf 2"),
        Row(
            testDescription: "H.264 with B-frames and sound", arguments: "-c:v libx264 -bf 2",
            sound: true),
        Row(testDescription: "H.264 in MOV", arguments: "-c:v libx264 -bf 3", name: "film.mov"),
        Row(
            testDescription: "HEVC", arguments: "-c:v libx265 -x265-params log-level=none -bf 3",
            sound: true),
    ]

    /// Where the films of 4 s, ten pictures a second, are cut.
    static let cuts = [0.3, 0.55, 0.75, 1.05, 1.45, 1.6, 2.25, 2.8]

    @Test(.needs("ffmpeg"), arguments: rows)
    func `a film that was cut without encoding begins with its first shown picture`(
        row: Row
    ) async throws {
        let scratch = Scratch()
        let (film, cut) = (scratch.path(row.name), scratch.path("cut-\(row.name)"))
        let sound = row.sound ? "-f lavfi -i sine=d=4 -c:a aac" : ""
        Self.run(
            "-f lavfi -i testsrc2=s=128x64:r=10:d=4 \(sound) -pix_fmt yuv420p \(row.arguments)"
                + " -g 12 \(film)")
        let whole = try frames(of: opened(MemoryBytes(scratch[row.name])))
        try #require(whole.count == 40)
        for start in Self.cuts {
            Self.run("-ss \(start) -i \(film) -t 1 -c copy \(cut)")
            let bytes = try MemoryBytes(scratch["cut-\(row.name)"])
            let times = Self.times(of: cut)
            try #require(times.count > 2)
            let all = try frames(of: opened(bytes))
            #expect(
                all.map { Int(($0.presentationTime / .milliseconds(100)).rounded()) } == times,
                "\(start)")
            let pictures = all.map { frame in whole.firstIndex { $0.bitmap == frame.bitmap } }
            let first = try #require(pictures.first ?? nil, "\(start)")
            #expect(pictures == times.map { first + $0 - times[0] }, "\(start)")
            for choice in [PosterChoice.first, .at(.zero), .index(0), .percent(1)] {
                let poster = try await FrameSequence(opened(bytes)).poster(choice)
                #expect(poster.bitmap == all[0].bitmap, "\(start), \(choice)")
            }
            let index = try opened(bytes).frameIndex(CancellationFlag())
            #expect(index.count == all.count, "\(start)")
            let single = try opened(bytes).makeReader(ReaderOptions(isSingleFrame: true))
            #expect(try single.nextFrame()?.bitmap == all[0].bitmap, "\(start)")
        }
    }

    private static func run(_ arguments: String) {
        _ = Peer.output(of: "ffmpeg -v error -y \(arguments) </dev/null 2>&1")
    }

    /// When ffmpeg shows the pictures of a film, in tenths of a second.
    private static func times(of path: String) -> [Int] {
        let output = Peer.output(
            of: "ffmpeg -v error -i \(path) -map 0:v -fps_mode passthrough -f framecrc - </dev/null"
        )
        return String(decoding: output, as: UTF8.self).split(separator: "\n")
            .filter { !$0.hasPrefix("#") }
            .compactMap { line in
                let fields = line.split(separator: ",")
                return fields.count > 2 ? Int(fields[2].drop { $0 == " " }) : nil
            }
    }
}
