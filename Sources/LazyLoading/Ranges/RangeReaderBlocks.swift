/// A cache of numbered blocks, which evicts the least recently used ones.
struct RangeBlocks: Sendable {
    private struct Block {
        var bytes: [UInt8]
        var lastUse: Int
    }
    private var blocks: [Int: Block] = [:]
    private var uses = 0
    /// The number of bytes.
    private(set) var byteCount = 0
    private let mostBytes: Int

    /// Makes an empty cache with a limit of bytes, but of at least one block.
    init(mostBytes: Int) { self.mostBytes = mostBytes }

    /// Whether it has a block.
    func contains(_ block: Int) -> Bool { blocks[block] != nil }

    /// Adds a block.
    mutating func insert(_ bytes: [UInt8], at block: Int) {
        uses += 1
        if let old = blocks.updateValue(Block(bytes: bytes, lastUse: uses), forKey: block) {
            byteCount -= old.bytes.count
        }
        byteCount += bytes.count
        while byteCount > mostBytes, blocks.count > 1,
            let oldest = blocks.min(by: { $0.value.lastUse < $1.value.lastUse })
        {
            byteCount -= oldest.value.bytes.count
            blocks[oldest.key] = nil
        }
    }

    /// Copies bytes of a block from an offset in it and returns how many; nil if it has no such block.
    mutating func copy(
        _ block: Int, from offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) -> Int? {
        guard let bytes = blocks[block]?.bytes else { return nil }
        uses += 1
        blocks[block]?.lastUse = uses
        let length = max(0, min(buffer.count, bytes.count - offset))
        guard length > 0 else { return 0 }
        bytes.withUnsafeBytes {
            buffer.copyMemory(from: .init(rebasing: $0[offset..<offset + length]))
        }
        return length
    }
}
