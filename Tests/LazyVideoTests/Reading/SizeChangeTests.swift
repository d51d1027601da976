import LazyMedia
import Support
import Testing

@testable import LazyVideo

/// Films whose coded size or aspect changes on the way.
@Suite(.ownThreads) struct SizeChangeTests {
    private static let codecs = [
        "mpeg1video", "mpeg2video", "mpeg2video -bf 2", "mpeg4", "mpeg4 -bf 2",
        "libx264 -x264-params log-level=-1", "libx265 -x265-params log-level=-1",
    ]

    /// Three parts of 15 pictures, the middle one of another size or aspect.
    private static func film(_ codec: String, _ other: String) -> [UInt8] {
        let scratch = Scratch()
        for (name, options) in [("a", "-vf setsar=1"), ("b", other)] {
            _ = Peer.output(
                of: "ffmpeg -v error -y -f lavfi -i testsrc2=s=176x144:r=25:d=0.6 \(options)"
                    + " -pix_fmt yuv420p -c:v \(codec) \(scratch.path("\(name).ts")) </dev/null 2>&1"
            )
        }
        scratch["list.txt"] = Array("file a.ts\nfile b.ts\nfile a.ts\n".utf8)
        _ = Peer.output(
            of: "ffmpeg -v error -y -f concat -safe 0 -i \(scratch.path("list.txt")) -c copy"
                + " \(scratch.path("film.ts")) </dev/null 2>&1")
        return scratch["film.ts"]
    }

    @Test(.needs("ffmpeg"), arguments: codecs, ["-vf scale=320:240,setsar=1", "-vf setsar=16/11"])
    func `no picture is lost, and any is found`(codec: String, other: String) throws {
        let media = try opened(MemoryBytes(Self.film(codec, other)))
        let all = try frames(of: media)
        #expect(all.count == 45)
        #expect(
            zip(all, all.dropFirst()).allSatisfy { $0.timing.presentation < $1.timing.presentation }
        )
        for isSingle in [false, true] {
            for wanted in [14, 15, 13, 30, 29, 31, 0, 44] {
                var options = ReaderOptions()
                options.isSingleFrame = isSingle
                let reader = try media.makeReader(options)
                try reader.seek(toIndex: wanted)
                #expect(try reader.nextFrame()?.bitmap == all[wanted].bitmap, "frame \(wanted)")
            }
        }
    }
}
