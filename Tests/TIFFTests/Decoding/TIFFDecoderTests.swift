import LazyMedia
import Support
import Testing

@testable import LazyCodecs

@Suite(.ownThreads) struct TIFFDecoderTests {
    /// A still of `media/`, options of ImageMagick, and options of tiffcp.
    static let kinds: [(name: String, options: String, copied: String?)] = [
        ("still-rgb8.png", "-compress none", nil), ("still-rgb8.png", "-compress LZW", nil),
        ("still-rgb8.png", "-compress Zip", nil), ("still-rgb8.png", "-compress RLE", nil),
        ("still-rgb8.png", "-compress Zip -define tiff:predictor=2", nil),
        ("still-rgb8.png", "", "-r 7 -c lzw"), ("still-rgb8.png", "", "-t -w 32 -l 16 -c zip"),
        ("still-rgb8.png", "", "-t -w 48 -l 32 -p separate"), ("still-rgb8.png", "", "-p separate"),
        ("still-rgb8.png", "", "-B"), ("still-rgb8.png", "", "-8"),
        ("still-rgb8.png", "", "-8 -B -t -w 16 -l 16"), ("still-rgb8.png", "", "-f lsb2msb"),
        ("still-rgb8.png", "", "-r 16 -c jpeg:90"), ("still-rgb8.png", "", "-r 16 -c jpeg:r:90"),
        ("still-rgb8.png", "", "-c jpeg:90 -t -w 32 -l 32"), ("still-rgb8.png", "", "-c zstd"),
        ("still-rgb16.png", "", nil), ("still-rgb16.png", "", "-B -c lzw"),
        ("still-rgb16.png", "", "-t -w 32 -l 32 -c zip"),
        ("still-rgba8.png", "", nil), ("still-rgba8.png", "-define tiff:alpha=associated", nil),
        ("still-rgba8.png", "-define tiff:alpha=unspecified", nil),
        ("still-rgba8.png", "-depth 16", nil),
        ("still-grey8.png", "", nil), ("still-grey8.png", "-depth 16", nil),
        ("still-grey8.png", "-depth 4", nil), ("still-grey8.png", "-depth 2", nil),
        ("still-grey8.png", "-define quantum:polarity=min-is-white", nil),
        ("still-grey1.png", "-type bilevel", nil),
        ("still-grey1.png", "-type bilevel -compress Fax", nil),
        ("still-grey1.png", "-type bilevel -compress Group4", nil),
        ("still-palette.png", "-alpha off -type palette", nil),
        ("still-rgb8.png", "-colors 200 -type palette", "-c lzw"),
        ("still-rgb8.png", "-colorspace CMYK", nil),
        ("still-rgb8.png", "-colorspace CMYK", "-p separate"),
        ("still-rgb8.png", "-colorspace YCbCr", nil),
    ]

