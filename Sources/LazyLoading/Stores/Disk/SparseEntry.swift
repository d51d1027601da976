internal import Glibc
internal import LazyBase

/// A staging file with any blocks at their final offsets, and holes for the others.
///
/// The checksums after the blocks are the map of the file: a hole reads as 0, and a block is present
/// only with a valid checksum, which is written after it. So a block torn by a crash is missing,
/// writers need no coordination, and a complete file only needs a footer to become an entry. All
/// writers share the lock of the file, which tells sweeps that they are alive.
final class SparseEntry: EntryFilling, BlobReading {
    private struct State {
        var metadata: [UInt8]
        /// Blocks that were read and are valid.
        var valid: Set<Int> = []
        /// Blocks that were read and are damaged, until they are written.
        var damaged: Set<Int> = []
        /// Blocks that this instance has written.
        var written: Set<Int> = []
        /// The beginnings of incomplete blocks.
        var begun: [Int: [UInt8]] = [:]
        var isOpen = true
    }
    let count: Int
    private let blocks: EntryBlocks
    private var header: EntryHeader { blocks.header }
    private var file: FileDescriptor { blocks.file }
    private let store: DiskStore
    private let root: OwnedFolder
    private let name: String
    private let oldMetadata: [UInt8]
    private let state: Locked<State>
    /// Held during a write; readers do not wait for it.
    private let writing = Locked(())

    init(
        _ store: DiskStore, in root: OwnedFolder, name: String, _ file: FileDescriptor,
        header: EntryHeader,
        metadata: [UInt8], count: Int, tail: (block: Int, bytes: [UInt8])? = nil
    ) {
        self.store = store
        self.root = root
        self.name = name
        blocks = EntryBlocks(file, header, count: count)
        self.count = count
        oldMetadata = metadata
        var state = State(metadata: metadata)
        if let tail { state.begun[tail.block] = tail.bytes }
        self.state = Locked(state)
    }

    deinit { close() }

    var metadata: [UInt8] { state.withLock { $0.metadata } }
    func setMetadata(_ metadata: [UInt8]) { state.withLock { $0.metadata = metadata } }
    var body: Blob { Blob(self) }

    var hasRoom: Bool {
        if count <= store.limits.longestBody { return true }
        return (try? file.status().keptSize).map { $0 < store.limits.partialBytes } ?? false
    }

    // MARK: - Present bytes

    func presentEnd(from offset: Int) -> Int {
        var end = offset
        while end < count {
            let block = end / EntryFormat.blockSize
            let start = block * EntryFormat.blockSize
            if isClaimed(block) {
                end = start + blocks.length(of: block)
            } else {
                let begun = state.withLock { $0.begun[block]?.count ?? 0 }
                return max(end, start + begun)
            }
        }
        return end
    }

    func missingEnd(from offset: Int) -> Int {
        let size = (try? file.status().size) ?? 0
        let begun = state.withLock { $0.begun.keys.sorted() }
        var block = offset / EntryFormat.blockSize + 1
        while block < blocks.blockCount {
            let isBegun = begun.contains(block)
            if isBegun || isClaimed(block) { return block * EntryFormat.blockSize }
            if blocks.offset(of: block) >= size, begun.allSatisfy({ $0 < block }) { break }
            block += 1
        }
        return count
    }

    /// Whether a block has a checksum and is not known to be damaged.
    private func isClaimed(_ block: Int) -> Bool {
        let known = state.withLock { state -> Bool? in
            if state.written.contains(block) || state.valid.contains(block) { return true }
            return state.damaged.contains(block) ? false : nil
        }
        if let known { return known }
        return (try? blocks.storedChecksum(of: block)).map { $0 != 0 } ?? false
    }

    // MARK: - Reading

