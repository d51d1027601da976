internal import LazyMedia

/// The chunks of a PNG one after the other: a length, a name of four letters, data, a check sum.
struct PNGChunks {
    /// One chunk that is wholly there.
    struct Chunk {
        let name: UInt32
        /// All of it.
        let range: Range<Int>
        /// The data alone.
        let data: Range<Int>
    }

    private let bytes: UnsafeRawBufferPointer
    private var offset: Int
    /// Whether the walk ended at a length that no chunk can have.
    private(set) var hasInvalidLength = false

    /// Stands at an offset; `bytes` outlive this.
    init(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
        self.bytes = bytes
        self.offset = offset
    }

    /// The next whole chunk, or nil at the end of the bytes and at what is no length.
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
    /// The number of four bytes, the highest first.
    func bigEndian(at offset: Int) -> UInt32 {
        UInt32(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
}