    @Test(.needs("convert", "tiffcp", "tiff2rgba"), arguments: kinds)
    func `pictures are those of libtiff's tools`(
        kind: (name: String, options: String, copied: String?)
    ) throws {
        let bytes = try TIFFTool.encoded(kind.name, kind.options, copied: kind.copied)
        let media = try Decoded.media(bytes)
        let frames = try Decoded.frames(media)
        #expect(frames.count == 1)
        let bitmap = try #require(frames.first?.bitmap)
        #expect(bitmap.size == media.info.size)
        let other = try TIFFTool.picture(bytes)
        #expect(Decoded.weightedDistance(bitmap, other) < Decoded.small)
        if !media.info.hasAlpha { #expect(bitmap == other) }
    }

    @Test(.needs("convert", "tiffset", "tiff2rgba"))
    func `a fourth sample that nothing is said of is alpha, as libtiff has it`() throws {
        let scratch = Scratch()
        let path = scratch.write(
            try TIFFTool.encoded("still-rgba8.png", "-define tiff:alpha=unspecified"), "a.tif")
        _ = Peer.output(of: "tiffset -u 338 '\(path)' 2>&1")
        let bytes = scratch["a.tif"]
        let media = try Decoded.media(bytes)
        #expect(media.info.hasAlpha)
        let bitmap = try #require(try Decoded.frames(media).first?.bitmap)
        let other = try TIFFTool.picture(bytes)
        #expect(Decoded.weightedDistance(bitmap, other) < Decoded.small)
    }

    /// What libtiff's own conversion does not read, or without regard to alpha.
    static let others: [(name: String, options: String)] =
        [
            ("still-grey-alpha.png", ""), ("still-rgb8.png", "-colorspace CMYK -depth 16"),
        ]
        + [3, 5, 6, 7, 10, 12, 14].flatMap { depth in
            ["still-rgb8.png", "still-grey8.png", "still-rgba8.png"].map {
                ($0, "-depth \(depth)")
            }
        }

    @Test(.needs("convert"), arguments: others)
    func `other samples are those of ImageMagick`(kind: (name: String, options: String)) throws {
        let bytes = try TIFFTool.encoded(kind.name, kind.options)
        let media = try Decoded.media(bytes)
        if let depth = kind.options.split(separator: " ").last {
            #expect(media.info.bitDepth == Int(depth))
        }
        let scratch = Scratch()
        let other = try TIFFTool.png(of: scratch.write(bytes, "a.tif"), scratch)
        let bitmap = try #require(try Decoded.frames(media).first?.bitmap)
        #expect(Decoded.weightedDistance(bitmap, other) < Decoded.small)
    }

    @Test(.needs("convert", "tiffset"), arguments: 1...8)
    func `the orientation is applied`(tag: Int) throws {
        let plain = try TIFFTool.encoded("still-rgb8.png", "-compress none")
        let turned = try TIFFTool.encoded("still-rgb8.png", "-compress none", set: "274 \(tag)")
        let media = try Decoded.media(turned)
        let bitmap = try #require(try Decoded.frames(media).first?.bitmap)
        #expect(bitmap.size == media.info.size)
        let source = try #require(try Decoded.frames(Decoded.media(plain)).first?.bitmap)
        let (right, bottom) = (source.size.width - 1, source.size.height - 1)
        // Where the file's first pixel, and the last one of its first row, are shown (TIFF 6.0, tag 274).
        let last = (x: bitmap.size.width - 1, y: bitmap.size.height - 1)
        let places = [
            ((0, 0), (last.x, 0)), ((last.x, 0), (0, 0)), ((last.x, last.y), (0, last.y)),
            ((0, last.y), (last.x, last.y)), ((0, 0), (0, last.y)), ((last.x, 0), (last.x, last.y)),
            ((last.x, last.y), (last.x, 0)), ((0, last.y), (0, 0)),
        ]
        let (first, end) = places[tag - 1]
        #expect(bitmap.size.width == (tag > 4 ? bottom : right) + 1)
        #expect(bitmap[first.0, first.1] == source[0, 0])
        #expect(bitmap[end.0, end.1] == source[right, 0])
    }

    @Test(.needs("convert")) func `pages are frames of a second each`() throws {
        let scratch = Scratch()
        let names = ["still-rgb8.png", "still-grey8.png", "still-rgba8.png"].map(Media.path)
        let path = scratch.path("a.tif")
        _ = Peer.output(of: "convert \(names.joined(separator: " ")) \(path) 2>&1")
        let media = try Decoded.media(scratch["a.tif"])
        #expect(media.info.frameCount == 3)
        #expect(media.info.duration == .seconds(3))
        #expect(media.info.loop == .still)
        let frames = try Decoded.frames(media)
        #expect(frames.map(\.presentationTime) == [.zero, .seconds(1), .seconds(2)])
        for (page, frame) in frames.enumerated() {
            let other = try TIFFTool.png(of: path, Scratch(), page: page)
            #expect(Decoded.weightedDistance(frame.bitmap, other) < Decoded.small, "page \(page)")
        }
        let reader = try media.makeReader(ReaderOptions())
        for index in [2, 0, 1, 1] {
            try reader.seek(toIndex: index)
            #expect(try reader.nextFrame()?.bitmap == frames[index].bitmap)
        }
        let size = PixelSize(width: 20, height: 15)
        let small = try Decoded.frames(media, ReaderOptions(size: size))
        #expect(small.map(\.bitmap.size) == [size, size, size])
    }

    @Test(.needs("convert")) func `a page of another size is in the middle`() throws {
        let scratch = Scratch()
        let name = Media.path("still-rgb8.png")
        _ = Peer.output(
            of:
                "convert \(name) \\( \(name) -crop 10x8+0+0 +repage \\) \(scratch.path("a.tif"))"
        )
        let media = try Decoded.media(scratch["a.tif"])
        #expect(media.info.hasAlpha)
        let frames = try Decoded.frames(media)
        #expect(frames.map(\.bitmap.size) == [media.info.size, media.info.size])
        let last = try #require(frames.last?.bitmap)
        #expect(last[0, 0].w == 0 && last[63, 47].w == 0)
        #expect(last[27, 20] == frames[0].bitmap[0, 0])
        #expect(last[36, 27] == frames[0].bitmap[9, 7])
    }

    @Test(.needs("convert", "tiffset")) func `a smaller version is the embedded poster`()
        throws
    {
        let scratch = Scratch()
        let name = Media.path("still-rgb8.png")
        _ = Peer.output(
            of: "convert \(name) \\( \(name) -scale 16x12 \\) \(scratch.path("a.tif"))")
        _ = Peer.output(of: "tiffset -d 1 -s 254 1 \(scratch.path("a.tif"))")
        let media = try Decoded.media(scratch["a.tif"])
        #expect(media.info.frameCount == 1)
        let poster = try media.embeddedPoster(ReaderOptions())
        #expect(poster?.size == PixelSize(width: 16, height: 12))
        let whole = try Decoded.media(Media.array("still.tiff"))
        #expect(try whole.embeddedPoster(ReaderOptions()) == nil)
    }

    @Test func `a profile is applied, and kept where the file's values are asked for`() throws {
        var file = TIFFForge(width: 8, height: 8, rowsPerStrip: 2)
        let plain = try #require(try Decoded.frames(Decoded.media(file.bytes)).first?.bitmap)
        file.profile = TIFFForge.linearProfile
        let media = try Decoded.media(file.bytes)
        #expect(media.info.color.profile?.bytes == TIFFForge.linearProfile)
        let frame = try #require(try Decoded.frames(media).first)
        #expect(frame.color == .sRGB)
        // 132 / 255 of light is 190 in sRGB.
        #expect(plain[4, 5] == [132, 44, 211, 255])
        for (linear, shown) in [(132, 190), (44, 115), (211, 235)] {
            let channel = [132, 44, 211].firstIndex(of: linear) ?? 0
            #expect(abs(Int(frame.bitmap[4, 5][channel]) - shown) <= 1)
        }
        var options = ReaderOptions()
        options.color = .source
        let source = try #require(try Decoded.frames(media, options).first)
        #expect(source.bitmap == plain)
        #expect(source.color == media.info.color)
    }

    @Test func `the header is told`() throws {
        let info = try Decoded.media(Media.array("still.tiff")).info
        #expect(info.type == .tiff)
        #expect(info.size == PixelSize(width: 160, height: 96))
        #expect(info.bitDepth == 8 && info.pixelFormat == "rgb24")
        #expect(!info.hasAlpha && info.duration == .zero)
    }

    @Test func `a missing library is named with its package`() {
        let error = #expect(throws: MediaError.self) {
            try TIFFLibrary.probe("libtiff-not-there.so")
        }
        #expect(error?.message.contains(TIFFLibrary.package) == true)
        #expect(TIFFLibrary.loadedVersion?.isEmpty == false)
    }
}
