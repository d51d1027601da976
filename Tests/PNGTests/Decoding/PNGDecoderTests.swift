import Glibc
import LazyCodecs
import LazyMedia
import Support
import Testing

private typealias Pixel = SIMD4<UInt8>

private func gray(_ level: UInt8, _ alpha: UInt8 = 255) -> Pixel {
    Pixel(level, level, level, alpha)
}

/// A kind of PNG of 2 x 2 pixels and what it shows.
private struct Kind: CustomTestStringConvertible {
    let testDescription: String
    let depth: UInt8
    let color: UInt8
    let scanlines: [UInt8]
    let chunks: [(String, [UInt8])]
    let pixels: [Pixel]
    let hasAlpha: Bool

    init(
        _ name: String, depth: UInt8, color: UInt8, _ scanlines: [UInt8],
        chunks: [(String, [UInt8])] = [], shows pixels: [Pixel], hasAlpha: Bool = false
    ) {
        testDescription = name
        self.depth = depth
        self.color = color
        self.scanlines = scanlines
        self.chunks = chunks
        self.pixels = pixels
        self.hasAlpha = hasAlpha
    }
}

private let kinds: [Kind] = [
    Kind(
        "gray of 1 bit", depth: 1, color: 0, [0, 0b0100_0000, 0, 0b1000_0000],
        shows: [gray(0), gray(255), gray(255), gray(0)]),
    Kind(
        "gray of 2 bits", depth: 2, color: 0, [0, 0b0001_0000, 0, 0b1011_0000],
        shows: [gray(0), gray(85), gray(170), gray(255)]),
    Kind(
        "gray of 4 bits", depth: 4, color: 0, [0, 0x01, 0, 0x8F],
        shows: [gray(0), gray(17), gray(136), gray(255)]),
    Kind(
        "gray of 16 bits", depth: 16, color: 0, [0, 0, 0, 1, 2, 0, 128, 127, 255, 255],
        shows: [gray(0), gray(1), gray(128), gray(255)]),
    Kind(
        "gray with a transparent level", depth: 8, color: 0, [0, 0, 9, 0, 10, 255],
        chunks: [("tRNS", [0, 9])], shows: [gray(0), gray(9, 0), gray(10), gray(255)],
        hasAlpha: true),
    Kind(
        "gray with alpha", depth: 8, color: 4, [0, 1, 2, 3, 4, 0, 5, 6, 7, 0],
        shows: [gray(1, 2), gray(3, 4), gray(5, 6), gray(7, 0)], hasAlpha: true),
    Kind(
        "RGB", depth: 8, color: 2, [0, 1, 2, 3, 4, 5, 6, 0, 7, 8, 9, 10, 11, 12],
        shows: [
            Pixel(1, 2, 3, 255), Pixel(4, 5, 6, 255), Pixel(7, 8, 9, 255), Pixel(10, 11, 12, 255),
        ]),
    Kind(
        "RGB with a transparent color", depth: 8, color: 2,
        [0, 1, 2, 3, 4, 5, 6, 0, 7, 8, 9, 10, 11, 12], chunks: [("tRNS", [0, 4, 0, 5, 0, 6])],
        shows: [
            Pixel(1, 2, 3, 255), Pixel(4, 5, 6, 0), Pixel(7, 8, 9, 255), Pixel(10, 11, 12, 255),
        ],
        hasAlpha: true),
    Kind(
        "RGBA of 16 bits", depth: 16, color: 6, [0] + Array(0..<16) + [0] + Array(16..<32),
        shows: [
            Pixel(0, 2, 4, 6), Pixel(8, 10, 12, 14), Pixel(16, 18, 20, 22), Pixel(24, 26, 28, 30),
        ],
        hasAlpha: true),
    Kind(
        "palette of 2 bits with alpha", depth: 2, color: 3, [0, 0b0001_0000, 0, 0b1000_0000],
        chunks: [("PLTE", [1, 2, 3, 4, 5, 6, 7, 8, 9]), ("tRNS", [255, 128])],
        shows: [
            Pixel(1, 2, 3, 255), Pixel(4, 5, 6, 128), Pixel(7, 8, 9, 255), Pixel(1, 2, 3, 255),
        ],
        hasAlpha: true),
    Kind(
        "sRGB's gamma, which is left alone", depth: 8, color: 0, [0, 0, 50, 0, 100, 255],
        chunks: [("gAMA", [0, 0, 177, 143])], shows: [gray(0), gray(50), gray(100), gray(255)]),
    // Chromium 156: 43182 to 47727 are, 43181 and 47728 are not.
    Kind(
        "the lowest gamma that is sRGB's", depth: 8, color: 0, [0, 0, 50, 0, 100, 255],
        chunks: [("gAMA", [0, 0, 168, 174])], shows: [gray(0), gray(50), gray(100), gray(255)]),
    Kind(
        "a lower one, which is a power", depth: 8, color: 0, [0, 0, 50, 0, 100, 255],
        chunks: [("gAMA", [0, 0, 168, 173])], shows: [gray(0), gray(42), gray(95), gray(255)]),
    Kind(
        "the highest gamma that is sRGB's", depth: 8, color: 0, [0, 0, 50, 0, 100, 255],
        chunks: [("gAMA", [0, 0, 186, 111])], shows: [gray(0), gray(50), gray(100), gray(255)]),
    Kind(
        "a higher one, which is a power", depth: 8, color: 0, [0, 0, 50, 0, 100, 255],
        chunks: [("gAMA", [0, 0, 186, 112])], shows: [gray(0), gray(51), gray(105), gray(255)]),
    Kind(
        "the usual gamma beside chromaticities, which make it a power", depth: 8, color: 0,
        [0, 0, 50, 0, 100, 255],
        chunks: [
            ("gAMA", [0, 0, 177, 143]),
            (
                "cHRM",
                [31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000].flatMap { number in
                    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
                }
            ),
        ], shows: [gray(0), gray(46), gray(100), gray(255)]),
    Kind(
        "linear light", depth: 8, color: 0, [0, 0, 50, 0, 100, 255],
        chunks: [("gAMA", [0, 1, 134, 160])], shows: [gray(0), gray(122), gray(168), gray(255)]),
]

