internal import Glibc
internal import LazyBytes

/// A body that is still growing: whole blocks in the file, the rest in memory.
final class StagedBody: BlobReading {
    private struct Progress {
        /// Whole blocks that stand in the file with their checksums.
        var blocks = 0
        /// What comes after them.
        var tail: [UInt8] = []
        var failure: SystemError?

        var count: Int { blocks * EntryFormat.blockSize + tail.count }
    }
    let file: FileDescriptor
    let id: UInt64
    private let start: Int
    private let progress: Locked<Progress>
    /// Held by whoever writes; readers do not wait for it.
    private let writing = Locked(())

    init(_ file: FileDescriptor, header: EntryHeader, blocks: Int = 0, tail: [UInt8] = []) {
        self.file = file
        id = header.id
        start = header.size
        progress = Locked(Progress(blocks: blocks, tail: tail))
    }

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
                // What came before stays good; what comes after would leave a gap.
                progress.withLock { $0.failure = error }
                throw error
            }
        }
    }

    /// Writes the rest and a footer, and returns the size of the file; more cannot be appended.
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
            let place = start + EntryFormat.blockOffset(block)
            try file.write(end, at: place)
            // Blocks that a failed write left half done must not stand behind the footer.
            try file.truncate(to: place + end.count)
            return place + end.count
        }
    }

    /// Takes bytes until the tail is a block or there are no more; returns how many.
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
        let number = progress.withLock { $0.blocks }
        let place = start + EntryFormat.blockOffset(number)
        try file.write(block, at: place)
        let sum = EntryFormat.checksum(block, block: number, id: id)
        try file.write(sum.bytes, at: place + block.count)
    }

    func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemError) -> Int {
        let (blocks, tail) = progress.withLock { ($0.blocks, $0.tail) }
        let inFile = blocks * EntryFormat.blockSize
        guard offset >= 0, offset < inFile + tail.count else { return 0 }
        let wanted = min(buffer.count, inFile + tail.count - offset)
        var done = 0
        while done < wanted, offset + done < inFile {
            let (block, inside) = (offset + done).quotientAndRemainder(
                dividingBy: EntryFormat.blockSize)
            let length = min(wanted - done, EntryFormat.blockSize - inside)
            let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[done..<done + length])
            let place = start + EntryFormat.blockOffset(block) + inside
            guard try file.read(at: place, into: piece) == length else {
                throw SystemError(code: EBADMSG)
            }
            done += length
        }
        if done < wanted {
            let from = offset + done - inFile
            tail.withUnsafeBytes {
                UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
                    .copyMemory(from: .init(rebasing: $0[from..<from + wanted - done]))
            }
        }
        return wanted
    }
}