    func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemError) -> Int {
        guard offset >= 0, offset < count else { return 0 }
        let done = try blocks.read(at: offset, into: buffer) {
            (block, start, piece) throws(SystemError) in
            try read(block, from: start, into: piece)
        }
        if done == 0 { throw SystemError(code: EBADMSG) }
        return done
    }

    private func read(
        _ block: Int, from inside: Int, into piece: UnsafeMutableRawBufferPointer
    ) throws(SystemError) -> Int {
        let (isValid, begun) = state.withLock { ($0.valid.contains(block), $0.begun[block]) }
        if isValid { return try file.read(at: blocks.offset(of: block) + inside, into: piece) }
        let whole = begun == nil ? try checkedBlock(block) : begun
        guard let bytes = whole, inside < bytes.count else { return 0 }
        let length = min(piece.count, bytes.count - inside)
        bytes.withUnsafeBytes {
            piece.copyMemory(from: .init(rebasing: $0[inside..<inside + length]))
        }
        return length
    }

    /// A block with a valid checksum, or nil.
    private func checkedBlock(_ block: Int) throws(SystemError) -> [UInt8]? {
        guard isClaimed(block) else { return nil }
        let bytes = try blocks.bytes(of: block)
        state.withLock { state in
            if bytes != nil {
                state.valid.insert(block)
            } else {
                state.damaged.insert(block)
                state.written.remove(block)
            }
        }
        return bytes
    }

    // MARK: - Writing

    func write(_ bytes: [UInt8], at offset: Int) throws(SystemError) {
        guard offset >= 0, bytes.count <= count - offset else { throw SystemError(code: EINVAL) }
        try writing.withLock { _ throws(SystemError) -> Void in
            guard state.withLock({ $0.isOpen }) else { throw SystemError(code: EBADF) }
            var done = 0
            while done < bytes.count {
                let (block, inside) = (offset + done).quotientAndRemainder(
                    dividingBy: EntryFormat.blockSize)
                let most = min(bytes.count - done, blocks.length(of: block) - inside)
                try write(bytes[done..<done + most], to: block, at: inside)
                done += most
            }
        }
    }

    private func write(
        _ bytes: ArraySlice<UInt8>, to block: Int, at inside: Int
    ) throws(SystemError) {
        let length = blocks.length(of: block)
        let whole = state.withLock { state -> [UInt8]? in
            if state.written.contains(block) || state.valid.contains(block) { return nil }
            if bytes.count == length { return Array(bytes) }
            var begun = state.begun.removeValue(forKey: block) ?? []
            // Only bytes that continue the beginning are kept.
            if inside <= begun.count, inside + bytes.count > begun.count {
                begun.append(contentsOf: bytes.dropFirst(begun.count - inside))
            }
            // A complete block stays readable here until it is in the file.
            if !begun.isEmpty { state.begun[block] = begun }
            return begun.count == length ? begun : nil
        }
        guard let whole else { return }
        try whole.withBytes { (whole) throws(SystemError) in
            try blocks.write(whole, to: block)
        }
        state.withLock { state in
            state.damaged.remove(block)
            state.written.insert(block)
            state.begun[block] = nil
        }
    }

    // MARK: - Ending

    func commit() throws(SystemError) {
        for block in 0..<blocks.blockCount {
            let isOurs = state.withLock {
                $0.written.contains(block) || $0.valid.contains(block)
            }
            if isOurs { continue }
            guard try checkedBlock(block) != nil else { throw SystemError(code: ENODATA) }
        }
        guard endOnce() else { throw SystemError(code: EBADF) }
        defer { file.unlock() }
        guard count <= store.limits.longestBody else {
            store.removeFilled(file, name, in: root)
            throw SystemError(code: EFBIG)
        }
        let now = store.clocks.wall()
        let footer = EntryFooter(
            ending: .complete, id: header.id, bodyLength: count, storedAt: now,
            metadata: changedMetadata)
        let place = header.size + (EntryFormat.storedLength(count) ?? 0)
        try store.makeFilledVisible(file, name, in: root, id: header.id) {
            () throws(SystemError) -> Int in
            let end = footer.encoded
            try file.write(end, at: place)
            try file.truncate(to: place + end.count)
            file.setTimes(used: now, changed: now)
            return place + end.count
        }
    }

    func close() {
        guard endOnce() else { return }
        defer { file.unlock() }
        let (begun, hasWritten) = state.withLock { state in
            (state.begun.max { $0.value.count < $1.value.count }, !state.written.isEmpty)
        }
        let now = store.clocks.wall()
        // A footer is written only without other writers.
        if begun != nil || metadata != oldMetadata, (try? file.lock(waiting: false)) == true,
            store.isStaged(file, name, in: root)
        {
            try? suspend(begun.map { ($0.key, $0.value) }, at: now)
        } else if !hasWritten, (try? file.status().size) == header.size {
            store.removeFilled(file, name, in: root)
        }
        file.setTimes(used: now, changed: nil)
        if hasWritten || begun != nil { store.trimPartials() }
    }

    func discard() {
        guard endOnce() else { return }
        store.removeFilled(file, name, in: root)
        file.unlock()
    }

    /// Writes the beginning of a block, and a footer with its length.
    private func suspend(
        _ begun: (block: Int, bytes: [UInt8])?, at time: WallTime
    ) throws(SystemError) {
        var end = try file.status().size
        if let old = try EntryFile.suspendedFooter(file, size: end, id: header.id) {
            end -= old.size
        }
        var length = 0
        if let (block, bytes) = begun {
            try bytes.withBytes { bytes throws(SystemError) in try blocks.write(bytes, to: block) }
            end = max(end, blocks.offset(of: block) + bytes.count + EntryFormat.checksumSize)
            length = block * EntryFormat.blockSize + bytes.count
        }
        let footer = EntryFooter(
            ending: .suspended, id: header.id, bodyLength: length, storedAt: time,
            metadata: changedMetadata
        ).encoded
        try file.write(footer, at: end)
        try file.truncate(to: end + footer.count)
    }

    private var changedMetadata: [UInt8]? {
        let metadata = metadata
        return metadata == header.metadata ? nil : metadata
    }

    private func endOnce() -> Bool {
        writing.withLock { _ in
            state.withLock { state in
                defer { state.isOpen = false }
                return state.isOpen
            }
        }
    }
}