@Suite struct `PNG decoder` {
    @Test(arguments: kinds)
    private func `every color type and depth is decoded to straight RGBA`(_ kind: Kind) throws {
        let media = try open(
            PNGForge.png(
                width: 2, height: 2, depth: kind.depth, color: kind.color,
                scanlines: kind.scanlines, chunks: kind.chunks))
        let bitmap = try picture(media)
        #expect((0..<4).map { bitmap[$0 % 2, $0 / 2] } == kind.pixels)
        #expect(media.info.hasAlpha == kind.hasAlpha)
        #expect(bitmap.isOpaque == !kind.hasAlpha)
    }

    @Test(arguments: ["rgb8", "interlaced", "rgb16"])
    func `a ramp is the same, plain, interlaced and in 16 bits`(_ name: String) throws {
        let bitmap = try picture(try open(Media.array("still-\(name).png")))
        let ramp = try PNGForge.bitmap(64, 48) { x, y in
            SIMD4(UInt8(x * 4), UInt8(y * 5), UInt8(255 - x * 2 - y), 255)
        }
        #expect(bitmap == ramp)
    }

    @Test func `it is a sequence of one frame without a duration`() throws {
        let opened = try open(Media.array("still-rgba8.png"))
        let timings = try opened.frameIndex(CancellationFlag()).timings
        #expect(timings.count == 1 && opened.info.frameCount == 1)
        #expect(timings[0].presentation == .zero && timings[0].isKeyframe)
        #expect(opened.info.loop == .still && opened.info.type == .png)
        let reader = try opened.makeReader(ReaderOptions())
        #expect(try reader.nextFrame()?.index == 0)
        #expect(try reader.nextFrame() == nil)
        try reader.seek(toTime: .seconds(3))
        #expect(try reader.nextFrame() != nil)
        try reader.seek(toIndex: 1)
        #expect(try reader.nextFrame() == nil)
    }

    @Test func `a frame has the requested size`() throws {
        let opened = try open(Media.array("still-grey1.png"))
        let size = PixelSize(width: 8, height: 6)
        let frame = try opened.makeReader(ReaderOptions(size: size)).nextFrame()
        let bitmap = try #require(frame).bitmap
        // Each pixel is one square of the chequerboard.
        let board = try PNGForge.bitmap(8, 6) { x, y in gray((x + y) % 2 == 0 ? 0 : 255) }
        #expect(bitmap == board && bitmap.isOpaque)
    }

