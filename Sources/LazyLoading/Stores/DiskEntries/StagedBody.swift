internal import Glibc
internal import LazyBase

/// A growing body: whole blocks in the file, the rest in memory.
final class StagedBody: BlobReading {
    private struct Progress {
        /// The number of whole blocks in the file.
        var blocks = 0
        /// The bytes after them.
        var tail: [UInt8] = []
        var failure: SystemError?

        var count: Int { blocks * EntryFormat.blockSize + tail.count }
    }
    private let blocks: EntryBlocks
    private let progress: Locked<Progress>
    /// Held during a write; readers do not wait for it.
    private let writing = Locked(())

    init(_ file: FileDescriptor, header: EntryHeader, blocks: Int = 0, tail: [UInt8] = []) {
        self.blocks = EntryBlocks(file, header)
        progress = Locked(Progress(blocks: blocks, tail: tail))
    }

    var file: FileDescriptor { blocks.file }
    private var id: UInt64 { blocks.header.id }

    var count: Int { progress.withLock { $0.count } }

    func append(_ bytes: [UInt8]) throws(SystemError) {
        try writing.withLock { _ throws(SystemError) -> Void in
            do throws(SystemError) {
                if let failure = progress.withLock({ $0.failure }) { throw failure }
                var place = try fillTail(bytes)
                while bytes.count - place >= EntryFormat.blockSize {
                    let next = place + EntryFormat.blockSize
                    try bytes.withBytes { bytes throws(SystemError) in
                        try write(.init(rebasing: bytes[place..<next]))
                    }
                    progress.withLock { $0.blocks += 1 }
                    place = next
                }
                if place < bytes.count {
                    progress.withLock { $0.tail.append(contentsOf: bytes[place...]) }
                }
            } catch {
                // Earlier bytes stay valid; later ones would leave a gap.
                progress.withLock { $0.failure = error }
                throw error
            }
        }
    }

    /// Writes the rest and a footer, and returns the size of the file; ends appending.
    func finish(
        _ ending: EntryFormat.Ending, metadata: [UInt8]?, at time: WallTime
    ) throws(SystemError) -> Int {
        try writing.withLock { _ throws(SystemError) -> Int in
            let (count, tail, failure) = progress.withLock { progress in
                defer { progress.failure = progress.failure ?? SystemError(code: EBADF) }
                return (progress.count, progress.tail, progress.failure)
            }
            if let failure, ending == .complete { throw failure }
            let block = count / EntryFormat.blockSize
            var end: [UInt8] = []
            if !tail.isEmpty {
                let sum = tail.withUnsafeBytes { EntryFormat.checksum($0, block: block, id: id) }
                end = tail + sum.bytes
            }
            end +=
                EntryFooter(
                    ending: ending, id: id, bodyLength: count, storedAt: time, metadata: metadata
                ).encoded
            let place = blocks.offset(of: block)
            try file.write(end, at: place)
            // Removes incomplete blocks of a failed write after the footer.
            try file.truncate(to: place + end.count)
            return place + end.count
        }
    }

    /// Moves bytes to the tail until it is a whole block; returns how many.
    private func fillTail(_ bytes: [UInt8]) throws(SystemError) -> Int {
        let (taken, block) = progress.withLock { progress -> (Int, [UInt8]?) in
            if progress.tail.isEmpty { return (0, nil) }
            let taken = min(EntryFormat.blockSize - progress.tail.count, bytes.count)
            progress.tail.append(contentsOf: bytes[..<taken])
            return (taken, progress.tail.count == EntryFormat.blockSize ? progress.tail : nil)
        }
        if let block {
            try block.withBytes { block throws(SystemError) in try write(block) }
            progress.withLock { progress in
                progress.blocks += 1
                progress.tail = []
            }
        }
        return taken
    }

    private func write(_ block: UnsafeRawBufferPointer) throws(SystemError) {
        try blocks.write(block, to: progress.withLock { $0.blocks })
    }

    func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemError) -> Int {
        let (blockCount, tail) = progress.withLock { ($0.blocks, $0.tail) }
        let inFile = blockCount * EntryFormat.blockSize
        guard offset >= 0, offset < inFile + tail.count else { return 0 }
        let fromFile = max(0, min(buffer.count, inFile - offset))
        let done = try blocks.read(
            at: offset, into: .init(rebasing: buffer.prefix(fromFile))
        ) { (block, start, piece) throws(SystemError) in
            let place = blocks.offset(of: block) + start
            guard try file.read(at: place, into: piece) == piece.count else {
                throw SystemError(code: EBADMSG)
            }
            return piece.count
        }
        guard offset + done >= inFile else { return done }
        let rest = tail.dropFirst(offset + done - inFile).prefix(buffer.count - done)
        UnsafeMutableRawBufferPointer(rebasing: buffer[done...]).copyBytes(from: rest)
        return done + rest.count
    }
}
