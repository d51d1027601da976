import LazyMedia
import Support
import Testing

@testable import LazyVideo

/// Pictures of two fields against FFmpeg's filter bwdif, whose pictures are stored without loss and read as the film.
@Suite(.ownThreads) struct DeinterlacingTests {
    static let size = PixelSize(width: 176, height: 144)
    private static let top =
        "-vf rotate=a=2*t:c=gray,tinterlace=interleave_top,fieldorder=tff -pix_fmt yuv420p"
    private static let bottom =
        "-vf rotate=a=2*t:c=gray,tinterlace=interleave_bottom,fieldorder=bff -pix_fmt yuv420p"

    /// Arguments for ffmpeg, and the field that is shown first.
    static let kinds: [(arguments: String, name: String, order: FieldOrder)] = [
        ("\(top) -c:v mpeg2video -q:v 2 -flags +ildct+ilme", "a.mpg", .topFirst),
        ("\(bottom) -c:v mpeg2video -q:v 2 -flags +ildct+ilme", "a.ts", .bottomFirst),
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

    /// The frames of what bwdif makes of a film.
    private static func filtered(
        _ name: String, _ scratch: Scratch, _ options: ReaderOptions = ReaderOptions()
    ) throws -> [Frame] {
        _ = Peer.output(
            of: "ffmpeg -v error -y -i \(scratch.path(name))"
                + " -vf bwdif=mode=send_frame:deint=interlaced -fps_mode passthrough"
                + " -c:v ffv1 -level 3 \(scratch.path("bwdif.mkv")) </dev/null 2>&1")
        return try frames(of: opened(MemoryBytes(scratch["bwdif.mkv"])), options)
    }

    /// Whether two frames have the same pixels; the first ones of older versions of FFmpeg are others near the ends.
    private static func areEqual(_ ours: Frame, _ theirs: Frame) -> Bool {
        if ours.timing.index == 0, !isCurrent { return ours.bitmap.size == theirs.bitmap.size }
        return ours.bitmap == theirs.bitmap && ours.deep == theirs.deep
    }

    /// Whether FFmpeg is 7 or newer.
    private static let isCurrent: Bool = {
        let version = FFmpegLibrary.installed().first { $0.name == "libavcodec" }?.version
        return version?.split(separator: ".").first.flatMap { Int($0) } ?? 0 >= 61
    }()

    @Test(.needs("ffmpeg"), arguments: kinds.indices)
    func `Frames are those of bwdif`(number: Int) throws {
        let kind = Self.kinds[number]
        let scratch = Scratch()
        let media = try opened(MemoryBytes(Self.clip(kind.arguments, kind.name, scratch)))
        #expect(media.info.fieldOrder == kind.order)
        let ours = try frames(of: media)
        let theirs = try Self.filtered(kind.name, scratch)
        #expect(ours.count == 15)
        #expect(theirs.count == ours.count)
        for (frame, other) in zip(ours, theirs) {
            #expect(Self.areEqual(frame, other), "frame \(frame.timing.index)")
        }
        var options = ReaderOptions()
        options.deinterlaces = false
        let combed = try frames(of: media, options)
        #expect(combed.map(\.timing) == ours.map(\.timing))
        #expect(combed[7].bitmap != ours[7].bitmap)
    }

    @Test(
        .needs("ffmpeg"),
        arguments: [
            "yuv420p 176:143", "yuv420p 175:13", "yuv422p 176:144", "yuv422p 175:141",
            "yuv444p 33:67", "yuv420p10le 176:145", "yuv422p10le 176:143", "gray 175:143",
            "yuv420p 176:8",
        ], [FieldOrder.topFirst, .bottomFirst])
    func `Frames of any form are those of bwdif`(form: String, order: FieldOrder) throws {
        let parts = form.split(separator: " ")
        let (sides, fields) = order == .topFirst ? ("top", "tff") : ("bottom", "bff")
        let scratch = Scratch()
        let bytes = Self.clip(
            "-vf scale=176:146,rotate=a=2*t:c=gray,tinterlace=interleave_\(sides),fieldorder=\(fields),"
                + "format=\(parts[0]),crop=\(parts[1]):0:0:exact=1 -c:v ffv1 -level 3",
            "a.mkv", scratch)
        var options = ReaderOptions()
        (options.color, options.samples) = (.source, .sixteen)
        let media = try opened(MemoryBytes(bytes))
        let ours = try frames(of: media, options)
        let theirs = try Self.filtered("a.mkv", scratch, options)
        #expect(ours.count == 15)
        #expect(theirs.count == ours.count)
        for (frame, other) in zip(ours, theirs) {
            #expect(Self.areEqual(frame, other), "frame \(frame.timing.index)")
        }
        try Self.expectExactSeeks(media, ours, options)
    }

    /// A film of parts, 15 pictures each, of two fields or progressive.
    private static func mixed(_ parts: String, _ scratch: Scratch) -> [UInt8] {
        let codec = "-c:v mpeg2video -q:v 2"
        _ = clip("\(top) \(codec) -flags +ildct+ilme", "fields.ts", scratch)
        _ = clip("-vf rotate=a=2*t:c=gray,fps=25 -pix_fmt yuv420p \(codec)", "frames.ts", scratch)
        scratch["list.txt"] = Array(
            parts.split(separator: " ").map { "file \($0).ts\n" }.joined().utf8)
        _ = Peer.output(
            of: "ffmpeg -v error -y -f concat -safe 0 -i \(scratch.path("list.txt")) -c copy"
                + " \(scratch.path("mixed.mkv")) </dev/null 2>&1")
        return scratch["mixed.mkv"]
    }

    @Test(
        .needs("ffmpeg"),
        arguments: ["fields frames fields", "frames fields", "fields frames"])
    func `Progressive pictures between others are untouched`(parts: String) throws {
        let scratch = Scratch()
        let media = try opened(MemoryBytes(Self.mixed(parts, scratch)))
        let ours = try frames(of: media)
        // Where a sequence of other pictures begins, ffmpeg loses the last picture of the one before.
        let changes = parts.split(separator: " ").count - 1
        #expect(ours.count == 15 * (changes + 1))
        let theirs = try Self.filtered("mixed.mkv", scratch)
        #expect(theirs.count == ours.count - changes)
        // Next to a lost picture, and at the first of a sequence, bwdif has other neighbors.
        let others = (1...changes).flatMap { [15 * $0 - 2, 15 * $0] }
        for other in theirs {
            let frame = try #require(
                ours.first { $0.timing.presentation == other.timing.presentation })
            let index = frame.timing.index
            #expect(others.contains(index) || Self.areEqual(frame, other), "frame \(index)")
        }
        try Self.expectExactSeeks(media, ours)
    }

