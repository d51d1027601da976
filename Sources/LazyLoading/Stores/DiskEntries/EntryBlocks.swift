internal import LazyBase

/// The blocks of an entry's file, each with its checksum.
struct EntryBlocks: Sendable {
    let file: FileDescriptor
    let header: EntryHeader
    /// The size of the body; the last block is shorter than the others.
    let count: Int

    /// Makes the blocks of a body of a size, or of unknown size.
    init(_ file: FileDescriptor, _ header: EntryHeader, count: Int = .max) {
        self.file = file
        self.header = header
        self.count = count
    }

    /// The number of blocks of a body of known size.
    var blockCount: Int { EntryFormat.blockCount(count) }

    /// The offset of a block in the file.
    func offset(of block: Int) -> Int { header.size + EntryFormat.blockOffset(block) }

    /// The size of a block.
    func length(of block: Int) -> Int {
        min(EntryFormat.blockSize, count - block * EntryFormat.blockSize)
    }

    /// The checksum in the file; 0 beyond its end and in a hole.
    func storedChecksum(of block: Int, length: Int? = nil) throws(SystemError) -> UInt32 {
        let bytes = try file.bytes(
            at: offset(of: block) + (length ?? self.length(of: block)),
            count: EntryFormat.checksumSize)
        return bytes.count == EntryFormat.checksumSize ? UInt32(bytes, at: 0) : 0
    }

    /// Reads a block into a buffer of its size; returns whether its checksum is valid.
    func read(_ block: Int, into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Bool
    {
        guard try file.read(at: offset(of: block), into: buffer) == buffer.count else {
            return false
        }
        let sum = EntryFormat.checksum(.init(buffer), block: block, id: header.id)
        return try storedChecksum(of: block, length: buffer.count) == sum
    }

    /// A block with a valid checksum, or nil; `length` is its size if it is not whole.
    func bytes(of block: Int, length: Int? = nil) throws(SystemError) -> [UInt8]? {
        var isValid = false
        let bytes = try [UInt8].reading(length ?? self.length(of: block)) {
            buffer throws(SystemError) in
            isValid = try read(block, into: buffer)
            return buffer.count
        }
        return isValid ? bytes : nil
    }

    /// Writes a whole block and then its checksum.
    ///
    /// One call writes its buffers in their order, also where a signal or a full disk ends it early.
    func write(_ bytes: UnsafeRawBufferPointer, to block: Int) throws(SystemError) {
        let sum = EntryFormat.checksum(bytes, block: block, id: header.id).bytes
        try sum.withBytes { sum throws(SystemError) in
            try file.write([bytes, sum], at: offset(of: block))
        }
    }

    /// Reads a part of the body with a closure for each block, which returns the number of bytes.
    ///
    /// Ends when a closure returns fewer bytes than requested.
    func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer,
        _ readBlock: (
            _ block: Int, _ start: Int, _ piece: UnsafeMutableRawBufferPointer
        ) throws(SystemError) -> Int
    ) throws(SystemError) -> Int {
        guard offset >= 0, offset < count else { return 0 }
        let wanted = min(buffer.count, count - offset)
        var done = 0
        while done < wanted {
            let (block, start) = (offset + done).quotientAndRemainder(
                dividingBy: EntryFormat.blockSize)
            let length = min(wanted - done, self.length(of: block) - start)
            let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[done..<done + length])
            let got = try readBlock(block, start, piece)
            done += got
            if got < length { break }
        }
        return done
    }
}
