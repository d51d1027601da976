internal import Glibc
internal import LazyBase
internal import Synchronization

/// The body of a complete entry; the checksum of each block is verified when it is read first.
final class EntryBody: BlobReading {
    let count: Int
    private let blocks: EntryBlocks
    private let onDamage: @Sendable () -> Void
    private let isDamaged = Atomic<Bool>(false)
    private let verified: Locked<[Bool]>

    init(_ file: EntryFile, onDamage: @escaping @Sendable () -> Void) {
        count = file.footer.bodyLength
        blocks = EntryBlocks(file.descriptor, file.header, count: count)
        self.onDamage = onDamage
        verified = Locked(Array(repeating: false, count: EntryFormat.blockCount(count)))
    }

    func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemError) -> Int {
        try blocks.read(at: offset, into: buffer) { (block, start, piece) throws(SystemError) in
            try read(block, from: start, into: piece)
            return piece.count
        }
    }

    /// Reads every block; throws `EBADMSG` at the first damaged one.
    func check() throws(SystemError) {
        for block in 0..<blocks.blockCount { _ = try verifiedBytes(of: block) }
    }

    private func read(
        _ block: Int, from start: Int, into piece: UnsafeMutableRawBufferPointer
    ) throws(SystemError) {
        if verified.withLock({ $0[block] }) {
            let offset = blocks.offset(of: block) + start
            if try blocks.file.read(at: offset, into: piece) < piece.count { throw damage() }
        } else if piece.count == blocks.length(of: block) {
            guard try blocks.read(block, into: piece) else { throw damage() }
            didVerify(block)
        } else {
            try verifiedBytes(of: block).withUnsafeBytes {
                piece.copyMemory(from: .init(rebasing: $0[start..<start + piece.count]))
            }
        }
    }

    private func verifiedBytes(of block: Int) throws(SystemError) -> [UInt8] {
        guard let bytes = try blocks.bytes(of: block) else { throw damage() }
        didVerify(block)
        return bytes
    }

    private func didVerify(_ block: Int) { verified.withLock { $0[block] = true } }

    private func damage() -> SystemError {
        if !isDamaged.exchange(true, ordering: .relaxed) { onDamage() }
        return SystemError(code: EBADMSG)
    }
}
