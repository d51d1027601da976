import LazyMedia
import Support
import Testing

@testable import LazyCodecs

/// What is expected was seen in Chromium 156, for the same bytes.
@Suite(.ownThreads) struct BMPDecoderTests {
    private func check(
        _ forge: BMPForge, _ expected: (_ x: Int, _ y: Int) -> SIMD4<Int>,
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        let bitmap = try #require(try Decoded.bitmap(Decoded.media(forge.bytes)))
        #expect(bitmap.size == PixelSize(width: 13, height: 7), sourceLocation: location)
        for y in 0..<7 {
            for x in 0..<13 {
                let pixel = SIMD4<Int>(truncatingIfNeeded: bitmap[x, y])
                #expect(pixel == expected(x, y), "\(x), \(y)", sourceLocation: location)
            }
        }
    }

    private func opaque(_ x: Int, _ y: Int) -> SIMD4<Int> {
        var pixel = BMPForge.pixel(x, y)
        pixel.w = 255
        return pixel
    }

    @Test(arguments: [12, 16, 40, 64, 108, 124], [false, true])
    func `24 bits are read in every header, from either end`(header: Int, isTopDown: Bool) throws {
        guard header >= 40 || !isTopDown else { return }
        var forge = BMPForge(isTopDown: isTopDown, header: header)
        if header > 64 { forge.rest = [UInt8](repeating: 0, count: 16) + little(0x7352_4742, 4) }
        forge.fill { [UInt8($0.z), UInt8($0.y), UInt8($0.x)] }
        try check(forge, opaque)
    }

    @Test(arguments: [false, true]) func `32 bits without masks are opaque`(isTopDown: Bool) throws
    {
        var forge = BMPForge(bits: 32, isTopDown: isTopDown)
        forge.fill { [UInt8($0.z), UInt8($0.y), UInt8($0.x), UInt8($0.w)] }
        try check(forge, opaque)
    }

    @Test(arguments: [(56, 3), (108, 3), (124, 3), (108, 0), (40, 6)])
    func `a mask of alpha counts even if all of it is 0`(header: Int, compression: Int) throws {
        var forge = BMPForge(bits: 32, compression: compression, header: header)
        forge.masks = [0xFF_0000, 0xFF00, 0xFF, 0xFF00_0000]
        forge.fill { [UInt8($0.z), UInt8($0.y), UInt8($0.x), UInt8($0.w)] }
        try check(forge) { BMPForge.pixel($0, $1) }
        forge.fill { [UInt8($0.z), UInt8($0.y), UInt8($0.x), 0] }
        try check(forge) { x, y in
            let pixel = BMPForge.pixel(x, y)
            return SIMD4(pixel.x, pixel.y, pixel.z, 0)
        }
    }

    @Test func `a palette is read whole where pixels begin in it`() throws {
        let colors = (0..<16).flatMap { little($0 | $0 * 2 << 8 | $0 * 3 << 16, 4) }
        var file = Array("BM".utf8) + little(118, 4) + little(0, 4) + little(54 + 32, 4)
        file += little(40, 4) + little(2, 4) + little(1, 4) + little(1, 2) + little(4, 2)
        file += [UInt8](repeating: 0, count: 24) + colors
        // The eighth color is the row: 0, then 8.
        let media = try BMPDecoder().open(MemoryBytes(file), type: .bmp, limits: .web)
        let bitmap = try #require(try Decoded.bitmap(media))
        #expect(bitmap[0, 0] == [0, 0, 0, 255] && bitmap[1, 0] == [24, 16, 8, 255])
    }

