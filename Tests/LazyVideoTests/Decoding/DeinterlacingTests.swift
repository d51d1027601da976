import Glibc
import LazyMedia
import LazyVideo
import Support
import Testing

/// Pictures of two fields against FFmpeg's filter bwdif.
@Suite(.ownThreads) struct DeinterlacingTests {
    static let size = PixelSize(width: 176, height: 144)
    private static let top =
        "-vf rotate=a=2*t:c=gray,tinterlace=interleave_top,fieldorder=tff -pix_fmt yuv420p"
    private static let bottom =
        "-vf rotate=a=2*t:c=gray,tinterlace=interleave_bottom,fieldorder=bff -pix_fmt yuv420p"

    /// Arguments for ffmpeg, and the field that is shown first.
    static let kinds: [(arguments: String, name: String, order: FieldOrder)] = [
        ("\(top) -c:v mpeg2video -q:v 2 -flags +ildct+ilme -top 1", "a.mpg", .topFirst),
        ("\(bottom) -c:v mpeg2video -q:v 2 -flags +ildct+ilme -top 0", "a.ts", .bottomFirst),
        ("\(top) -c:v libx264 -qp 10 -g 6 -x264-params tff=1:log-level=-1", "a.mp4", .topFirst),
        ("\(bottom) -c:v libx264 -qp 10 -x264-params bff=1:log-level=-1", "a.mkv", .bottomFirst),
        (
            "\(top)10le -c:v libx264 -qp 10 -x264-params tff=1:log-level=-1", "a.mov", .topFirst
        ),
    ]

    static func clip(_ arguments: String, _ name: String, _ scratch: Scratch) -> [UInt8] {
        _ = Peer.output(
            of: "ffmpeg -v error -y -f lavfi -i testsrc2=s=176x144:r=50:d=0.6 \(arguments)"
                + " \(scratch.path(name)) </dev/null 2>&1")
        return scratch[name]
    }

    private static func filtered(_ path: String, _ filter: String) -> [[UInt8]] {
        let bytes = Peer.output(
            of: "ffmpeg -v error -i \(path) -vf \(filter) -fps_mode passthrough -f rawvideo"
                + " -pix_fmt rgba - </dev/null")
        return stride(from: 0, to: bytes.count, by: size.rgbaByteCount).map {
            Array(bytes[$0..<min(bytes.count, $0 + size.rgbaByteCount)])
        }
    }

    private static func signalToNoise(_ bitmap: Bitmap, _ theirs: [UInt8]) -> Double {
        let sum = bitmap.withBytes { ours in
            zip(ours, theirs).reduce(0) { $0 + (Int($1.0) - Int($1.1)) * (Int($1.0) - Int($1.1)) }
        }
        guard sum > 0 else { return .infinity }
        return 10 * log10(255 * 255 * Double(theirs.count) * 3 / 4 / Double(sum))
    }

    @Test(.needs("ffmpeg"), arguments: kinds.indices)
    func `Frames are those of bwdif`(number: Int) throws {
        let kind = Self.kinds[number]
        let scratch = Scratch()
        let media = try opened(MemoryBytes(Self.clip(kind.arguments, kind.name, scratch)))
        #expect(media.info.fieldOrder == kind.order)
        let theirs = Self.filtered(
            scratch.path(kind.name), "bwdif=mode=send_frame:deint=interlaced")
        let ours = try frames(of: media)
        #expect(ours.count == 15)
        #expect(theirs.count == ours.count)
        for (frame, picture) in zip(ours, theirs) {
            #expect(Self.signalToNoise(frame.bitmap, picture) >= 45, "frame \(frame.index)")
        }
        var options = ReaderOptions()
        options.deinterlaces = false
        let combed = try frames(of: media, options)
        #expect(combed.map(\.timing) == ours.map(\.timing))
        #expect(combed[7].bitmap != ours[7].bitmap)
    }

    @Test(.needs("ffmpeg"), arguments: kinds.indices)
    func `Seeking yields the pixels of a sequential read`(number: Int) throws {
        let kind = Self.kinds[number]
        let media = try opened(MemoryBytes(Self.clip(kind.arguments, kind.name, Scratch())))
        let all = try frames(of: media)
        let reader = try media.makeReader(ReaderOptions())
        for wanted in [9, 3, 4, 0, 14, 1, 12, 6] {
            try reader.seek(toIndex: wanted)
            #expect(try reader.nextFrame()?.bitmap == all[wanted].bitmap, "frame \(wanted)")
        }
        try reader.seek(toIndex: 15)
        #expect(try reader.nextFrame() == nil)
        for wanted in [0, 5, 6, 14] {
            let single = try media.makeReader(ReaderOptions(isSingleFrame: true))
            try single.seek(toIndex: wanted)
            #expect(try single.nextFrame()?.bitmap == all[wanted].bitmap, "frame \(wanted)")
        }
    }

    @Test(.needs("ffmpeg")) func `Planes are deinterlaced, too`() throws {
        let kind = Self.kinds[2]
        let media = try opened(MemoryBytes(Self.clip(kind.arguments, kind.name, Scratch())))
        let plain = try frames(of: media)
        let planar = try frames(of: media, ReaderOptions(planes: true))
        #expect(planar.allSatisfy { $0.planes != nil })
        #expect(planar.map(\.bitmap) == plain.map(\.bitmap))
    }

    @Test(.needs("ffmpeg")) func `A keyframe alone has no combs`() throws {
        let kind = Self.kinds[2]
        let scratch = Scratch()
        let media = try opened(MemoryBytes(Self.clip(kind.arguments, kind.name, scratch)))
        let reader = try media.makeReader(ReaderOptions(keyframesOnly: true))
        var options = ReaderOptions(keyframesOnly: true)
        options.deinterlaces = false
        let combed = try media.makeReader(options)
        while let ours = try reader.nextFrame(), let theirs = try combed.nextFrame() {
            #expect(ours.timing == theirs.timing)
            #expect(Self.combs(ours.bitmap) < Self.combs(theirs.bitmap) / 2)
        }
    }

    /// How much each line differs from both of its neighbors in the same direction.
    private static func combs(_ bitmap: Bitmap) -> Int {
        var sum = 0
        for y in 1..<size.height - 1 {
            for x in 0..<size.width {
                let (above, here, below) = (bitmap[x, y - 1].y, bitmap[x, y].y, bitmap[x, y + 1].y)
                let (one, other) = (Int(here) - Int(above), Int(here) - Int(below))
                if one.signum() == other.signum() { sum += min(abs(one), abs(other)) }
            }
        }
        return sum
    }

    @Test func `Progressive pictures are untouched`() throws {
        let media = try opened("clip.mp4")
        var options = ReaderOptions()
        options.deinterlaces = false
        let plain = try frames(of: media, options)
        #expect(try frames(of: media).map(\.bitmap) == plain.map(\.bitmap))
    }
}
