internal import Glibc
public import LazyBase

extension DiskStore {
    /// Removes entries of some kinds.
    ///
    /// The variants of a key are in one of 256 folders; `.matching` opens every entry.
    @discardableResult
    public func remove(
        _ choice: EntryChoice, kinds: EntryKinds = .all
    ) throws(SystemError) -> RemovedEntries {
        var removed = RemovedEntries()
        if kinds.contains(.suspended) { removeSuspended(choice, &removed) }
        if kinds.contains(.whole) { try removeWhole(choice, &removed) }
        return removed
    }

    private func removeWhole(
        _ choice: EntryChoice, _ removed: inout RemovedEntries
    ) throws(SystemError) {
        var rest = wholeNames(choice)[...]
        let root = root
        // In batches, so that writers do not wait long.
        while !rest.isEmpty {
            try StoreState.update(in: root) { state throws(SystemError) in
                for name in rest.prefix(32) {
                    guard let status = root.status(of: DiskLayout.entry(name)) else { continue }
                    try removeEntry(name, &state)
                    removed.count += 1
                    removed.byteCount += status.size
                }
            }
            rest = rest.dropFirst(32)
        }
    }

    private func wholeNames(_ choice: EntryChoice) -> [String] {
        switch choice {
        case .all: names { _ in true }
        case .key(let key): [DiskLayout.name(of: key)]
        case .variants(let key):
            names(inGroupOf: key, below: DiskLayout.shard(DiskLayout.name(of: key))).filter {
                $0.utf8.count == DiskLayout.nameLength && isEntry($0, in: EntryGroup.of(key))
            }
        case .matching(let isChosen):
            names { name in
                guard case .whole(let file)? = try? EntryFile.open(DiskLayout.entry(name), in: root)
                else {
                    return false
                }
                return isChosen(file.header.key, metadata(of: file, name))
            }
        }
    }

    /// The names of the entries that a closure chooses.
    private func names(where isChosen: (String) -> Bool) -> [String] {
        var names: [String] = []
        forEachFound { if isChosen($0.name) { names.append($0.name) } }
        return names
    }

    /// The files of a folder with the prefix of a key and its variants.
    private func names(inGroupOf key: String, below folder: String) -> [String] {
        let prefix = DiskLayout.name(of: key).prefix(DiskLayout.groupLength)
        return root.names(in: folder).filter { $0.hasPrefix(prefix) }
    }

    // A damaged entry has no key, and is removed too.
    private func isEntry(_ name: String, in group: Substring) -> Bool {
        guard case .whole(let file)? = try? EntryFile.open(DiskLayout.entry(name), in: root) else {
            return true
        }
        return EntryGroup.contains(file.header.key, in: group)
    }

    // MARK: - Suspended entries

    private func removeSuspended(_ choice: EntryChoice, _ removed: inout RemovedEntries) {
        for name in suspendedNames(choice) {
            let path = DiskLayout.partials + "/" + name
            guard let size = root.status(of: path)?.keptSize, removePartial(path) else { continue }
            // Temporary files of crashed writers cannot be continued, and do not count.
            if !name.hasSuffix(".tmp") { removed.suspendedCount += 1 }
            removed.byteCount += size
        }
    }

    private func suspendedNames(_ choice: EntryChoice) -> [String] {
        switch choice {
        case .all: return root.names(in: DiskLayout.partials)
        case .key(let key):
            let name = DiskLayout.name(of: key)
            return root.names(in: DiskLayout.partials).filter { $0.hasPrefix(name) }
        case .variants(let key):
            let group = EntryGroup.of(key)
            return names(inGroupOf: key, below: DiskLayout.partials).filter { name in
                suspendedHeader(name).map { EntryGroup.contains($0.key, in: group) } ?? true
            }
        case .matching(let isChosen):
            return root.names(in: DiskLayout.partials).filter { name in
                suspendedHeader(name).map { isChosen($0.key, $0.metadata) } ?? false
            }
        }
    }

    /// The key and the metadata of a suspended entry.
    private func suspendedHeader(_ name: String) -> (key: String, metadata: [UInt8])? {
        guard let file = try? root.openToRead(DiskLayout.partials + "/" + name),
            let size = try? file.status().size,
            let start = try? file.bytes(at: 0, count: min(size, 4096)),
            let header = try? EntryFile.header(start, file, size: size)
        else { return nil }
        let end = (try? file.bytes(at: max(0, size - 4096), count: min(size, 4096))) ?? []
        let footer = (try? EntryFile.footer(end, file, size: size)) ?? nil
        let isOwn = footer?.id == header.id
        return (header.key, isOwn ? footer?.metadata ?? header.metadata : header.metadata)
    }
}