    @Test func `channels of any width become 8 bits`() throws {
        var forge = BMPForge(bits: 16)
        func five(_ value: Int) -> Int { ((value >> 3) * 255 + 15) / 31 }
        func six(_ value: Int) -> Int { ((value >> 2) * 255 + 31) / 63 }
        forge.fill { little(($0.x >> 3) << 10 | ($0.y >> 3) << 5 | $0.z >> 3, 2) }
        try check(forge) { x, y in
            let pixel = BMPForge.pixel(x, y)
            return SIMD4(five(pixel.x), five(pixel.y), five(pixel.z), 255)
        }
        (forge.compression, forge.masks) = (3, [0xF800, 0x7E0, 0x1F])
        forge.fill { little(($0.x >> 3) << 11 | ($0.y >> 2) << 5 | $0.z >> 3, 2) }
        try check(forge) { x, y in
            let pixel = BMPForge.pixel(x, y)
            return SIMD4(five(pixel.x), six(pixel.y), five(pixel.z), 255)
        }
        (forge.header, forge.masks) = (56, [0xF00, 0xF0, 0xF, 0xF000])
        forge.fill { little(($0.w >> 4) << 12 | ($0.x >> 4) << 8 | $0.y & 0xF0 | $0.z >> 4, 2) }
        try check(forge) { x, y in BMPForge.pixel(x, y) &>> 4 &* 17 }
        forge = BMPForge(bits: 32, compression: 3)
        forge.masks = [0x3FF0_0000, 0xF_FC00, 0x3FF]
        forge.fill { little($0.x << 22 | $0.y << 12 | $0.z << 2, 4) }
        try check(forge, opaque)
    }

    @Test(arguments: [1, 2, 4, 8], [false, true])
    func `indices are colors of the palette, or black`(bits: Int, isTopDown: Bool) throws {
        var forge = BMPForge(bits: bits, isTopDown: isTopDown)
        let most = 1 << bits
        forge.setPalette(most)
        forge.fillIndices { x, y in (x * 17 + y * 5) % most }
        try check(forge) { x, y in BMPForge.color((x * 17 + y * 5) % most) }
        // Fewer colors than indices, and more than there can be.
        forge.setPalette(most / 2)
        forge.colors = most / 2
        try check(forge) { x, y in
            let index = (x * 17 + y * 5) % most
            return index < most / 2 ? BMPForge.color(index) : SIMD4(0, 0, 0, 255)
        }
        forge.setPalette(most + 3)
        forge.colors = most + 3
        try check(forge) { x, y in BMPForge.color((x * 17 + y * 5) % most) }
    }

    @Test func `the palette of OS/2 has three bytes a color`() throws {
        var forge = BMPForge(bits: 8, header: 12)
        forge.setPalette(256, entry: 3)
        forge.fillIndices { x, y in x * 17 + y }
        try check(forge) { x, y in BMPForge.color(x * 17 + y) }
    }

    @Test(arguments: [false, true]) func `runs are repeated, skipped pixels are black`(
        isTopDown: Bool
    ) throws {
        var forge = BMPForge(bits: 8, compression: 1, isTopDown: isTopDown)
        forge.setPalette(256)
        // Four, a step of 3 to the right and 1 on, three; a row; five as they are; the end.
        forge.data = [4, 50, 0, 2, 3, 1, 3, 90, 0, 0, 13, 7, 0, 0, 0, 5, 1, 2, 3, 4, 5, 0, 0, 1]
        try check(forge) { x, y in
            let line = isTopDown ? y : 6 - y
            return switch (line, x) {
            case (0, 0..<4): BMPForge.color(50)
            case (1, 7..<10): BMPForge.color(90)
            case (2, _): BMPForge.color(7)
            case (3, 0..<5): BMPForge.color(x + 1)
            default: SIMD4(0, 0, 0, 255)
            }
        }
        forge = BMPForge(bits: 4, compression: 2, isTopDown: isTopDown)
        forge.setPalette(16)
        forge.data = (0..<7).flatMap { _ -> [UInt8] in [7, 0x1F, 0, 6, 0x12, 0x34, 0x56, 0, 0, 0] }
        try check(forge) { x, _ in BMPForge.color([1, 15, 1, 15, 1, 15, 1, 1, 2, 3, 4, 5, 6][x]) }
    }

    /// ImageMagick pads rows to a multiple of four pixels.
    @Test func `runs end with their row`() throws {
        var forge = BMPForge(bits: 8, compression: 1)
        forge.setPalette(256)
        // A run, and pixels as they are, that pass the end of 13 pixels.
        forge.data = (0..<7).flatMap { line -> [UInt8] in
            line % 2 == 0
                ? [10, 7, 6, 9, 2, 1, 0, 0] : [12, 8, 0, 4, 1, 2, 3, 4, 3, 5, 0, 0]
        }
        try check(forge) { x, y in
            (6 - y) % 2 == 0
                ? BMPForge.color(x < 10 ? 7 : 9) : BMPForge.color(x < 12 ? 8 : 1)
        }
        let reader = try Decoded.media(forge.bytes).makeReader(ReaderOptions())
        _ = try reader.nextFrame()
        #expect(reader.warnings.isEmpty)
    }

