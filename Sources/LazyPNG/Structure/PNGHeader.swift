internal import LazyMedia

/// What the chunks of a PNG say without its pixels.
struct PNGHeader: Equatable {
    let size: PixelSize
    /// Whether pixels can be transparent, by an alpha channel or `tRNS`.
    private(set) var hasAlpha: Bool
    /// Whether the bytes end before `IEND`.
    private(set) var isTruncated = true

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
        var chunks = PNGChunks(bytes, at: 8)
        while isTruncated, let chunk = chunks.next() {
            switch chunk.name {
            case PNGChunks.name("IEND"): isTruncated = false
            case PNGChunks.name("tRNS"): hasAlpha = true
            default: break
            }
        }
        // An invalid length is damage for the decoder to report, not an early end.
        if chunks.hasInvalidLength { isTruncated = false }
    }
}
