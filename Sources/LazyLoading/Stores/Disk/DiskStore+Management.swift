internal import Glibc
public import LazyBase

/// An entry without its body.
public struct StoredEntryInfo: Hashable, Sendable {
    /// Its key.
    public let key: String
    /// The size of its body.
    public let byteCount: Int
    /// Its disk space.
    public let allocatedByteCount: Int
    /// The metadata.
    public let metadata: [UInt8]
    /// When it was stored.
    public let storedAt: WallTime
    /// When it was used last, to the minute.
    public let lastUsed: WallTime
}

/// The result of a verification.
public struct VerificationReport: Hashable, Sendable {
    /// The number of entries.
    public internal(set) var count = 0
    /// The size of their bodies.
    public internal(set) var byteCount = 0
    /// The files of damaged entries, relative to the folder.
    public internal(set) var damaged: [String] = []
    /// The number of removed ones.
    public internal(set) var removedCount = 0
}

extension DiskStore {
    /// The entries, the last used one first; blocks, and opens each entry.
    public func entries() -> [StoredEntryInfo] {
        var entries: [StoredEntryInfo] = []
        forEachEntry { entries.append($0) }
        return entries.sorted { ($1.lastUsed, $0.key) < ($0.lastUsed, $1.key) }
    }

    /// Calls a closure with each entry, unordered.
    public func forEachEntry(_ body: (StoredEntryInfo) -> Void) {
        forEachFound { found in
            let path = DiskLayout.entry(found.name)
            guard case .whole(let file)? = try? EntryFile.open(path, in: root) else { return }
            body(info(file, found.name))
        }
    }

    /// Removes chosen entries, and returns their number; blocks.
    @discardableResult
    public func remove(matching isChosen: (StoredEntryInfo) -> Bool) throws(SystemError) -> Int {
        var chosen: [String] = []
        forEachEntry { if isChosen($0) { chosen.append($0.key) } }
        for key in chosen { try remove(key) }
        return chosen.count
    }

    /// Verifies all bytes of all entries, and optionally removes damaged ones.
    ///
    /// Blocks for the time of reading the whole store.
    public func verify(removingDamaged: Bool = false) -> VerificationReport {
        var report = VerificationReport()
        forEachFound { found in
            report.count += 1
            guard let outcome = try? EntryFile.open(DiskLayout.entry(found.name), in: root) else {
                report.damaged.append(DiskLayout.entry(found.name))
                return
            }
            switch outcome {
            case .missing: report.count -= 1
            case .whole(let file) where isWhole(file, found.name):
                report.byteCount += file.footer.bodyLength
            case .whole(let file):
                didFindDamage(found.name, file.status, &report, removingDamaged)
            case .damaged(let descriptor, let status):
                withExtendedLifetime(descriptor) {
                    didFindDamage(found.name, status, &report, removingDamaged)
                }
            }
        }
        return report
    }

    private func isWhole(_ file: EntryFile, _ name: String) -> Bool {
        guard DiskLayout.name(of: file.header.key) == name else { return false }
        if file.contents != nil { return file.body(onDamage: {}) != nil }
        do throws(SystemError) { try EntryBody(file, onDamage: {}).check() } catch { return false }
        return true
    }

    private func didFindDamage(
        _ name: String, _ status: FileStatus, _ report: inout VerificationReport, _ removes: Bool
    ) {
        report.damaged.append(DiskLayout.entry(name))
        guard removes else { return }
        removeDamaged(name, status)
        if root.status(of: DiskLayout.entry(name))?.identity != status.identity {
            report.removedCount += 1
        }
    }

    private func info(_ file: EntryFile, _ name: String) -> StoredEntryInfo {
        StoredEntryInfo(
            key: file.header.key, byteCount: file.footer.bodyLength,
            allocatedByteCount: file.status.allocatedSize, metadata: metadata(of: file, name),
            storedAt: file.footer.storedAt, lastUsed: file.status.lastUsed)
    }
}
