import LazyMedia
import Support
import Testing

@testable import LazyCodecs

@Suite(.ownThreads) struct JXLDecoderTests {
    /// Clips of `media/` that cjxl reads.
    static let clips = [
        "animation.png", "still-rgb8.png", "still-rgba8.png", "still-grey8.png",
        "still-grey-alpha.png", "still-palette.png", "loop-3.gif", "delays.gif", "transparent.gif",
        "local-palettes.gif", "counter.gif",
    ]

    @Test(.needs("cjxl", "djxl"), arguments: clips)
    func `lossless frames are those of djxl and of the source, to the bit`(name: String) throws {
        let bytes = try JXLTool.encoded(name)
        let frames = try Decoded.frames(Decoded.media(bytes)).map(\.bitmap)
        #expect(frames == (try JXLTool.frames(bytes)))
        // Without a duration a frame is a layer of the next one.
        let source = try JXLTool.pictures(Media.array(name)).dropFirst(name == "delays.gif" ? 1 : 0)
        #expect(frames.elementsEqual(source) { Decoded.distance($0, $1) == 0 })
    }

    @Test(
        .needs("cjxl", "djxl"),
        arguments: [
            ("still-rgb8.png", "-d 1"), ("still-rgba8.png", "-d 1"), ("still-grey8.png", "-d 1"),
            ("still-rgb16.png", "-d 0"), ("still-rgb16.png", "-d 0.5"), ("still.jpg", "-d 0"),
            ("still-orientation-6.jpg", "-d 0"), ("still-orientation-6.jpg", "-d 1 -j 0"),
            ("still.jpg", "-j 1 --container=1"), ("animation.png", "-d 2"), ("counter.gif", "-d 1"),
            ("still-rgb8.png", "-d 1 -p"), ("still-rgb8.png", "-m 1 -d 3 -R 1"),
        ])
    func `frames are those of djxl`(name: String, options: String) throws {
        let bytes = try JXLTool.encoded(name, options)
        let media = try Decoded.media(bytes)
        let frames = try Decoded.frames(media).map(\.bitmap)
        let others = try JXLTool.frames(bytes)
        #expect(frames.count == others.count)
        for (frame, other) in zip(frames, others) {
            #expect(frame.size == media.info.size)
            #expect(Decoded.distance(frame, other) < Decoded.small)
        }
        let threaded = try Decoded.frames(media, ReaderOptions(delayRule: .raw, threads: 4))
        #expect(threaded.map(\.bitmap) == frames)
    }

    @Test(.needs("cjxl"), arguments: ["counter.gif", "animation.png", "local-palettes.gif"])
    func `any order of seeks gives the same frames`(name: String) throws {
        let media = try Decoded.media(JXLTool.encoded(name, "-d 1"))
        let all = try Decoded.frames(media)
        let reader = try media.makeReader(ReaderOptions(delayRule: .raw))
        var random = SplitMix(7)
        for _ in 0..<30 {
            let wanted = Int(random.next() % UInt64(all.count))
            try reader.seek(toIndex: wanted)
            let frame = try #require(try reader.nextFrame())
            #expect(frame.index == wanted)
            #expect(frame.bitmap == all[wanted].bitmap)
        }
        try reader.seek(toTime: all[1].presentationTime + .milliseconds(1))
        #expect(try reader.nextFrame()?.index == 1)
        try reader.seek(toIndex: all.count)
        #expect(try reader.nextFrame() == nil)
    }

    @Test(arguments: [
        (1000, 1, 0), (30_000, 1001, 3), (24, 1, 1), (100, 7, 70_000), (1 << 30, 1024, 8),
    ])
    func `times have the ticks of the file, and the loop its plays`(
        number: Int, per: Int, plays: Int
    ) throws {
        var forge = JXLForge()
        (forge.ticks, forge.plays) = ((number, per), plays)
        let media = try Decoded.media(forge.replacingHeader(of: Media.array("animation.jxl")))
        #expect(media.info.type == .jpegXLAnimation)
        #expect(media.info.loop == .plays(plays))
        let frames = try Decoded.frames(media)
        #expect(frames.count == 6)
        let base = Rational(Int64(per), Int64(number))
        for frame in frames {
            #expect(frame.timing.duration.base == base)
            #expect(frame.timing.duration.ticks == 100)
            #expect(frame.timing.presentation.base == base)
            #expect(frame.timing.presentation.ticks == Int64(frame.index) * 100)
        }
        // What is shown for 10 ms or less is shown for 100 ms, exactly.
        let isShort = 100 * per * 100 <= number
        let shown = MediaTime(ticks: isShort ? 1 : 100, base: isShort ? Rational(1, 10) : base)
        let timings = try media.frameIndex(CancellationFlag()).timings
        #expect(timings.allSatisfy { $0.duration == shown })
        #expect(timings[5].presentation == MediaTime(ticks: shown.ticks * 5, base: shown.base))
    }

    @Test func `a still has no duration, and its header is told`() throws {
        let media = try Decoded.media(Media.array("still.jxl"))
        #expect(media.info.type == .jpegXL)
        #expect(media.info.size == PixelSize(width: 160, height: 96))
        #expect(media.info.frameCount == 1)
        #expect(media.info.duration == .zero)
        #expect(media.info.loop == .still)
        #expect(!media.info.hasAlpha)
        #expect(try Decoded.frames(media).first?.bitmap.barcode == 7)
    }

    @Test(.needs("cjxl")) func `frames that replace all are keyframes`() throws {
        let frames = try Decoded.frames(Decoded.media(Media.array("animation.jxl")))
        #expect(frames.map(\.isKeyframe) == Array(repeating: true, count: 6))
        let blended = try Decoded.frames(Decoded.media(JXLTool.encoded("counter.gif")))
        #expect(blended.map(\.isKeyframe) == (0..<30).map { $0 == 0 })
    }

    @Test(.needs("cjxl")) func `the header tells what the sniffer tells`() throws {
        let sniffer = FormatRegistry([.jpegXL]).sniffer
        for (name, options) in [
            ("animation.png", "-d 0"), ("animation.png", "-d 0 --container=1"),
            ("still-rgb8.png", "-d 1"), ("still-rgb8.png", "-d 1 --container=1"),
            ("still-orientation-6.jpg", "-j 1"), ("counter.gif", "-d 2"),
        ] {
            let bytes = try MemoryBytes(JXLTool.encoded(name, options))
            let media = try JXLDecoder().open(bytes, type: .jpegXL, limits: .web)
            #expect(try sniffer.type(of: bytes) == media.info.type, "\(name) \(options)")
        }
    }

    @Test func `another size is the frame scaled`() throws {
        let media = try Decoded.media(Media.array("animation.jxl"))
        let size = PixelSize(width: 31, height: 20)
        let small = try Decoded.frames(media, ReaderOptions(size: size))
        for (frame, whole) in zip(small, try Decoded.frames(media)) {
            #expect(frame.bitmap == (try whole.bitmap.scaled(to: size)))
        }
    }

    @Test func `a missing library is named with its package`() throws {
        let error = #expect(throws: MediaError.self) {
            try JXLLibrary.probe("libjxl-not-there.so")
        }
        #expect(error?.message.contains(JXLLibrary.package) == true)
        let version = try #require(JXLLibrary.loadedVersion).split(separator: ".")
        #expect(JXLLibrary.package == "libjxl\(version[0]).\(version[1])")
    }
}
