/// The chain of a PNG's chunks, looked at without decoding them.
enum PNGChunks {
    /// Whether the chain reaches a whole `IEND` (or breaks on the way) before the bytes end.
    static func reachEnd(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var offset = 8
        // A chunk is its length, a name of four letters, the data and a check sum.
        while offset + 12 <= bytes.count {
            let length = bytes.bigEndian32(at: offset)
            // What is no length is for the decoder to judge, not a sign of an early end.
            guard length <= Int32.max else { return true }
            let end = offset + 12 + Int(length)
            guard end <= bytes.count else { return false }
            if bytes.bigEndian32(at: offset + 4) == 0x4945_4E44 { return true }
            offset = end
        }
        return false
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func bigEndian32(at offset: Int) -> UInt32 {
        UInt32(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
}
