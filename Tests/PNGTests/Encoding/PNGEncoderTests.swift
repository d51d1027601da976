import CKernels
import LazyCodecs
import LazyMedia
import Testing

/// A picture, and the depth and color type its file is to have.
private struct Shape: CustomTestStringConvertible {
    let testDescription: String
    let width: Int
    let height: Int
    let depth: UInt8
    let color: UInt8
    let pixel: @Sendable (Int, Int) -> SIMD4<UInt8>

    init(
        _ name: String, _ width: Int, _ height: Int, depth: UInt8 = 8, color: UInt8,
        pixel: @escaping @Sendable (Int, Int) -> SIMD4<UInt8>
    ) {
        testDescription = name
        self.width = width
        self.height = height
        self.depth = depth
        self.color = color
        self.pixel = pixel
    }

    /// Two colors in more than the rows by which a form is guessed, then others.
    static func changing(
        _ name: String, depth: UInt8 = 8, color: UInt8,
        last: @escaping @Sendable (Int, Int) -> SIMD4<UInt8>
    ) -> Shape {
        Shape(name, 1000, 60, depth: depth, color: color) { x, y in
            y < 40 ? SIMD4(x & 8 == 0 ? 1 : 2, 3, 4, 255) : last(x, y)
        }
    }

    /// So many colors in a picture of 31 columns, the last one only in the last pixel.
    static func colors(
        _ count: Int, depth: UInt8 = 8, color: UInt8 = 3, alpha: UInt8 = 255
    ) -> Shape {
        Shape("\(count) colors, alpha \(alpha)", 31, 17, depth: depth, color: color) { x, y in
            let isLast = x == 30 && y == 16
            let n = isLast ? count - 1 : (y * 31 + x) % max(1, count - 1)
            return SIMD4(UInt8(n & 255), UInt8(n >> 8), 77, n % 3 == 0 ? alpha : 255)
        }
    }
}

private let shapes: [Shape] = [
    .colors(1, depth: 1), .colors(2, depth: 1), .colors(3, depth: 2), .colors(4, depth: 2),
    .colors(5, depth: 4), .colors(16, depth: 4), .colors(17), .colors(255), .colors(256),
    .colors(257, color: 2), .colors(16, depth: 4, alpha: 9), .colors(256, alpha: 0),
    .colors(257, color: 6, alpha: 0),
    Shape("one pixel", 1, 1, depth: 1, color: 3) { _, _ in SIMD4(1, 2, 3, 4) },
    Shape("one column", 1, 300, color: 2) { _, y in SIMD4(UInt8(y & 255), UInt8(y >> 8), 0, 255) },
    Shape("one row", 301, 1, color: 2) { x, _ in SIMD4(UInt8(x & 255), UInt8(x >> 8), 0, 255) },
    Shape("noise", 251, 97, color: 6) { PNGForge.noise($0, $1) },
    Shape("opaque noise", 400, 300, color: 2) {
        var pixel = PNGForge.noise($0, $1)
        pixel.w = 255
        return pixel
    },
    Shape("hidden colors", 40, 40, color: 6) { x, y in SIMD4(UInt8(x), UInt8(y), 5, 0) },
]

/// Large pictures whose first rows say other than the last ones of how they are to be written.
private let changing: [Shape] = [
    .changing("one color", depth: 2, color: 3) { _, _ in SIMD4(9, 8, 7, 255) },
    .changing("a third color", depth: 4, color: 3) { x, _ in SIMD4(UInt8(x % 3), 8, 7, 255) },
    .changing("palette colors", color: 3) { x, _ in SIMD4(UInt8(x & 127), 9, 9, 255) },
    .changing("more colors than a palette has", color: 2) { x, _ in
        SIMD4(UInt8(x & 255), UInt8(x >> 8 & 1), 7, 255)
    },
    .changing("a clear color beyond a palette", color: 6) { x, _ in
        SIMD4(UInt8(x & 255), UInt8(x >> 8 & 1), 7, x == 900 ? 0 : 255)
    },
    Shape("several stripes", 4, 420_000, color: 3) { _, y in
        SIMD4(UInt8(y / 200 & 255), 9, 9, 255)
    },
    .changing("noise", color: 6) { PNGForge.noise($0, $1) },
    Shape("noise, then a clear pixel", 300, 100, color: 6) { x, y in
        PNGForge.noise(x, y) | SIMD4(0, 0, 0, x == 40 && y == 90 ? 3 : 255)
    },
    Shape("noise, then one color", 400, 200, color: 2) { x, y in
        y < 11 ? PNGForge.noise(x, y) | SIMD4(0, 0, 0, 255) : SIMD4(1, 2, 3, 255)
    },
]

