import LazyMedia
import Support
import Testing

@testable import LazyCodecs

/// Samples that are floating-point numbers, signed, or longer than 16 bits.
@Suite struct TIFFNumbersTests {
    /// 0, a quarter, a half, 1, 2, -1, infinity and not a number; what they are shown as.
    private static let shades: [UInt8] = [0, 64, 128, 255, 255, 0, 255, 0]
    private static let values = [0, 0.25, 0.5, 1, 2, -1, Double.infinity, .nan]

    private static let kinds: [(name: String, bits: Int, numbers: [UInt64])] = [
        ("16", 16, values.map { UInt64(Float16($0).bitPattern) }),
        // One sign, seven bits of exponent with a bias of 63, sixteen of fraction.
        ("24", 24, [0, 0x3D0000, 0x3E0000, 0x3F0000, 0x400000, 0xBF0000, 0x7F0000, 0x7F8000]),
        ("32", 32, values.map { UInt64(Float($0).bitPattern) }),
        ("64", 64, values.map(\.bitPattern)),
    ]

    @Test(arguments: kinds.indices, [false, true])
    func `floating-point numbers are clipped to 0 to 1`(index: Int, isBigEndian: Bool) throws {
        let kind = Self.kinds[index]
        let forge = NumbersForge(kind.bits, 3, isBigEndian: isBigEndian, kind.numbers)
        let media = try Decoded.media(forge.bytes)
        #expect(media.info.bitDepth == kind.bits)
        #expect(try Self.row(media) == Self.shades, "\(kind.name)")
    }

    @Test func `the smallest half-precision numbers are not nothing`() throws {
        // 2^-10, 2^-14 and 2^-24 of white, in 16 bits a sample.
        let forge = NumbersForge(16, 3, [0x1400, 0x0400, 0x0001])
        let deep = try #require(try Self.deep(Decoded.media(forge.bytes)))
        #expect((0..<3).map { deep[$0, 0].x } == [64, 4, 0])
    }

    @Test(arguments: [24, 32, 64], [false, true])
    func `long integers are shown by their high bits`(bits: Int, isBigEndian: Bool) throws {
        let most = UInt64.max >> UInt64(64 - bits)
        let numbers: [UInt64] = [0, most / 4, most / 2, most]
        let media = try Decoded.media(
            NumbersForge(bits, 1, isBigEndian: isBigEndian, numbers).bytes)
        #expect(try Self.row(media) == [0, 64, 127, 255])
        let deep = try #require(try Self.deep(media))
        #expect((0..<4).map { deep[$0, 0].x } == [0, 0x3FFF, 0x7FFF, 0xFFFF])
    }

    @Test func `packed samples of more than 16 bits are shown, too`() throws {
        // 0, half and all of 20 bits.
        let forge = NumbersForge(
            packed: [0, 0, 8, 0, 0, 0xFF, 0xFF, 0xF0], bits: 20, width: 3)
        #expect(try Self.row(Decoded.media(forge.bytes)) == [0, 128, 255])
    }

    @Test(arguments: [8, 16, 32]) func `the least signed number is black`(bits: Int) throws {
        let middle = UInt64(1) << UInt64(bits - 1)
        let media = try Decoded.media(
            NumbersForge(bits, 2, [middle, 0, middle - 1]).bytes)
        #expect(try Self.row(media) == [0, 128, 255])
    }

    @Test func `white is zero, and colors, of floating-point numbers`() throws {
        var forge = NumbersForge(32, 3, [0, 0.25, 1].map { UInt64(Float($0).bitPattern) })
        forge.photometric = 0
        #expect(try Self.row(Decoded.media(forge.bytes)) == [255, 191, 0])
        forge.photometric = 2
        (forge.samples, forge.width) = (3, 1)
        let bitmap = try #require(try Decoded.frames(Decoded.media(forge.bytes)).first?.bitmap)
        #expect(bitmap[0, 0] == [0, 64, 255, 255])
    }

    /// L* of 100, 50 and 50; a* of 0, -100 and 100, by the definition and adapted to D65.
    @Test(arguments: [8, 9], [8, 16])
    func `white of CIE L*a*b* is white, and its colors are those of D50`(
        photometric: Int, bits: Int
    ) throws {
        let samples = [(100, 0), (50, -100), (50, 100)].flatMap { (light, a) -> [Int] in
            let scale = bits == 8 ? 1 : 256
            let move = photometric == 9 ? 128 : 0
            return [(light * ((1 << bits) - 1) + 50) / 100, (a + move) * scale, move * scale]
        }
        var forge = NumbersForge(
            bits, 1, samples.map { UInt64(UInt16(truncatingIfNeeded: $0)) })
        (forge.photometric, forge.samples, forge.width) = (photometric, 3, 3)
        let bitmap = try #require(try Decoded.frames(Decoded.media(forge.bytes)).first?.bitmap)
        for (x, color) in [[255, 255, 255], [0, 152, 117], [255, 0, 125]].enumerated() {
            for channel in 0..<3 {
                #expect(abs(Int(bitmap[x, 0][channel]) - color[channel]) <= 1, "\(x)")
            }
        }
    }

    @Test(arguments: [(5, 32, "complex"), (6, 64, "complex"), (3, 8, "length"), (1, 40, "length")])
    func `other numbers are refused by name`(format: Int, bits: Int, word: String) {
        let error = #expect(throws: MediaError.self) {
            try Decoded.media(NumbersForge(bits, format, [0, 1]).bytes)
        }
        #expect(error?.code == .unsupported)
        #expect(error?.isDeclined == false)
        #expect(error?.message.contains(word) == true)
    }

    /// The gray of each pixel.
    private static func row(_ media: any OpenedMedia) throws -> [UInt8] {
        let bitmap = try #require(try Decoded.frames(media).first?.bitmap)
        return (0..<bitmap.size.width).map { bitmap[$0, 0].y }
    }

    private static func deep(_ media: any OpenedMedia) throws -> DeepBitmap? {
        var options = ReaderOptions(delayRule: .raw)
        options.samples = .sixteen
        options.color = .source
        return try Decoded.frames(media, options).first?.deep
    }
}