    @Test(arguments: [
        "grey-alpha", "grey1", "grey8", "interlaced", "keyed", "palette", "rgb16", "rgb8", "rgba8",
        "wide-gamut",
    ])
    func `a smaller picture has the averages of the whole one`(_ name: String) throws {
        let file = name == "wide-gamut" ? "wide-gamut.png" : "still-\(name).png"
        let opened = try open(Media.array(file))
        for color in [ColorOutput.sRGB(), .source] {
            var options = ReaderOptions()
            options.color = color
            let whole = try #require(try opened.makeReader(options).nextFrame()).bitmap
            for (width, height) in [(13, 7), (64, 3), (1, 1), (5, 48), (90, 11)] {
                options.size = PixelSize(width: width, height: height)
                let reader = try opened.makeReader(options)
                let small = try #require(try reader.nextFrame()).bitmap
                // Colors of 8 bits are converted after scaling, so that fewer are.
                if name == "wide-gamut", color != .source { continue }
                let wanted = try whole.scaled(to: PixelSize(width: width, height: height))
                #expect(small == wanted, "\(width) x \(height)")
                #expect(small.isOpaque == whole.isOpaque && reader.warnings.isEmpty)
            }
        }
    }

    @Test func `a small picture of 16 bits has its colors converted before they are averaged`()
        throws
    {
        let deep = try DeepBitmap(size: PixelSize(width: 40, height: 30), isOpaque: false) { rows in
            let pixels = rows.bindMemory(to: SIMD4<UInt16>.self)
            for place in pixels.indices {
                pixels[place] = SIMD4(
                    UInt16(place * 54), UInt16(65535 - place * 31), UInt16(place * 13),
                    UInt16(place * 50))
            }
        }
        var color = ColorDescription.sRGB
        color.primaries = .displayP3
        let opened = try open(
            PNGEncoder(level: .fast).encode(deep: deep, color: color) { Array($0) })
        let whole = try picture(opened)
        let size = PixelSize(width: 9, height: 7)
        let reader = try opened.makeReader(ReaderOptions(size: size))
        let small = try #require(try reader.nextFrame()).bitmap
        #expect(try small == whole.scaled(to: size))
    }

    @Test(arguments: ["still-rgb8.png", "still-rgba8.png", "still-interlaced.png"])
    func `cut at any length, a smaller picture has the rows that came`(_ name: String) throws {
        let bytes = try Media.array(name)
        let size = PixelSize(width: 12, height: 10)
        var partial = 0
        for length in stride(from: 60, to: bytes.count, by: 97) {
            let opened = try open(Array(bytes[..<length]))
            guard let whole = try? picture(opened) else { continue }
            let reader = try opened.makeReader(ReaderOptions(size: size))
            let small = try #require(try reader.nextFrame()).bitmap
            #expect(reader.warnings.map(\.code) == [.truncated] && !small.isOpaque)
            let wanted = try whole.scaled(to: size).withBytes { Array($0) }
            let found = small.withBytes { Array($0) }
            // Whether a division by alpha takes place may round a half the other way.
            #expect(zip(found, wanted).allSatisfy { abs(Int($0) - Int($1)) <= 1 }, "\(length)")
            partial += 1
        }
        #expect(partial > 3)
    }

