internal import LazyMedia

/// What the chunks of a PNG tell without its pixels.
struct PNGHeader: Equatable {
    let size: PixelSize
    /// Whether pixels can be transparent, by an alpha channel or `tRNS`.
    private(set) var hasAlpha: Bool
    /// Whether the bytes end before the chain of chunks does.
    private(set) var isTruncated = true

    /// Reads `IHDR` and walks along the other chunks.
    init(_ bytes: UnsafeRawBufferPointer) throws(MediaError) {
        // The signature, and a chunk's length, name and 13 bytes of data.
        guard bytes.count >= 29 else {
            throw MediaError(.truncated, "The PNG ends before its pixels begin.")
        }
        guard bytes.bigEndian32(at: 12) == Self.word("IHDR"), bytes.bigEndian32(at: 8) == 13,
            let size = PixelSize(
                checking: Int(bytes.bigEndian32(at: 16)), Int(bytes.bigEndian32(at: 20)))
        else { throw MediaError(.malformed, "The PNG does not begin with a usable header.") }
        self.size = size
        // Bit 2 of the colour type: an alpha channel follows the others.
        hasAlpha = bytes[25] & 4 != 0
        walk(bytes)
    }

    private mutating func walk(_ bytes: UnsafeRawBufferPointer) {
        var offset = 8
        // A chunk is its length, a name of four letters, the data and a check sum.
        while offset + 12 <= bytes.count {
            let length = bytes.bigEndian32(at: offset)
            // What is no length is for the decoder to judge, not a sign of an early end.
            guard length <= Int32.max else { return isTruncated = false }
            let end = offset + 12 + Int(length)
            guard end <= bytes.count else { return }
            switch bytes.bigEndian32(at: offset + 4) {
            case Self.word("IEND"): return isTruncated = false
            case Self.word("tRNS"): hasAlpha = true
            default: break
            }
            offset = end
        }
    }

    private static func word(_ name: StaticString) -> UInt32 {
        UnsafeRawBufferPointer(start: name.utf8Start, count: 4).bigEndian32(at: 0)
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func bigEndian32(at offset: Int) -> UInt32 {
        UInt32(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
}
