/// Writes GIFs byte by byte, right ones and wrong ones.
///
/// ```swift
/// var forge = GIFForge(width: 2, height: 1, palette: [0xFF0000, 0x00FF00])
/// forge.control(delay: 10)
/// forge.image(width: 2, height: 1, indices: [0, 1])
/// forge.trailer()
/// ```
public struct GIFForge: Sendable {
    /// What has been written.
    public private(set) var bytes: [UInt8] = []

    /// Begins a GIF with its screen descriptor; colors are 0xRRGGBB.
    public init(
        version: String = "89a", width: Int, height: Int, palette: [UInt32]? = nil,
        background: UInt8 = 0
    ) {
        raw(Array("GIF\(version)".utf8))
        word(width)
        word(height)
        byte(0x70 | Self.paletteBits(palette))
        byte(background)
        byte(0)
        colors(palette)
    }

    /// Writes any bytes.
    public mutating func raw(_ more: [UInt8]) { bytes += more }

    /// Writes one byte.
    public mutating func byte(_ value: UInt8) { bytes.append(value) }

    /// Writes two bytes, the low one first.
    public mutating func word(_ value: Int) {
        byte(UInt8(value & 0xFF))
        byte(UInt8(value >> 8 & 0xFF))
    }

    /// Writes data blocks of a size, and their terminator.
    public mutating func blocks(_ data: [UInt8], size: Int = 255, isTerminated: Bool = true) {
        for start in stride(from: 0, to: data.count, by: size) {
            let block = data[start..<min(start + size, data.count)]
            byte(UInt8(block.count))
            raw(Array(block))
        }
        if isTerminated { byte(0) }
    }

    /// Writes an extension: its label, data blocks and terminator.
    public mutating func extension_(_ label: UInt8, _ data: [[UInt8]]) {
        raw([0x21, label])
        for block in data { blocks(block, isTerminated: false) }
        byte(0)
    }

    /// Writes a graphic control extension.
    public mutating func control(delay: Int = 0, disposal: Int = 0, transparent: UInt8? = nil) {
        let flags = UInt8(disposal << 2) | (transparent == nil ? 0 : 1)
        extension_(
            0xF9, [[flags, UInt8(delay & 0xFF), UInt8(delay >> 8), transparent ?? 0]])
    }

    /// Writes a loop extension.
    public mutating func loop(_ count: Int, application: String = "NETSCAPE2.0") {
        extension_(0xFF, [Array(application.utf8), [1, UInt8(count & 0xFF), UInt8(count >> 8)]])
    }

    /// Writes an image descriptor and, when given, its palette; then the data is to come.
    public mutating func descriptor(
        left: Int = 0, top: Int = 0, width: Int, height: Int, palette: [UInt32]? = nil,
        isInterlaced: Bool = false
    ) {
        byte(0x2C)
        for value in [left, top, width, height] { word(value) }
        byte(Self.paletteBits(palette) | (isInterlaced ? 0x40 : 0))
        colors(palette)
    }

    /// Writes an image of indices that stand from top to bottom.
    public mutating func image(
        left: Int = 0, top: Int = 0, width: Int, height: Int, palette: [UInt32]? = nil,
        isInterlaced: Bool = false, indices: [UInt8], codeSize: Int = 8,
        style: LZWForge.Style = .usual, blockSize: Int = 255
    ) {
        descriptor(
            left: left, top: top, width: width, height: height, palette: palette,
            isInterlaced: isInterlaced)
        let lines = isInterlaced ? Self.interlacedLines(height) : Array(0..<height)
        let stream = lines.flatMap { indices[$0 * width..<($0 + 1) * width] }
        byte(UInt8(codeSize))
        blocks(LZWForge.encode(stream, codeSize: codeSize, style: style), size: blockSize)
    }

    /// Writes the trailer.
    public mutating func trailer() { byte(0x3B) }

    /// The lines of an interlaced image in the order of the data: GIF89a, appendix E.
    public static func interlacedLines(_ height: Int) -> [Int] {
        Array(stride(from: 0, to: height, by: 8)) + Array(stride(from: 4, to: height, by: 8))
            + Array(stride(from: 2, to: height, by: 4)) + Array(stride(from: 1, to: height, by: 2))
    }

    private static func paletteBits(_ palette: [UInt32]?) -> UInt8 {
        guard let palette else { return 0 }
        var bits: UInt8 = 0
        while 2 << bits < palette.count { bits += 1 }
        return 0x80 | bits
    }

    private mutating func colors(_ palette: [UInt32]?) {
        guard let palette else { return }
        let count = 2 << Int(Self.paletteBits(palette) & 7)
        for index in 0..<count {
            let color = index < palette.count ? palette[index] : 0
            raw([UInt8(color >> 16 & 0xFF), UInt8(color >> 8 & 0xFF), UInt8(color & 0xFF)])
        }
    }
}
