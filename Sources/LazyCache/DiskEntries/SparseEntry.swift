internal import Glibc
internal import LazyBytes

/// A staging file of which any blocks may be there: each stands in its own place, others are holes.
///
/// The checksums behind the blocks are the map: a hole reads as 0, and a block counts only with the
/// right one, which is written after it. So a block torn by a crash is missing, no two writers need to
/// agree on anything, and a whole file needs but a footer to be an entry. All writers share the
/// file's lock, which tells sweeps that they are alive.
final class SparseEntry: EntryFilling, BlobReading {
    private struct State {
        var metadata: [UInt8]
        /// Blocks that were read and found right.
        var right: Set<Int> = []
        /// Blocks that were read and found wrong, until they are written.
        var wrong: Set<Int> = []
        /// Blocks that we have written.
        var written: Set<Int> = []
        /// The beginnings of blocks that are not whole yet.
        var begun: [Int: [UInt8]] = [:]
        var isOpen = true
    }
    let count: Int
    let header: EntryHeader
    let file: FileDescriptor
    private let store: DiskStore
    private let root: OwnedFolder
    private let name: String
    private let oldMetadata: [UInt8]
    private let state: Locked<State>
    /// Held by whoever writes; readers do not wait for it.
    private let writing = Locked(())

    init(
        _ store: DiskStore, in root: OwnedFolder, name: String, _ file: FileDescriptor,
        header: EntryHeader,
        metadata: [UInt8], count: Int, tail: (block: Int, bytes: [UInt8])? = nil
    ) {
        self.store = store
        self.root = root
        self.name = name
        self.file = file
        self.header = header
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

    // MARK: - What is there

    func presentEnd(from offset: Int) -> Int {
        var place = offset
        while place < count {
            let block = place / EntryFormat.blockSize
            let start = block * EntryFormat.blockSize
            if isClaimed(block) {
                place = start + length(of: block)
            } else {
                let begun = state.withLock { $0.begun[block]?.count ?? 0 }
                return max(place, start + begun)
            }
        }
        return place
    }

    func missingEnd(from offset: Int) -> Int {
        let size = (try? file.status().size) ?? 0
        let begun = state.withLock { $0.begun.keys.sorted() }
        var block = offset / EntryFormat.blockSize + 1
        while block < EntryFormat.blockCount(count) {
            let isBegun = begun.contains(block)
            if isBegun || isClaimed(block) { return block * EntryFormat.blockSize }
            if place(of: block) >= size, begun.allSatisfy({ $0 < block }) { break }
            block += 1
        }
        return count
    }

    /// Whether a checksum stands behind a block that was not yet found wrong.
    private func isClaimed(_ block: Int) -> Bool {
        let known = state.withLock { state -> Bool? in
            if state.written.contains(block) || state.right.contains(block) { return true }
            return state.wrong.contains(block) ? false : nil
        }
        if let known { return known }
        return (try? sum(of: block)).map { $0 != 0 } ?? false
    }

    private func sum(of block: Int) throws(SystemError) -> UInt32 {
        let bytes = try file.bytes(
            at: place(of: block) + length(of: block), count: EntryFormat.checksumSize)
        return bytes.count == EntryFormat.checksumSize ? UInt32(bytes, at: 0) : 0
    }

    private func place(of block: Int) -> Int { header.size + EntryFormat.blockOffset(block) }

    private func length(of block: Int) -> Int {
        min(EntryFormat.blockSize, count - block * EntryFormat.blockSize)
    }

    // MARK: - Reading

    func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemError) -> Int {
        guard offset >= 0, offset < count else { return 0 }
        let wanted = min(buffer.count, count - offset)
        var done = 0
        while done < wanted {
            let (block, inside) = (offset + done).quotientAndRemainder(
                dividingBy: EntryFormat.blockSize)
            let most = min(wanted - done, length(of: block) - inside)
            let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[done..<done + most])
            let got = try read(block, from: inside, into: piece)
            done += got
            if got < most { break }
        }
        if done == 0 { throw SystemError(code: EBADMSG) }
        return done
    }

    private func read(
        _ block: Int, from inside: Int, into piece: UnsafeMutableRawBufferPointer
    ) throws(SystemError) -> Int {
        let (isRight, begun) = state.withLock { ($0.right.contains(block), $0.begun[block]) }
        if isRight { return try file.read(at: place(of: block) + inside, into: piece) }
        let whole = begun == nil ? try checkedBlock(block) : begun
        guard let bytes = whole,
            inside < bytes.count
        else { return 0 }
        let length = min(piece.count, bytes.count - inside)
        bytes.withUnsafeBytes {
            piece.copyMemory(from: .init(rebasing: $0[inside..<inside + length]))
        }
        return length
    }

    /// A whole block with the right checksum, or nil.
    private func checkedBlock(_ block: Int) throws(SystemError) -> [UInt8]? {
        guard isClaimed(block) else { return nil }
        let length = length(of: block)
        var bytes = try file.bytes(at: place(of: block), count: length + EntryFormat.checksumSize)
        let isWhole = bytes.count == length + EntryFormat.checksumSize
        let expected = isWhole ? UInt32(bytes, at: length) : 0
        bytes.removeLast(isWhole ? EntryFormat.checksumSize : 0)
        let sum = bytes.withUnsafeBytes {
            EntryFormat.checksum($0, block: block, id: header.id)
        }
        let isRight = isWhole && sum == expected
        state.withLock { state in
            if isRight {
                state.right.insert(block)
            } else {
                state.wrong.insert(block)
                state.written.remove(block)
            }
        }
        return isRight ? bytes : nil
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
                let most = min(bytes.count - done, length(of: block) - inside)
                try write(bytes[done..<done + most], to: block, at: inside)
                done += most
            }
        }
    }

    private func write(
        _ bytes: ArraySlice<UInt8>, to block: Int, at inside: Int
    ) throws(SystemError) {
        let length = length(of: block)
        let whole = state.withLock { state -> [UInt8]? in
            if state.written.contains(block) || state.right.contains(block) { return nil }
            if bytes.count == length { return Array(bytes) }
            var begun = state.begun.removeValue(forKey: block) ?? []
            // What does not go on where the block ends so far is of no use.
            if inside <= begun.count, inside + bytes.count > begun.count {
                begun.append(contentsOf: bytes.dropFirst(begun.count - inside))
            }
            // Whole ones stay readable here until they are in the file.
            if !begun.isEmpty { state.begun[block] = begun }
            return begun.count == length ? begun : nil
        }
        guard let whole else { return }
        try whole.withBytes { (whole) throws(SystemError) in
            let place = place(of: block)
            try file.write(whole, at: place)
            let sum = EntryFormat.checksum(whole, block: block, id: header.id)
            try file.write(sum.bytes, at: place + length)
        }
        state.withLock { state in
            state.wrong.remove(block)
            state.written.insert(block)
            state.begun[block] = nil
        }
    }

    // MARK: - The end

    func commit() throws(SystemError) {
        for block in 0..<EntryFormat.blockCount(count) {
            let isOurs = state.withLock {
                $0.written.contains(block) || $0.right.contains(block)
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
        // Alone, it may leave a footer; beside others the blocks alone stay.
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

    /// Writes the beginning of a block, and a footer that vouches for it.
    private func suspend(
        _ begun: (block: Int, bytes: [UInt8])?, at time: WallTime
    ) throws(SystemError) {
        var end = try file.status().size
        if let old = try EntryFile.suspendedFooter(file, size: end, id: header.id) {
            end -= old.size
        }
        var length = 0
        if let (block, bytes) = begun {
            let place = place(of: block)
            let sum = bytes.withUnsafeBytes {
                EntryFormat.checksum($0, block: block, id: header.id)
            }
            try file.write(bytes + sum.bytes, at: place)
            end = max(end, place + bytes.count + EntryFormat.checksumSize)
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
