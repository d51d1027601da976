internal import Glibc
public import LazyBase

extension DiskStore {
    /// Opens a sparse entry.
    public func filling(
        for key: String, count: ([UInt8]) -> Int?
    ) throws(SystemError) -> (any EntryFilling)? {
        let name = DiskLayout.name(of: key)
        let root = root
        let file: FileDescriptor
        do throws(SystemError) {
            file = try root.open(DiskLayout.partial(name), O_RDWR)
        } catch {
            if error.code == ENOENT { return nil }
            throw error
        }
        guard try file.lockShared(), isStaged(file, name, in: root) else { return nil }
        let size = try file.status().size
        let start = try file.bytes(at: 0, count: min(size, 4096))
        guard let header = try EntryFile.header(start, file, size: size), header.key == key else {
            return nil
        }
        let footer = try EntryFile.suspendedFooter(file, size: size, id: header.id)
        let metadata = footer?.metadata ?? header.metadata
        guard let count = count(metadata), count > 0, EntryFormat.storedLength(count) != nil else {
            return nil
        }
        let tail =
            if let footer { try Self.tail(file, header, footer, count) } else { nil as Tail? }
        return SparseEntry(
            self, in: root, name: name, file, header: header, metadata: metadata, count: count,
            tail: tail)
    }

    /// Begins a sparse entry, which replaces another one.
    public func makeFilling(
        for key: String, metadata: [UInt8], count: Int
    ) throws(SystemError) -> (any EntryFilling)? {
        guard count > 0, EntryFormat.storedLength(count) != nil else { return nil }
        let name = DiskLayout.name(of: key)
        let root = root
        guard let file = try newPartial(name, in: root) else { return nil }
        let header = EntryHeader(id: .random(in: 0 ... .max), key: key, metadata: metadata)
        try file.write(header.encoded, at: 0)
        guard try file.lockShared(), isStaged(file, name, in: root) else { return nil }
        return SparseEntry(
            self, in: root, name: name, file, header: header, metadata: metadata, count: count)
    }

    private typealias Tail = (block: Int, bytes: [UInt8])

    /// The beginning of a block after which there is a footer.
    private static func tail(
        _ file: FileDescriptor, _ header: EntryHeader, _ footer: EntryFooter, _ count: Int
    ) throws(SystemError) -> Tail? {
        let (block, length) = footer.bodyLength.quotientAndRemainder(
            dividingBy: EntryFormat.blockSize)
        guard length > 0, footer.bodyLength < count else { return nil }
        return try EntryBlocks(file, header).bytes(of: block, length: length).map { (block, $0) }
    }

    // MARK: - For sparse entries

    /// Whether a staging file still has its name.
    func isStaged(_ file: FileDescriptor, _ name: String, in root: OwnedFolder) -> Bool {
        guard let own = try? file.status().identity,
            let there = root.status(of: DiskLayout.partial(name))?.identity
        else { return false }
        return own.isSameFile(as: there)
    }

    /// Removes a staging file, even if others have it open, unless another one has replaced it.
    func removeFilled(_ file: FileDescriptor, _ name: String, in root: OwnedFolder) {
        try? StoreState.update(in: root) { _ throws(SystemError) in
            if isStaged(file, name, in: root) { root.remove(DiskLayout.partial(name)) }
        }
    }

    /// Makes a complete staging file the entry, unless somebody else has done so.
    ///
    /// `finish` writes the footer and returns the file's size; only one process at a time calls it.
    func makeFilledVisible(
        _ file: FileDescriptor, _ name: String, in root: OwnedFolder, id: UInt64,
        _ finish: () throws(SystemError) -> Int
    ) throws(SystemError) {
        let shard = try DiskLayout.openShard(name, in: root)
        let (state, size) = try StoreState.update(in: root) {
            state throws(SystemError) -> (StoreState, Int) in
            guard isStaged(file, name, in: root) else {
                if entryID(name, in: shard) == id { return (state, 0) }
                throw SystemError(code: ENOENT)
            }
            let size = try finish()
            try replaceEntry(
                name, in: shard, by: DiskLayout.partial(name), of: root, size: size, &state)
            return (state, size)
        }
        sweepOn(state, written: [size])
    }
}
