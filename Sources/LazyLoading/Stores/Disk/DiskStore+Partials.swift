public import LazyBase

/// A partial entry.
public struct StoredPartialInfo: Hashable, Sendable {
    /// Its key.
    public let key: String
    /// The size of its bytes, without holes.
    public let byteCount: Int
    /// The metadata.
    public let metadata: [UInt8]
    /// When it was used last, to the minute.
    public let lastUsed: WallTime
}

extension DiskStore {
    /// The partial entries, the last used one first; blocks, and opens each entry.
    ///
    /// Includes those that are being written.
    public func partials() -> [StoredPartialInfo] {
        scanPartials().compactMap { found in
            guard found.name.hasSuffix(".part") else { return nil }
            return try? partial(found)
        }.sorted { ($1.lastUsed, $0.key) < ($0.lastUsed, $1.key) }
    }

    private func partial(_ found: Found) throws(SystemError) -> StoredPartialInfo? {
        guard let file = try root.openToRead(DiskLayout.partials + "/" + found.name) else {
            return nil
        }
        let size = try file.status().size
        let start = try file.bytes(at: 0, count: min(size, 4096))
        guard let header = try EntryFile.header(start, file, size: size) else { return nil }
        let footer = try EntryFile.suspendedFooter(file, size: size, id: header.id)
        return StoredPartialInfo(
            key: header.key, byteCount: found.status.keptSize,
            metadata: footer?.metadata ?? header.metadata, lastUsed: found.status.lastUsed)
    }
}
