internal import Glibc
public import LazyBase

/// Stores entries in a folder, one file each, safe for several processes and crashes.
///
/// An entry is written to a staging file and renamed; every block, the key and the metadata have
/// checksums, so that damage is detected. Beyond the size limit, the least recently used entries are
/// removed.
public final class DiskStore: EntryStoring {
    /// The folder.
    public let folder: String
    /// The limits.
    public let limits: StoreLimits
    let clocks: Clocks
    private let opened: Locked<OwnedFolder>
    /// The names in the folder that is being swept.
    let sweptNames = Locked(SweptNames?.none)

    /// Opens the store in a folder, which is created if it is missing.
    ///
    /// The folder is private: the permissions of other users are removed, and a folder of another user
    /// is refused with `EPERM`, even for root.
    public init(
        folder: String, limits: StoreLimits = .init(), clocks: Clocks = .system
    ) throws(SystemError) {
        self.folder = folder
        self.limits = limits
        self.clocks = clocks
        opened = Locked(try DiskLayout.open(folder))
    }

    /// The open folder.
    var root: OwnedFolder { opened.withLock { $0 } }

    /// Creates the folder again after it was removed.
    func reopen() throws(SystemError) {
        let root = try DiskLayout.open(folder)
        opened.withLock { $0 = root }
    }

    /// The entry of a key, or nil; a damaged one is removed.
    public func entry(for key: String) throws(SystemError) -> StoredEntry? {
        let name = DiskLayout.name(of: key)
        guard let file = try openEntry(name, wantsBody: true), file.header.key == key else {
            return nil
        }
        let status = file.status
        guard let body = file.body(onDamage: { [self] in removeDamaged(name, status) }) else {
            removeDamaged(name, status)
            return nil
        }
        markUsed(file)
        return StoredEntry(
            key: key, metadata: metadata(of: file, name), body: body,
            storedAt: file.footer.storedAt)
    }

    /// Whether there is an entry; does not read its body.
    public func contains(_ key: String) -> Bool {
        guard let file = try? openEntry(DiskLayout.name(of: key)) else { return false }
        return file.header.key == key
    }

    // MARK: - For writers and sweeps

    func openEntry(
        _ name: String, wantsBody: Bool = false
    ) throws(SystemError) -> EntryFile? {
        switch try EntryFile.open(DiskLayout.entry(name), in: root, wantsBody: wantsBody) {
        case .missing: return nil
        case .whole(let file):
            guard isExpired(file) else { return file }
            // The open descriptor prevents its inode from being reused.
            withExtendedLifetime(file.descriptor) { removeDamaged(name, file.status) }
            return nil
        case .damaged(let descriptor, let status):
            // The open descriptor prevents its inode from being reused.
            withExtendedLifetime(descriptor) { removeDamaged(name, status) }
            return nil
        }
    }

    /// Makes a complete staging file the entry.
    func makeVisible(
        _ path: String, in root: OwnedFolder, name: String, size: Int
    ) throws(SystemError) {
        let shard = try DiskLayout.openShard(name, in: root)
        let state = try StoreState.update(in: root) { state throws(SystemError) in
            try replaceEntry(name, in: shard, by: path, of: root, size: size, &state)
            return state
        }
        sweepOn(state, written: [size])
    }

    /// Puts a staging file in the place of an entry, in the folder of its shard.
    func replaceEntry(
        _ name: String, in shard: OwnedFolder, by path: String, of root: OwnedFolder, size: Int,
        _ state: inout StoreState
    ) throws(SystemError) {
        let old = shard.status(of: name)
        let oldID = old == nil ? nil : entryID(name, in: shard)
        try root.rename(path, to: name, in: shard)
        if let oldID { shard.remove(DiskLayout.sidecar(name, id: oldID)) }
        state.byteCount += size - (old?.size ?? 0)
    }

    func removeEntry(_ name: String, _ state: inout StoreState) throws(SystemError) {
        guard let shard = try? root.folder(DiskLayout.shard(name)) else { return }
        try removeEntry(name, in: shard, hasSidecar: true, &state)
    }

    /// Removes an entry in the folder of its shard, and its sidecar file if there may be one.
    func removeEntry(
        _ name: String, in shard: OwnedFolder, hasSidecar: Bool, _ state: inout StoreState
    ) throws(SystemError) {
        guard let status = shard.status(of: name) else { return }
        let id = hasSidecar ? entryID(name, in: shard) : nil
        if !shard.remove(name), errno != ENOENT { throw .last }
        if let id { shard.remove(DiskLayout.sidecar(name, id: id)) }
        state.byteCount -= status.size
    }

    /// Removes an entry unless another one has replaced it.
    func removeDamaged(_ name: String, _ status: FileStatus) {
        let root = root
        try? StoreState.update(in: root) { state throws(SystemError) in
            guard root.status(of: DiskLayout.entry(name))?.identity == status.identity else {
                return
            }
            try removeEntry(name, &state)
        }
    }

    /// The ID in the header of an entry in the folder of its shard, without verification.
    func entryID(_ name: String, in shard: OwnedFolder) -> UInt64? {
        guard let file = try? shard.openToRead(name),
            let bytes = try? file.bytes(at: 0, count: 16), bytes.count == 16
        else { return nil }
        return UInt64(bytes, at: 8)
    }

    /// Records the use of an entry, at most once a minute, which saves writes.
    private func markUsed(_ file: EntryFile) {
        let now = clocks.wall()
        let age = now - file.status.lastUsed
        if age > .seconds(60) || age < .seconds(-60) {
            file.descriptor.setTimes(used: now, changed: nil)
        }
    }
}
