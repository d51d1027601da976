internal import LazyMedia

/// The header of a bitmap: what precedes its pixels.
///
/// The headers are those of OS/2 (12 bytes, or 16 to 64) and of Windows (40, and 52 to 124 with
/// masks); what is valid, and what it means, is taken from Chromium 156.
struct BMPHeader: Sendable {
    /// How pixels are stored.
    enum Coding: Hashable, Sendable {
        case rows
        /// Runs of equal pixels: RLE8, RLE4, and OS/2's RLE24.
        case runs
    }

    let size: PixelSize
    let isTopDown: Bool
    /// Bits of a pixel: 1, 2, 4, 8, 16, 24 or 32.
    let bits: Int
    let coding: Coding
    /// Where the channels of 16 and 32 bits are.
    let masks: BMPMasks
    /// Colors as RGBA8, opaque.
    let palette: [UInt32]
    /// The offset of the pixels.
    let pixels: Int
    let profile: ICCProfile?

    /// Whether pixels may be transparent.
    var hasAlpha: Bool { masks.alpha.width > 0 }

    /// The bytes of a row; rows end at multiples of four.
    var rowBytes: Int { (size.width * bits + 31) / 32 * 4 }
    /// Whether the file ends before its rows do; of runs only decoding tells.
    func isCut(in bytes: any ByteSource) -> Bool {
        guard coding == .rows, !bytes.isPartial else { return false }
        let (length, overflow) = rowBytes.multipliedReportingOverflow(by: size.height)
        return overflow || pixels > bytes.count - length
    }

    /// Reads a header at an offset; in an icon pixels follow at once, and the height counts twice.
    init(
        _ bytes: any ByteSource, at start: Int, pixels: Int?, isIcon: Bool
    ) throws(MediaError) {
        let head = try bytes.bytes(min(140, max(0, bytes.count - start)), at: start)
        let length = head.little(0, 4)
        guard Self.lengths.contains(length) else {
            throw head.count < 4
                ? MediaError(.truncated, "The bitmap ends in its header.")
                : MediaError(.unsupported, "The bitmap has a header of an unknown kind.")
        }
        guard head.count >= length else {
            throw MediaError(.truncated, "The bitmap ends in its header.")
        }
        let isCore = length == 12
        let fields = Fields(head, length)
        size = try fields.size(isIcon: isIcon)
        isTopDown = fields.height < 0
        bits = fields.bits
        coding = try fields.coding()
        let (masks, maskBytes) = try fields.masks(isIcon: isIcon)
        self.masks = masks
        let tables = start + length + maskBytes
        let most = bits <= 8 ? 1 << bits : 0
        let named = length >= 36 ? head.little(32, 4) : 0
        // Where pixels begin before it, or in it, it is read all the same, as in Chromium.
        let entry = isCore ? 3 : 4
        let count = named == 0 ? most : min(named, most)
        palette = try Self.palette(bytes.bytes(count * entry, at: tables), entry)
        self.pixels = pixels ?? tables + count * entry
        profile = try Self.profile(bytes, at: start, head, length)
    }

    private static let lengths: Set<Int> = Set(stride(from: 16, through: 64, by: 4))
        .union([12, 42, 46, 108, 124])

    private static func palette(_ bytes: [UInt8], _ entry: Int) -> [UInt32] {
        stride(from: 0, to: bytes.count / entry * entry, by: entry).map {
            UInt32(bytes[$0 + 2]) | UInt32(bytes[$0 + 1]) << 8 | UInt32(bytes[$0]) << 16
                | 0xFF00_0000
        }
    }

    /// The profile of a header of version 5; the other kinds of color count as sRGB, as in browsers.
    private static func profile(
        _ bytes: any ByteSource, at start: Int, _ head: [UInt8], _ length: Int
    ) throws(MediaError) -> ICCProfile? {
        // "MBED" (MS-WMF, LogicalColorSpaceV5).
        guard length == 124, head.little(56, 4) == 0x4D42_4544 else { return nil }
        let (offset, count) = (head.little(112, 4), head.little(116, 4))
        guard count <= 16 << 20 else { return nil }
        return try bytes.exactly(count, at: start + offset).flatMap { ICCProfile($0) }
    }
}

/// The numbers of a header, and what they mean together.
private struct Fields {
    private let head: [UInt8]
    private let length: Int
    private let compression: Int
    let bits: Int
    let height: Int
    private let width: Int
    /// Whether it is a header of OS/2 2.x.
    private var isOS2: Bool { length < 40 || ![40, 52, 56, 108, 124].contains(length) }

    init(_ head: [UInt8], _ length: Int) {
        self.head = head
        self.length = length
        if length == 12 {
            (width, height) = (head.little(4, 2), head.little(6, 2))
            (bits, compression) = (head.little(10, 2), 0)
        } else {
            width = Int(Int32(truncatingIfNeeded: head.little(4, 4)))
            height = Int(Int32(truncatingIfNeeded: head.little(8, 4)))
            bits = head.little(14, 2)
            compression = length >= 20 ? head.little(16, 4) : 0
        }
    }

    func size(isIcon: Bool) throws(MediaError) -> PixelSize {
        let rows = abs(height) / (isIcon ? 2 : 1)
        guard let size = PixelSize(checking: width, rows) else {
            throw MediaError(.malformed, "The bitmap has no usable size.")
        }
        return size
    }

    func coding() throws(MediaError) -> BMPHeader.Coding {
        switch (compression, bits) {
        case (0, 1), (0, 2), (0, 4), (0, 8), (0, 16), (0, 24), (0, 32): return .rows
        case (3, 16) where !isOS2, (3, 32) where !isOS2, (6, 16), (6, 32): return .rows
        case (1, 8), (2, 4): return .runs
        case (4, 24) where isOS2: return .runs
        default:
            throw MediaError(
                .unsupported,
                "The bitmap has \(bits) bits per pixel in compression \(compression), which is not read."
            )
        }
    }

    /// The masks, and the bytes that they take behind the header.
    func masks(isIcon: Bool) throws(MediaError) -> (masks: BMPMasks, bytes: Int) {
        guard bits == 16 || bits == 32 else { return (.none, 0) }
        let isMasked = compression == 3 || compression == 6
        let count = isMasked && length == 40 ? (compression == 6 ? 4 : 3) : 0
        let alpha = length >= 56 && !isOS2 || count == 4 ? head.little(52, 4) : 0
        var values = bits == 16 ? [0x7C00, 0x3E0, 0x1F] : [0xFF_0000, 0xFF00, 0xFF]
        if isMasked { values = [40, 44, 48].map { head.little($0, 4) } }
        let isOldIcon = isIcon && bits == 32 && !isMasked && length == 40
        values.append(isOldIcon ? 0xFF00_0000 : alpha)
        guard let masks = BMPMasks(values) else {
            throw MediaError(.malformed, "The bitmap has masks with gaps.")
        }
        return (masks, count * 4)
    }
}
