import LazyMedia
import Support
import Testing

@testable import LazyCodecs

/// JPEG XL made by cjxl, and what djxl makes of it.
enum JXLTool {
    /// A clip of `media/` as JPEG XL.
    static func encoded(_ name: String, _ options: String = "-d 0") throws -> [UInt8] {
        let scratch = Scratch()
        _ = Peer.output(
            of: "cjxl \(options) \(Media.path(name)) \(scratch.path("a.jxl")) 2>/dev/null")
        let bytes = scratch["a.jxl"]
        try #require(!bytes.isEmpty, "cjxl \(options) \(name)")
        return bytes
    }

    /// The frames of a JPEG XL, which djxl writes as a PNG or APNG.
    static func frames(_ bytes: [UInt8]) throws -> [Bitmap] {
        let scratch = Scratch()
        let input = scratch.write(bytes, "a.jxl")
        _ = Peer.output(of: "djxl \(input) \(scratch.path("a.png")) 2>/dev/null")
        return try pictures(scratch["a.png"])
    }

    /// The frames of a PNG, APNG or GIF.
    static func pictures(_ bytes: [UInt8]) throws -> [Bitmap] {
        let registry = DecoderRegistry(formats: [.png, .apng, .gif])
        return try Decoded.frames(registry.open(MemoryBytes(bytes))).map(\.bitmap)
    }
}

extension Decoded {
    static func media(
        _ bytes: [UInt8], limits: DecodingLimits = .web
    ) throws(MediaError) -> any OpenedMedia {
        try JXLDecoder().open(MemoryBytes(bytes), type: .jpegXL, limits: limits)
    }

    /// The squared error of 45 dB.
    static let small = 255 * 255 / 31_622.8
}

/// The header of a codestream, written bit by bit (ISO/IEC 18181-1, annex D).
///
/// Frames begin at the next byte, so a header can be exchanged.
struct JXLForge {
    var ticks: (number: Int, per: Int) = (1000, 1)
    var plays = 0
    /// The size, or nil for the 96 × 64 of the test picture.
    var side: (width: Int, height: Int)?
    private var bits: [Bool] = []

    /// The bytes of an animation of lossless RGB in 8 bits.
    var header: [UInt8] {
        var forge = self
        forge.write()
        var bytes: [UInt8] = [0xFF, 0x0A]
        for start in stride(from: 0, to: forge.bits.count, by: 8) {
            let byte = forge.bits[start...].prefix(8)
            bytes.append(byte.enumerated().reduce(0) { $0 | ($1.element ? 1 << $1.offset : 0) })
        }
        return bytes
    }

    private mutating func write() {
        if let side {
            put(0, 1)  // not in steps of 8
            putSide(side.height)
            put(0, 3)  // no ratio
            putSide(side.width)
        } else {
            put(1, 1)  // in steps of 8
            put(64 / 8 - 1, 5)
            put(4, 3)  // 3 to 2
        }
        put(0, 1)  // not all default
        put(1, 1)  // extra fields
        put(0, 3)  // upright
        put(0, 2)  // no size of its own, no preview
        put(1, 1)  // an animation
        putNumber(ticks.number, [100, 1000], [10, 30])
        putNumber(ticks.per, [1, 1001], [8, 10])
        putNumber(plays, [0], [3, 16, 32], bias: 0)
        put(0, 1)  // no time codes
        put(0, 1)  // integers
        put(0, 2)  // of 8 bits
        put(1, 1)  // 16 bits suffice
        put(0, 2)  // no extra channels
        put(0, 1)  // not XYB
        put(0, 2)  // not all default, no profile
        put(0, 2)  // RGB
        put(1, 2)  // the white of D65
        put(1, 2)  // the primaries of sRGB
        put(0, 1)  // no exponent
        put(2, 2)  // one of the curves from 2 on
        put(13 - 2, 4)  // that of sRGB
        put(0, 2)  // perceptual
        put(1, 1)  // no tone mapping
        put(0, 2)  // no extensions
        put(1, 1)  // the usual transforms
    }

    private mutating func putSide(_ side: Int) { putNumber(side, [], [9, 13, 18, 30]) }

    /// One of four ways to store a number: as a constant, or in some bits.
    private mutating func putNumber(
        _ number: Int, _ constants: [Int], _ widths: [Int], bias: Int = 1
    ) {
        if let constant = constants.firstIndex(of: number) { return put(constant, 2) }
        let width = widths.firstIndex { number - bias < 1 << $0 } ?? 0
        put(constants.count + width, 2)
        put(number - bias, widths[width])
    }

    private mutating func put(_ number: Int, _ count: Int) {
        for bit in 0..<count { bits.append(number >> bit & 1 == 1) }
    }

    /// A file with another header.
    func replacingHeader(of file: [UInt8]) throws -> [UInt8] {
        let usual = JXLForge().header
        try #require(Array(file.prefix(usual.count)) == usual)
        return header + file.dropFirst(usual.count)
    }
}