    @Test(arguments: Media.names.filter { $0.hasPrefix("still-") && $0.hasSuffix(".png") })
    func `a file, cut at any length, is what its bytes in memory are`(_ name: String) throws {
        let bytes = try Media.array(name) + [1, 2, 3]
        let scratch = Scratch()
        func outcome(_ source: any ByteSource) -> String {
            do throws(MediaError) {
                let opened = try PNGDecoder().open(source, type: .png, limits: .web)
                let reader = try opened.makeReader(ReaderOptions())
                let frame = try reader.nextFrame()
                let pixels = frame.map { $0.bitmap.withBytes { Array($0) } }
                return "\(opened.info) \(reader.warnings) \(String(describing: pixels?.hashValue))"
            } catch {
                return "\(error)"
            }
        }
        for length in Array(0..<80) + stride(from: 80, to: bytes.count, by: 211) + [bytes.count] {
            let part = Array(bytes.prefix(length))
            let path = scratch.write(part, "a.png")
            #expect(
                try outcome(FileBytes(path: path)) == outcome(MemoryBytes(part)), "\(length)")
        }
    }

    @Test func `a small picture takes no memory for the large one`() async throws {
        let large = try PNGForge.bitmap(4000, 3000, isOpaque: true) { x, y in
            SIMD4(UInt8(x & 255), UInt8(y & 255), 9, 255)
        }
        let bytes = try PNGEncoder(level: .fast).encode(large) { Array($0) }
        await #expect(processExitsWith: .success) { [bytes = bytes as [UInt8]] in
            let before = ProcessMemory.resident
            let opened = try PNGDecoder().open(MemoryBytes(bytes), type: .png, limits: .web)
            let size = PixelSize(width: 320, height: 240)
            guard let frame = try opened.makeReader(ReaderOptions(size: size)).nextFrame(),
                frame.bitmap.size == size
            else { exit(3) }
            // The large picture takes 48 MB.
            if !Sanitizer.isLinked, ProcessMemory.peak - before > 8 << 20 { exit(4) }
        }
    }

    @Test(arguments: ["still-rgb8.png", "still-interlaced.png", "still-palette.png"])
    func `cut at any length, it gives the decoded rows or an error`(_ name: String) throws {
        let bytes = try Media.array(name)
        let whole = try picture(try open(bytes))
        var partial = 0
        for length in stride(from: 0, to: bytes.count, by: bytes.count > 2000 ? 97 : 1) {
            do throws(MediaError) {
                let opened = try open(Array(bytes[..<length]))
                #expect(opened.info.isTruncated)
                let reader = try opened.makeReader(ReaderOptions())
                guard let bitmap = try reader.nextFrame()?.bitmap else { continue }
                #expect(reader.warnings.map(\.code) == [.truncated])
                #expect(!bitmap.isOpaque && bitmap[0, 0] == whole[0, 0])
                partial += 1
            } catch {
                #expect(error.code == .truncated)
            }
        }
        #expect(partial > 0)
    }

    @Test func `rows that did not come are transparent`() throws {
        let bytes = try Media.array("still-rgb8.png")
        let bitmap = try picture(try open(Array(bytes[..<(bytes.count / 2)])))
        #expect(bitmap[10, 0] == SIMD4(40, 0, 235, 255))
        #expect(bitmap[10, 47] == .zero)
    }

    @Test func `truncated compressed data gives the decoded rows and a warning`() throws {
        let bytes = PNGForge.png(
            width: 1, height: 3, depth: 8, color: 0, scanlines: [0, 7, 0, 8])
        let opened = try open(bytes)
        #expect(!opened.info.isTruncated)
        let reader = try opened.makeReader(ReaderOptions())
        let bitmap = try #require(try reader.nextFrame()).bitmap
        #expect(bitmap[0, 1] == gray(8) && bitmap[0, 2] == .zero)
        #expect(reader.warnings.map(\.code) == [.malformed])
    }

    @Test func `any flipped byte is decoded, reported or refused`() throws {
        let bytes = try Media.array("still-palette.png")
        for position in 8..<bytes.count {
            for bit in [UInt8(1), 128] {
                var damaged = bytes
                damaged[position] ^= bit
                do throws(MediaError) {
                    _ = try open(damaged).makeReader(ReaderOptions()).nextFrame()
                } catch {
                    #expect([.malformed, .truncated, .limitExceeded].contains(error.code))
                }
            }
        }
    }

    @Test func `a wrong checksum is shown and reported`() throws {
        let good = try Media.array("still-palette.png")
        var bytes = good
        // The last byte of the checksum of IDAT, in front of IEND's twelve bytes.
        bytes[bytes.count - 13] ^= 1
        let reader = try open(bytes).makeReader(ReaderOptions())
        let bitmap = try #require(try reader.nextFrame()).bitmap
        let expected = try picture(try open(good))
        #expect(bitmap == expected)
        #expect(reader.warnings.map(\.code) == [.malformed])
    }

    @Test func `a size beyond the limit is refused before memory is asked for`() throws {
        let huge = PNGForge.png(
            width: 100_000, height: 100_000, depth: 8, color: 2, scanlines: [])
        let error = #expect(throws: MediaError.self) { _ = try open(huge) }
        #expect(error?.code == .limitExceeded && error?.excess?.limit == "pixelsPerFrame")
    }

    @Test func `cancelling ends it`() throws {
        let options = ReaderOptions()
        let reader = try open(Media.array("still-rgb8.png")).makeReader(options)
        options.cancellation.cancel()
        let error = #expect(throws: MediaError.self) { _ = try reader.nextFrame() }
        #expect(error?.code == .cancelled)
    }

    private func open(_ bytes: [UInt8]) throws(MediaError) -> any OpenedMedia {
        try PNGDecoder().open(MemoryBytes(bytes), type: .png, limits: .web)
    }

    private func picture(_ media: any OpenedMedia) throws -> Bitmap {
        try #require(try media.makeReader(ReaderOptions()).nextFrame()).bitmap
    }
}