    /// Chromium reads both from the same bytes.
    @Test func `a palette that begins behind the pixels is read all the same`() throws {
        var forge = BMPForge(bits: 8)
        forge.setPalette(256)
        forge.fillIndices { x, y in x + y }
        var bytes = forge.bytes
        bytes.replaceSubrange(10..<14, with: [54, 0, 0, 0])
        let bitmap = try #require(try Decoded.bitmap(Decoded.media(bytes)))
        // The last row is the first one of the file: entries of blue, green, red and 0.
        let wanted = BMPForge.color(Int(bytes[54 + 2]))
        #expect(bitmap[2, 6].x == UInt8(wanted.x) && bitmap[2, 6].z == UInt8(wanted.z))
    }

    @Test func `runs of 24 bits are those of OS/2`() throws {
        var forge = BMPForge(bits: 24, compression: 4, header: 64)
        forge.data = (0..<7).flatMap { [13, UInt8($0 * 10), 50, 200, 0, 0] }
        try check(forge) { _, y in SIMD4(200, 50, (6 - y) * 10, 255) }
        forge.header = 40
        let error = #expect(throws: MediaError.self) { try Decoded.media(forge.bytes) }
        #expect(error?.code == .unsupported)
    }

    @Test func `damage leaves the rows before it`() throws {
        var forge = BMPForge()
        forge.fill { [UInt8($0.z), UInt8($0.y), UInt8($0.x)] }
        let short = Array(forge.bytes.dropLast(2 * 40 + 1))
        let reader = try Decoded.media(short).makeReader(ReaderOptions())
        let bitmap = try #require(try reader.nextFrame()?.bitmap)
        #expect(reader.warnings.map(\.code) == [.truncated])
        for y in 0..<7 { #expect(bitmap[3, y].w == (y < 3 ? 0 : 255)) }
        var runs = BMPForge(bits: 8, compression: 1)
        runs.setPalette(256)
        runs.data = [13, 7, 0, 0]
        let damaged = try Decoded.media(runs.bytes).makeReader(ReaderOptions())
        let picture = try #require(try damaged.nextFrame()?.bitmap)
        #expect(damaged.warnings.map(\.code) == [.truncated])
        #expect(picture[12, 6].w == 255 && picture[0, 5].w == 0)
    }

    @Test func `masks with gaps and unknown kinds are refused`() throws {
        var gaps = BMPForge(bits: 32, compression: 3, masks: [0xF0_0F00, 0xFF00, 0xFF])
        gaps.fill { little($0.x, 4) }
        #expect(throws: MediaError.self) { try Decoded.media(gaps.bytes) }
        for (bits, compression) in [(24, 3), (8, 2), (24, 5), (7, 0), (0, 4)] {
            let forge = BMPForge(bits: bits, compression: compression, masks: [1, 2, 4])
            let error = #expect(throws: MediaError.self) { try Decoded.media(forge.bytes) }
            #expect(error?.code == .unsupported)
        }
    }

    @Test func `a file cut anywhere, or with a flipped bit, gives a picture or an error`() throws {
        for name in ["still.bmp"] {
            let whole = try Media.array(name)
            for end in stride(from: 0, to: whole.count, by: 331) {
                let media = try? Decoded.media(Array(whole[..<end]))
                if let media { _ = try? Decoded.bitmap(media) }
            }
            for place in 0..<200 {
                var bytes = whole
                bytes[place] ^= 1 << UInt8(place % 8)
                guard let media = try? Decoded.media(bytes, limits: .untrusted),
                    let bitmap = try? Decoded.bitmap(media)
                else { continue }
                #expect(bitmap.size == media.info.size)
            }
        }
    }

    @Test func `limits are checked before memory is asked for`() throws {
        var bytes = BMPForge().bytes
        bytes.replaceSubrange(18..<26, with: little(100_000, 4) + little(100_000, 4))
        let error = #expect(throws: MediaError.self) { try Decoded.media(bytes) }
        #expect(error?.code == .limitExceeded)
    }
}

extension BMPForge {
    init(
        bits: Int = 24, compression: Int = 0, isTopDown: Bool = false, header: Int = 40,
        masks: [Int] = []
    ) {
        self.bits = bits
        self.compression = compression
        self.isTopDown = isTopDown
        self.header = header
        self.masks = masks
    }
}
