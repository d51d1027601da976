internal import Glibc
internal import LazyBytes
internal import Synchronization

/// The body of an entry in its file; each block is checked when it is touched first.
final class EntryBody: BlobReading {
    let count: Int
    private let descriptor: FileDescriptor
    private let start: Int
    private let id: UInt64
    private let onDamage: @Sendable () -> Void
    private let isDamaged = Atomic<Bool>(false)
    private let checked: Locked<[Bool]>

    init(_ file: EntryFile, onDamage: @escaping @Sendable () -> Void) {
        count = file.footer.bodyLength
        descriptor = file.descriptor
        start = file.header.size
        id = file.header.id
        self.onDamage = onDamage
        checked = Locked(Array(repeating: false, count: EntryFormat.blockCount(count)))
    }

    func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemError) -> Int {
        guard offset >= 0, offset < count else { return 0 }
        let wanted = min(buffer.count, count - offset)
        var done = 0
        while done < wanted {
            let place = offset + done
            let (block, inside) = place.quotientAndRemainder(dividingBy: EntryFormat.blockSize)
            let length = min(wanted - done, self.length(of: block) - inside)
            let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[done..<done + length])
            try read(block, from: inside, into: piece)
            done += length
        }
        return done
    }

    /// Reads every block; throws `EBADMSG` at the first that is wrong.
    func check() throws(SystemError) {
        for block in 0..<EntryFormat.blockCount(count) { _ = try checkedBlock(block) }
    }

    private func length(of block: Int) -> Int {
        min(EntryFormat.blockSize, count - block * EntryFormat.blockSize)
    }

    private func read(
        _ block: Int, from inside: Int, into piece: UnsafeMutableRawBufferPointer
    ) throws(SystemError) {
        if checked.withLock({ $0[block] }) {
            let place = start + EntryFormat.blockOffset(block) + inside
            if try descriptor.read(at: place, into: piece) < piece.count { throw damage() }
        } else if piece.count == length(of: block) {
            try readChecked(block, into: piece)
        } else {
            try checkedBlock(block).withUnsafeBytes {
                piece.copyMemory(from: .init(rebasing: $0[inside..<inside + piece.count]))
            }
        }
    }

    private func checkedBlock(_ block: Int) throws(SystemError) -> [UInt8] {
        var failure: SystemError?
        let bytes = [UInt8](unsafeUninitializedCapacity: length(of: block)) { buffer, filled in
            do throws(SystemError) {
                try readChecked(block, into: UnsafeMutableRawBufferPointer(buffer))
                filled = buffer.count
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Reads a whole block with its checksum.
    private func readChecked(
        _ block: Int, into bytes: UnsafeMutableRawBufferPointer
    ) throws(SystemError) {
        let place = start + EntryFormat.blockOffset(block)
        let length = self.length(of: block)
        let bytes = UnsafeMutableRawBufferPointer(rebasing: bytes[..<length])
        guard try descriptor.read(at: place, into: bytes) == length else { throw damage() }
        let sum = try descriptor.bytes(at: place + length, count: EntryFormat.checksumSize)
        guard sum.count == EntryFormat.checksumSize,
            UInt32(sum, at: 0) == EntryFormat.checksum(.init(bytes), block: block, id: id)
        else { throw damage() }
        checked.withLock { $0[block] = true }
    }

    private func damage() -> SystemError {
        if !isDamaged.exchange(true, ordering: .relaxed) { onDamage() }
        return SystemError(code: EBADMSG)
    }
}