/// Files of which libpng alone makes less than browsers do.
@Suite struct PNGOddityTests {
    private func picture(_ bytes: [UInt8]) throws -> (bitmap: Bitmap, warnings: [MediaWarning]) {
        let media = try PNGDecoder().open(MemoryBytes(bytes), type: .png, limits: .web)
        let reader = try media.makeReader(ReaderOptions())
        let bitmap = try #require(try reader.nextFrame()).bitmap
        return (bitmap, reader.warnings)
    }

    /// Noise whose rows are the second ones above them: no filter sees that, only data that refers 6 kB back.
    private static func noise() throws -> Bitmap {
        try PNGForge.bitmap(1000, 12, isOpaque: true) { x, y in
            var value = UInt32(x + 1 + y % 2 * 7919)
            for _ in 0..<3 { value = (value ^ value >> 15) &* 0x2C1B_3C6D }
            return SIMD4(
                UInt8(value >> 24), UInt8(value >> 16 & 255), UInt8(value >> 8 & 255), 255)
        }
    }

    // Written by another encoder: ours need not refer so far back.
    @Test(.needs("convert")) func `data behind a header with too small a window is read whole`()
        throws
    {
        let bitmap = try Self.noise()
        let scratch = Scratch()
        let pixels = bitmap.withBytes { Array($0) }
        scratch.write(pixels, "a.rgba")
        _ = Peer.output(
            of: """
                cd '\(scratch.path)' && convert -size 1000x12 -depth 8 rgba:a.rgba -strip \
                -define png:compression-filter=0 -define png:compression-level=9 PNG24:a.png
                """)
        var bytes = scratch["a.png"]
        let name = try #require(bytes.indices.first { bytes[$0...].starts(with: "IDAT".utf8) })
        let count = bytes[name - 4..<name].reduce(0) { $0 << 8 | Int($1) }
        // A window of 2 KiB, where rows refer to what is 6 kB before; and the check of both bytes.
        bytes[name + 4] = 0x38
        bytes[name + 5] = UInt8(31 - 0x38 * 256 % 31)
        let end = name + 4 + count
        bytes.replaceSubrange(
            end..<end + 4, with: PNGForge.be(Int(PNGForge.crc(Array(bytes[name..<end])))))
        // Else nothing refers back.
        #expect(count < 12_000)
        let (shown, warnings) = try picture(bytes)
        #expect(shown == bitmap && warnings.isEmpty, "\(warnings)")
    }

    @Test(arguments: [65_535, 65_536, 65_537, 300_000])
    func `a large text leaves the picture as it is`(size: Int) throws {
        let text = Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + [UInt8](repeating: 32, count: size)
        let rows: [UInt8] = [0, 1, 2, 3, 4, 5, 6, 0, 7, 8, 9, 10, 11, 12]
        let plain = PNGForge.png(width: 2, height: 2, depth: 8, color: 2, scanlines: rows)
        let full = PNGForge.png(
            width: 2, height: 2, depth: 8, color: 2, scanlines: rows,
            chunks: [("iTXt", text), ("tRNS", [0, 4, 0, 5, 0, 6]), ("iTXt", text), ("zTXt", text)])
        let (shown, warnings) = try picture(full)
        #expect(warnings.isEmpty, "\(warnings)")
        #expect(shown[0, 0] == SIMD4(1, 2, 3, 255) && shown[1, 0] == SIMD4(4, 5, 6, 0))
        #expect(try picture(plain).bitmap[1, 1] == shown[1, 1])
        // Cut in a text.
        for count in [size, size + 200, full.count - size] {
            #expect(throws: MediaError.self) { _ = try picture(Array(full.prefix(count))) }
        }
    }
}
