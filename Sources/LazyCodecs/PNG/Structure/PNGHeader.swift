internal import LazyMedia

/// What the chunks of a PNG say without its pixels.
struct PNGHeader: Equatable {
    let size: PixelSize
    /// Whether pixels can be transparent, by an alpha channel or `tRNS`.
    private(set) var hasAlpha: Bool
    /// Whether the bytes end before `IEND`.
    private(set) var isTruncated = true
    /// Bits of a sample, or of an index into the palette.
    let bitDepth: Int
    /// Bits 0 to 2: a palette, color, alpha (PNG specification, 3rd ed., 11.2.1).
    private let colorType: UInt8
    /// Whether rows arrive in several passes.
    let isInterlaced: Bool
    /// What the samples mean.
    let color: ColorDescription
    /// The transformation of `eXIf` before the pixels, as browsers apply it.
    let orientation: Orientation

    /// Reads `IHDR` and scans the other chunks.
    init(_ bytes: UnsafeRawBufferPointer) throws(MediaError) {
        // The signature, and a chunk's length, name and 13 bytes of data.
        guard bytes.count >= 29 else {
            throw MediaError(.truncated, "The PNG ends before its pixels begin.")
        }
        guard bytes.bigEndian(at: 12) == PNGChunks.name("IHDR"), bytes.bigEndian(at: 8) == 13,
            let size = PixelSize(
                checking: Int(bytes.bigEndian(at: 16)), Int(bytes.bigEndian(at: 20)))
        else { throw MediaError(.malformed, "The PNG does not begin with a usable header.") }
        self.size = size
        // Bit 2 of the color type: an alpha channel follows the others.
        hasAlpha = bytes[25] & 4 != 0
        bitDepth = Int(bytes[24])
        colorType = bytes[25]
        isInterlaced = bytes[28] != 0
        var tags = PNGColorChunks()
        var chunks = PNGChunks(bytes, at: 8)
        while isTruncated, let chunk = chunks.next() {
            switch chunk.name {
            case PNGChunks.name("IEND"): isTruncated = false
            case PNGChunks.name("tRNS"): hasAlpha = true
            default: tags.take(chunk, bytes)
            }
        }
        color = tags.color
        orientation = tags.orientation
        // An invalid length is damage for the decoder to report, not an early end.
        if chunks.hasInvalidLength { isTruncated = false }
    }

    /// The kind of samples.
    var samples: SampleKind { colorType & 2 == 0 ? .gray : .rgb }

    /// The layout of samples in FFmpeg's terms.
    var pixelFormat: String {
        let suffix = bitDepth == 16 ? "be" : ""
        switch colorType {
        case 0 where bitDepth == 1: return "monob"
        case 0: return bitDepth == 16 ? "gray16be" : "gray"
        case 3: return "pal8"
        case 4: return bitDepth == 16 ? "ya16be" : "ya8"
        case 6: return (bitDepth == 16 ? "rgba64" : "rgba") + suffix
        default: return (bitDepth == 16 ? "rgb48" : "rgb24") + suffix
        }
    }
}
