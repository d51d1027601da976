extension RawSpan {
    /// The byte at an offset, or nil beyond the end.
    package func byte(at offset: Int) -> UInt8? {
        guard offset >= 0, offset < byteCount else { return nil }
        return unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self)
    }

    /// Whether the span begins with these bytes.
    package func starts(with magic: [UInt8]) -> Bool {
        magic.indices.allSatisfy { byte(at: $0) == magic[$0] }
    }

    /// Whether these ASCII letters are at an offset.
    package func hasWord(_ letters: String, at offset: Int) -> Bool {
        var position = offset
        for letter in letters.utf8 {
            guard byte(at: position) == letter else { return false }
            position += 1
        }
        return true
    }

    /// The four characters at an offset, or nil beyond the end.
    package func word(at offset: Int) -> String? {
        guard offset >= 0, offset + 4 <= byteCount else { return nil }
        return String(decoding: (0..<4).compactMap { byte(at: offset + $0) }, as: UTF8.self)
    }

    /// The big-endian number of four bytes at an offset, or nil beyond the end.
    package func bigEndian32(at offset: Int) -> UInt32? {
        guard offset >= 0, offset + 4 <= byteCount else { return nil }
        return unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt32.self).bigEndian
    }

    /// The EBML number at an offset, or nil where it is incomplete.
    package func ebmlNumber(at offset: Int) -> EBMLNumber? {
        guard let first = byte(at: offset), first != 0 else { return nil }
        let count = first.leadingZeroBitCount + 1
        guard offset + count <= byteCount else { return nil }
        let value = (0..<count).reduce(UInt64(0)) { $0 << 8 | UInt64(byte(at: offset + $1) ?? 0) }
        return EBMLNumber(marked: value, count: count)
    }
}

/// A number whose length is given by the leading zeros of its first byte (RFC 8794, 4.4).
package struct EBMLNumber {
    /// The number with the bit that marks its length, as identifiers are written.
    package let marked: UInt64
    /// The number of its bytes.
    package let count: Int

    private var marker: UInt64 { 1 << UInt64(7 * count) }

    /// The number without that bit.
    package var value: UInt64 { marked & (marker - 1) }

    /// Whether it is a size that means "unknown" (RFC 8794, 6.2).
    package var isUnknown: Bool { value == marker - 1 }
}
