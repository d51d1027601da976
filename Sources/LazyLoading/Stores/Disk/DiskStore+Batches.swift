internal import Glibc
internal import LazyBase

extension DiskStore {
    /// Stores complete entries, and returns the keys of those that cannot be stored.
    ///
    /// Bodies in memory are written by one system call each, and become visible in batches. Other entries are
    /// stored one by one, and so are those for which a batch fails, as when the folder was removed.
    func store(_ entries: [(key: String, entry: CachedData)]) -> [String] {
        var (wholes, others) = ([WholeEntry](), [(key: String, entry: CachedData)]())
        for (key, entry) in entries {
            if let body = entry.data.bytesInMemory, body.count <= limits.longestBody {
                wholes.append(WholeEntry(key: key, metadata: entry.metadata, body: body))
            } else {
                others.append((key, entry))
            }
        }
        // The entries of a shard follow one another.
        wholes.sort { $0.name < $1.name }
        for start in stride(from: 0, to: wholes.count, by: Self.batchCount) {
            let left = storeBatch(wholes[start..<min(wholes.count, start + Self.batchCount)])
            others += left.map { ($0.header.key, $0.content) }
        }
        return others.compactMap { key, entry in
            do throws(SystemError) {
                try store(entry.data, metadata: entry.metadata, for: key)
                return nil
            } catch { return key }
        }
    }

    /// So many files are open at once, and are renamed while other writers wait.
    private static let batchCount = 32

    /// A complete staging file; its lock tells sweeps that its writer is alive.
    private typealias Staged = (entry: WholeEntry, file: FileDescriptor, size: Int)

    /// Stores some entries, and returns the others.
    private func storeBatch(_ entries: ArraySlice<WholeEntry>) -> [WholeEntry] {
        let root = root
        guard let partials = try? root.folder(DiskLayout.partials) else { return Array(entries) }
        let staged = entries.compactMap { try? stage($0, in: partials) }
        let stored = (try? makeVisible(staged, of: partials, in: root)) ?? []
        let failed = entries.filter { !stored.contains($0.header.id) }
        for entry in failed { partials.remove(entry.stagingName) }
        return failed
    }

    private func stage(
        _ entry: WholeEntry, in partials: OwnedFolder
    ) throws(SystemError) -> Staged {
        let file = try partials.open(entry.stagingName, O_WRONLY | O_CREAT | O_EXCL)
        // If a sweep has removed it before, it cannot be renamed.
        _ = try file.lock(waiting: true)
        let now = clocks.wall()
        let size = try entry.write(to: file, at: now)
        file.setTimes(used: now, changed: now)
        return (entry, file, size)
    }

    /// Makes staging files entries, and returns the IDs of those for which that succeeds.
    private func makeVisible(
        _ staged: [Staged], of partials: OwnedFolder, in root: OwnedFolder
    ) throws(SystemError) -> Set<UInt64> {
        var (stored, sizes) = (Set<UInt64>(), [Int]())
        let state = try StoreState.update(in: root) { state in
            var rest = staged[...]
            while let name = rest.first?.entry.name {
                let shard = DiskLayout.shard(name)
                let group = rest.prefix { $0.entry.name.hasPrefix(shard) }
                rest = rest.dropFirst(group.count)
                guard let folder = try? DiskLayout.openShard(name, in: root) else { continue }
                for (entry, _, size) in group {
                    do throws(SystemError) {
                        try replaceEntry(
                            entry.name, in: folder, by: entry.stagingName, of: partials, size: size,
                            &state)
                    } catch { continue }
                    stored.insert(entry.header.id)
                    sizes.append(size)
                }
            }
            return state
        }
        sweepOn(state, written: sizes)
        return stored
    }
}
