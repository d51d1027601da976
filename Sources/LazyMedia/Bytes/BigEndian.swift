extension [UInt8] {
    /// The big-endian number of four bytes; 0 beyond the end.
    package func bigEndian32(at offset: Int) -> UInt32 {
        guard offset >= 0, offset + 4 <= count else { return 0 }
        return self[offset..<(offset + 4)].reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The big-endian number of eight bytes; 0 beyond the end.
    package func bigEndian64(at offset: Int) -> UInt64 {
        UInt64(bigEndian32(at: offset)) << 32 | UInt64(bigEndian32(at: offset + 4))
    }
}

extension FixedWidthInteger where Self: UnsignedInteger {
    /// The bytes of the number, the highest first.
    package var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}

extension Int {
    /// The lowest four bytes, the highest first.
    package var bigEndianBytes32: [UInt8] { UInt32(truncatingIfNeeded: self).bigEndianBytes }
}
