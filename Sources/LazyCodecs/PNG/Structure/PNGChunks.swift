/// The chunks of a PNG one after the other: a length, a name of four letters, data, a checksum.
struct PNGChunks {
    /// One complete chunk.
    struct Chunk {
        let name: UInt32
        /// The whole chunk.
        let range: Range<Int>
        /// The data.
        let data: Range<Int>
    }

    private let bytes: UnsafeRawBufferPointer
    private var offset: Int
    /// Whether an invalid length ended the chunks.
    private(set) var hasInvalidLength = false

    /// Begins at an offset; `bytes` must outlive this.
    init(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
        self.bytes = bytes
        self.offset = offset
    }

    /// The next complete chunk, or nil at the end of the bytes and at an invalid length.
    mutating func next() -> Chunk? {
        guard offset + 12 <= bytes.count else { return nil }
        let length = bytes.bigEndian(at: offset)
        hasInvalidLength = length > Int32.max
        guard !hasInvalidLength, offset + 12 + Int(length) <= bytes.count else { return nil }
        let end = offset + 12 + Int(length)
        defer { offset = end }
        return Chunk(
            name: bytes.bigEndian(at: offset + 4), range: offset..<end,
            data: (offset + 8)..<(end - 4))
    }

    /// A name as the number it is compared by.
    static func name(_ letters: StaticString) -> UInt32 {
        UnsafeRawBufferPointer(start: letters.utf8Start, count: 4).bigEndian(at: 0)
    }
}

extension UnsafeRawBufferPointer {
    /// The big-endian number of four bytes.
    func bigEndian(at offset: Int) -> UInt32 {
        UInt32(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
}
