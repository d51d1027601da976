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

    /// An EBML element identifier with its marker bits (RFC 8794, 5), and the offset after it.
    func ebmlID(at offset: Int) -> (id: Int, end: Int)? {
        guard let first = byte(at: offset), first != 0 else { return nil }
        return number(at: offset, length: first.leadingZeroBitCount + 1, keeping: first)
    }

    /// An EBML element data size (RFC 8794, 6), and the offset after it.
    func ebmlSize(at offset: Int) -> (size: Int, end: Int)? {
        guard let first = byte(at: offset), first != 0 else { return nil }
        let length = first.leadingZeroBitCount + 1
        let kept = length == 8 ? 0 : first & (0xFF >> UInt8(length))
        guard let (value, end) = number(at: offset, length: length, keeping: kept) else {
            return nil
        }
        // All ones mean "unknown"; that and excessive sizes end with the span.
        return (Swift.min(value, Int(Int32.max)), end)
    }

    private func number(at offset: Int, length: Int, keeping first: UInt8) -> (Int, Int)? {
        guard offset + length <= byteCount else { return nil }
        var value = Int(first)
        for position in (offset + 1)..<(offset + Swift.max(1, length)) {
            value = value << 8 | Int(byte(at: position) ?? 0)
        }
        return (value, offset + length)
    }
}
