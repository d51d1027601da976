internal import Glibc
public import LazyBytes

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
        try root.makeFolder(DiskLayout.shard(name))
        let state = try StoreState.update(in: root) { state throws(SystemError) in
            try replaceEntry(name, in: root, by: path, size: size, &state)
            return state
        }
        sweepOn(state, written: size)
    }

    func replaceEntry(
        _ name: String, in root: OwnedFolder, by path: String, size: Int, _ state: inout StoreState
    ) throws(SystemError) {
        let entry = DiskLayout.entry(name)
        let old = root.status(of: entry)
        let oldID = old == nil ? nil : entryID(name, in: root)
        try root.rename(path, to: entry)
        if let oldID { root.remove(DiskLayout.metadata(name, id: oldID)) }
        state.byteCount += size - (old?.size ?? 0)
    }

    func removeEntry(_ name: String, _ state: inout StoreState) throws(SystemError) {
        let root = root
        guard let status = root.status(of: DiskLayout.entry(name)) else { return }
        let id = entryID(name, in: root)
        if !root.remove(DiskLayout.entry(name)), errno != ENOENT { throw .last }
        if let id { root.remove(DiskLayout.metadata(name, id: id)) }
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

    /// The ID in the header of an entry, without verification.
    func entryID(_ name: String, in root: OwnedFolder) -> UInt64? {
        guard let file = try? root.openToRead(DiskLayout.entry(name)),
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
