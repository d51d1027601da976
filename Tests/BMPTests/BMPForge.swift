import LazyMedia
import Support

@testable import LazyCodecs

/// A bitmap of 13 × 7 pixels, written byte by byte; see `pixel`.
struct BMPForge {
    static let width = 13, height = 7

    var bits = 24
    var compression = 0
    var isTopDown = false
    /// The length of the header.
    var header = 40
    /// Masks of red, green, blue and alpha.
    var masks: [Int] = []
    /// What follows the masks of a long header.
    var rest: [UInt8] = []
    var colors = 0
    var palette: [UInt8] = []
    var data: [UInt8] = []
    /// What follows the pixels.
    var tail: [UInt8] = []

    /// Red, green, blue and alpha of a pixel.
    static func pixel(_ x: Int, _ y: Int) -> SIMD4<Int> {
        SIMD4(x * 19 & 255, y * 36 & 255, (255 - x * 7 - y * 11) & 255, x * 20 & 255)
    }

    var bytes: [UInt8] {
        let head = headerBytes
        let start = 14 + head.count + palette.count
        return Array("BM".utf8) + little(start + data.count, 4) + little(0, 4) + little(start, 4)
            + head + palette + data + tail
    }

    private var headerBytes: [UInt8] {
        if header == 12 {
            return little(12, 4) + little(Self.width, 2) + little(Self.height, 2) + little(1, 2)
                + little(bits, 2)
        }
        let height = isTopDown ? -Self.height : Self.height
        var bytes = little(header, 4) + little(Self.width, 4) + little(height, 4) + little(1, 2)
        bytes += little(bits, 2)
        if header >= 40 {
            bytes += little(compression, 4) + little(data.count, 4) + little(2835, 4)
            bytes += little(2835, 4) + little(colors, 4) + little(0, 4)
        }
        bytes += masks.flatMap { little($0, 4) } + rest
        let missing = header - bytes.count
        return bytes + [UInt8](repeating: 0, count: max(0, missing))
    }

    /// Rows of pixels in the order of the file, each padded to four bytes.
    mutating func fill(_ pixel: (SIMD4<Int>) -> [UInt8]) {
        fillRows { y in (0..<Self.width).flatMap { x in pixel(Self.pixel(x, y)) } }
    }

    /// Rows of numbers of some bits.
    mutating func fillIndices(_ index: (_ x: Int, _ y: Int) -> Int) {
        let bits = bits
        fillRows { y in
            var row = [UInt8](repeating: 0, count: (Self.width * bits + 7) / 8)
            for x in 0..<Self.width {
                row[x * bits / 8] |= UInt8(index(x, y) << (8 - bits - x * bits % 8))
            }
            return row
        }
    }

    private mutating func fillRows(_ row: (Int) -> [UInt8]) {
        data = []
        for line in 0..<Self.height {
            let row = row(isTopDown ? line : Self.height - 1 - line)
            data += row + [UInt8](repeating: 0, count: (4 - row.count % 4) % 4)
        }
    }

    /// A color of the palettes below.
    static func color(_ index: Int) -> SIMD4<Int> {
        SIMD4((index + 200) & 255, (index * 3 + 40) & 255, (index * 7 + 90) & 255, 255)
    }

    /// A palette of some colors.
    mutating func setPalette(_ count: Int, entry: Int = 4) {
        palette = (0..<count).flatMap { index -> [UInt8] in
            let color = Self.color(index)
            return [UInt8(color.z), UInt8(color.y), UInt8(color.x)] + (entry == 4 ? [0] : [])
        }
    }
}

/// A little-endian number of some bytes.
func little(_ value: Int, _ width: Int) -> [UInt8] {
    (0..<width).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
}

extension Decoded {
    static func media(
        _ bytes: [UInt8], limits: DecodingLimits = .web
    ) throws(MediaError) -> any OpenedMedia {
        try BMPDecoder().open(MemoryBytes(bytes), type: .bmp, limits: limits)
    }

    static func bitmap(_ media: any OpenedMedia) throws(MediaError) -> Bitmap? {
        try media.makeReader(ReaderOptions()).nextFrame()?.bitmap
    }
}