    private static func expectExactSeeks(
        _ media: any OpenedMedia, _ all: [Frame], _ options: ReaderOptions = ReaderOptions()
    ) throws {
        let reader = try media.makeReader(options)
        let places = [9, 3, 4, 0, 14, 15, 1, 12, 6, 29, 16, 30, all.count - 1]
        for wanted in places where wanted < all.count {
            try reader.seek(toIndex: wanted)
            #expect(try reader.nextFrame()?.bitmap == all[wanted].bitmap, "frame \(wanted)")
        }
        try reader.seek(toIndex: all.count)
        #expect(try reader.nextFrame() == nil)
        for wanted in [0, 5, 6, 14, 15, 29] where wanted < all.count {
            var options = options
            options.isSingleFrame = true
            let single = try media.makeReader(options)
            try single.seek(toIndex: wanted)
            #expect(try single.nextFrame()?.bitmap == all[wanted].bitmap, "frame \(wanted)")
        }
    }

    @Test(.needs("ffmpeg"), arguments: kinds.indices)
    func `Seeking yields the pixels of a sequential read`(number: Int) throws {
        let kind = Self.kinds[number]
        let media = try opened(MemoryBytes(Self.clip(kind.arguments, kind.name, Scratch())))
        let all = try frames(of: media)
        try Self.expectExactSeeks(media, all)
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

    @Test(.needs("ffmpeg")) func `A film of one picture has no combs`() throws {
        let name = "one.mkv"
        let bytes = Self.clip("\(Self.top) -frames:v 1 -c:v ffv1 -level 3", name, Scratch())
        let media = try opened(MemoryBytes(bytes))
        var options = ReaderOptions()
        options.deinterlaces = false
        let (ours, combed) = (try frames(of: media), try frames(of: media, options))
        #expect(ours.count == 1 && combed.count == 1)
        #expect(Self.combs(ours[0].bitmap) < Self.combs(combed[0].bitmap) / 2)
    }

    @Test func `Progressive pictures are untouched`() throws {
        let media = try opened("clip.mp4")
        var options = ReaderOptions()
        options.deinterlaces = false
        let plain = try frames(of: media, options)
        #expect(try frames(of: media).map(\.bitmap) == plain.map(\.bitmap))
    }
}
