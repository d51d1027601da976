public import LazyBase

/// Stores bytes under keys; the protocol of `DataCache`, the pipeline's aggressive disk cache.
///
/// Thread-safe; reading may block on a disk, storing does not. Keys with the same text before the
/// first line break are variants of each other.
public protocol DataCaching: AnyObject, Sendable {
    /// The bytes of a key, or nil.
    func cachedData(for key: String) -> Blob?

    /// The bytes and the metadata of a key, or nil.
    func cachedEntry(for key: String) -> CachedData?

    /// Whether there are bytes for a key; does not mark them as used.
    func containsData(for key: String) -> Bool

    /// Stores bytes; `cachedData` returns them at once, they are written later.
    func storeData(_ data: Blob, for key: String)

    /// Stores bytes with metadata, which `cachedEntry` returns.
    func storeData(_ data: Blob, metadata: [UInt8], for key: String)

    /// Removes the bytes of a key.
    func removeData(for key: String)

    /// Removes the bytes of a key and of its variants; may block on a disk.
    func removeVariants(of key: String) -> RemovedEntries

    /// Removes all bytes; may block on a disk.
    @discardableResult func removeAll() -> RemovedEntries

    /// Waits until everything is written.
    func flush()
}

extension DataCaching {
    /// The bytes without metadata.
    public func cachedEntry(for key: String) -> CachedData? {
        cachedData(for: key).map { CachedData(data: $0) }
    }

    /// Stores the bytes without metadata.
    public func storeData(_ data: Blob, metadata: [UInt8], for key: String) {
        storeData(data, for: key)
    }
}

/// Bytes of a data cache, with metadata.
public struct CachedData: Sendable {
    /// The bytes.
    public let data: Blob
    /// The metadata; empty if there is none.
    public let metadata: [UInt8]

    /// Makes an entry.
    public init(data: Blob, metadata: [UInt8] = []) {
        self.data = data
        self.metadata = metadata
    }
}