@Suite struct `PNG encoder` {
    @Test(arguments: shapes, [PNGEncoder.Level.fast, .small])
    private func `libpng reads back the same pixels`(
        _ shape: Shape, _ level: PNGEncoder.Level
    ) throws {
        let bitmap = try PNGForge.bitmap(shape.width, shape.height, shape.pixel)
        let file = try encoded(bitmap, by: PNGEncoder(level: level))
        let back = try decoded(file)
        #expect(back == bitmap)
        #expect(file[24] == shape.depth && file[25] == shape.color)
    }

    @Test(arguments: shapes + changing, [PNGEncoder.Level.fast, .small])
    private func `rows that come one by one make the same file`(
        _ shape: Shape, _ level: PNGEncoder.Level
    ) throws {
        let bitmap = try PNGForge.bitmap(shape.width, shape.height, shape.pixel)
        let text = [(key: "Title", value: "Rows")]
        for isOpaque in Set([false, bitmap.isOpaqueThroughout]) {
            let marked = try bitmap.mapPixels(isOpaque: isOpaque) { $0 }
            let whole = try encoded(marked, by: PNGEncoder(level: level), text)
            for count in [1, 7, shape.height] {
                let rows = StillRows(size: bitmap.size, isOpaque: isOpaque, texts: text)
                let encoder = try PNGEncoder(level: level)
                encoder.guessedBytes = 1 << 14
                let writer = try #require(try encoder.makeRowWriter(of: rows, .init()))
                try bitmap.withBytes { (bytes) throws(MediaError) in
                    let step = bitmap.stride * count
                    for start in stride(from: 0, to: bytes.count, by: step) {
                        let end = min(start + step, bytes.count)
                        try writer.add(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
                    }
                }
                let file = CollectedBytes()
                try writer.finish().readAll { file.append($0) }
                #expect(file.all == whole)
                #expect(isOpaque || whole[24] == shape.depth && whole[25] == shape.color)
            }
        }
    }

    @Test func `a bitmap marked opaque becomes RGB`() throws {
        let bitmap = try PNGForge.bitmap(33, 20, isOpaque: true) { x, y in
            SIMD4(UInt8(x * 7), UInt8(y * 12), UInt8(x + y), 255)
        }
        let file = try encoded(bitmap, by: PNGEncoder())
        #expect(file[25] == 2)
        let back = try decoded(file)
        #expect(back == bitmap)
    }

    @Test func `one encoder writes any pictures one after the other`() throws {
        let encoder = try PNGEncoder()
        for shape in shapes + shapes.reversed() {
            let bitmap = try PNGForge.bitmap(shape.width, shape.height, shape.pixel)
            let again = try encoded(bitmap, by: encoder)
            let alone = try encoded(bitmap, by: PNGEncoder())
            // Not `==` inside: a failure would print the difference of the arrays, for minutes.
            let isSame = again == alone
            #expect(isSame, "\(shape)")
        }
    }

    @Test func `noise costs hardly more than its own size`() throws {
        let bitmap = try PNGForge.bitmap(500, 400) { PNGForge.noise($0, $1) }
        let count = try encoded(bitmap, by: PNGEncoder()).count
        #expect(count > bitmap.byteCount && count < bitmap.byteCount * 101 / 100)
    }

    @Test(arguments: [(300, true), (2000, false)])
    func `few colors are not filtered, many are`(_ colors: Int, _ isPlain: Bool) throws {
        let bitmap = try PNGForge.bitmap(100, 80) { x, y in
            let n = (y * 100 + x) * 7919 % colors
            return SIMD4(UInt8(n & 255), UInt8(n >> 8), 9, 255)
        }
        let hasFew = bitmap.withBytes { bytes -> Bool in
            guard let rgba = bytes.bindMemory(to: UInt8.self).baseAddress else { return false }
            let rows = cscanline_rows(
                rgba: rgba, width: 100, stride: 400, first_row: 0, row_count: 80)
            return cscanline_has_few_colors(rows) != 0
        }
        #expect(hasFew == isPlain)
        let back = try decoded(encoded(bitmap, by: PNGEncoder()))
        #expect(back == bitmap)
    }

    @Test func `every chunk carries the right length and checksum`() throws {
        let bitmap = try PNGForge.bitmap(20, 20) { x, y in
            SIMD4(UInt8(x / 5), UInt8(y / 5), 0, 200)
        }
        let chunks = chunks(of: try encoded(bitmap, by: PNGEncoder()))
        #expect(chunks.map(\.name) == ["IHDR", "sRGB", "PLTE", "tRNS", "IDAT", "IEND"])
        for chunk in chunks {
            #expect(chunk.crc == PNGForge.crc(Array(chunk.name.utf8) + chunk.data))
        }
    }

    @Test func `texts are written as Latin-1 or as UTF-8`() throws {
        let bitmap = try PNGForge.bitmap(1, 1) { _, _ in SIMD4(0, 0, 0, 255) }
        let text = [
            (key: "Thumb::URI", value: "file:///a%20b"),
            (key: "Title", value: "Bär"),
            (key: "Title", value: "熊"),
        ]
        let chunks = chunks(of: try encoded(bitmap, by: PNGEncoder(), text))
        let plain = chunks.filter { $0.name == "tEXt" }.map(\.data)
        let uri = Array("Thumb::URI\0file:///a%20b".utf8)
        #expect(plain == [uri, Array("Title\0B".utf8) + [0xE4, 0x72]])
        let wide = chunks.first { $0.name == "iTXt" }?.data
        #expect(wide == Array("Title\0\0\0\0\0熊".utf8))
    }

    @Test func `an error of the closure is rethrown`() throws {
        let bitmap = try PNGForge.bitmap(1, 1) { _, _ in SIMD4(0, 0, 0, 255) }
        let error = #expect(throws: MediaError.self) {
            try PNGEncoder().encode(bitmap) { (_) throws(MediaError) in
                throw MediaError(.environment, "full")
            }
        }
        #expect(error?.message == "full")
    }

    private func encoded(
        _ bitmap: Bitmap, by encoder: PNGEncoder, _ text: PNGEncoder.Texts = []
    ) throws -> [UInt8] {
        try encoder.encode(bitmap, text: text) { Array($0) }
    }

    private func decoded(_ file: [UInt8]) throws -> Bitmap {
        let opened = try PNGDecoder().open(MemoryBytes(file), type: .png, limits: .web)
        let reader = try opened.makeReader(ReaderOptions())
        let frame = try #require(try reader.nextFrame())
        #expect(reader.warnings.isEmpty && !opened.info.isTruncated)
        return frame.bitmap
    }

    private func chunks(of file: [UInt8]) -> [(name: String, data: [UInt8], crc: UInt32)] {
        var chunks: [(name: String, data: [UInt8], crc: UInt32)] = []
        var offset = 8
        func number(_ at: Int) -> UInt32 { file[at..<at + 4].reduce(0) { $0 << 8 | UInt32($1) } }
        while offset < file.count {
            let end = offset + 8 + Int(number(offset))
            let name = String(decoding: file[offset + 4..<offset + 8], as: UTF8.self)
            chunks.append((name, Array(file[offset + 8..<end]), number(end)))
            offset = end + 4
        }
        return chunks
    }
}
