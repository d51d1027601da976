/// A cache of numbered blocks: those used last in memory, others in a file.
///
/// Decides which blocks leave memory and where they go; `RangeSpill` writes and reads them.
struct RangeBlocks: Sendable {
    /// Where a block is in the file.
    struct Place: Hashable, Sendable {
        let block: Int
        let offset: Int
        let count: Int
        /// The checksum of its bytes.
        var sum: UInt32
    }
    /// A block that leaves memory: it is to be written to the file.
    struct Leaving: Sendable {
        let place: Place
        let bytes: [UInt8]
    }
    private struct Block {
        var bytes: [UInt8]
        var lastUse: Int
    }
    private var blocks: [Int: Block] = [:]
    /// Blocks that are being written, and can still be read.
    private var leaving: [Int: [UInt8]] = [:]
    private var places: [Int: Place] = [:]
    private var uses = 0
    /// The number of bytes in memory, without those of leaving blocks.
    private(set) var byteCount = 0
    /// The number of bytes in the file; what is forgotten leaves a gap.
    private(set) var fileCount = 0
    private let maxBytes: Int
    private var maxInFile: Int

    /// Makes an empty cache with limits of bytes, but of at least one block in memory.
    init(maxBytes: Int, maxInFile: Int = 0) {
        self.maxBytes = maxBytes
        self.maxInFile = maxInFile
    }

    /// Whether it has a block, in memory or in the file.
    func contains(_ block: Int) -> Bool {
        blocks[block] != nil || places[block] != nil || leaving[block] != nil
    }

    /// Adds a block in memory, which then may have too many.
    mutating func insert(_ bytes: [UInt8], at block: Int) {
        uses += 1
        if let old = blocks.updateValue(Block(bytes: bytes, lastUse: uses), forKey: block) {
            byteCount -= old.bytes.count
        }
        byteCount += bytes.count
    }

    /// Copies bytes of a block from an offset in it and returns how many; nil if it is not in memory.
    mutating func copy(
        _ block: Int, from offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) -> Int? {
        uses += 1
        blocks[block]?.lastUse = uses
        guard let bytes = blocks[block]?.bytes ?? leaving[block] else { return nil }
        return bytes.copy(from: offset, into: buffer)
    }

    // MARK: - The file

    /// Removes the least recently used blocks where there are too many, and returns those to be written.
    ///
    /// `didWrite` must follow. Blocks that the file has already, or for which it has no room, are dropped.
    mutating func evict() -> [Leaving] {
        guard byteCount > maxBytes, blocks.count > 1 else { return [] }
        // A few at once, so that they are sorted, and written, once for all of them.
        let most = maxBytes - maxBytes / 16
        var written: [Leaving] = []
        for (number, block) in blocks.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
            guard byteCount > most, blocks.count > 1 else { break }
            blocks[number] = nil
            byteCount -= block.bytes.count
            guard places[number] == nil, block.bytes.count <= maxInFile - fileCount else {
                continue
            }
            let place = Place(block: number, offset: fileCount, count: block.bytes.count, sum: 0)
            fileCount += block.bytes.count
            leaving[number] = block.bytes
            written.append(Leaving(place: place, bytes: block.bytes))
        }
        return written
    }

    /// Records that leaving blocks are in the file, with the sums of as many as could be written.
    ///
    /// After a failure no more leave for the file: they are dropped.
    mutating func didWrite(_ blocks: [Leaving], sums: [UInt32]) {
        for (index, block) in blocks.enumerated() {
            leaving[block.place.block] = nil
            guard index < sums.count else { continue }
            places[block.place.block] = block.place
            places[block.place.block]?.sum = sums[index]
        }
        if sums.count < blocks.count { maxInFile = 0 }
    }

    /// The place of a block in the file; nil if it is not there.
    func place(of block: Int) -> Place? { places[block] }

    /// Removes a block that the file should have, but has not.
    mutating func forget(_ place: Place) {
        if places[place.block] == place { places[place.block] = nil }
    }
}

extension [UInt8] {
    /// Copies bytes from an offset and returns how many.
    func copy(from offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let length = Swift.max(0, Swift.min(buffer.count, count - offset))
        guard length > 0 else { return 0 }
        withUnsafeBytes { buffer.copyMemory(from: .init(rebasing: $0[offset..<offset + length])) }
        return length
    }
}
