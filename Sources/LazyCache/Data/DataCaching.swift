public import LazyBytes

/// Keeps bytes under keys, as the pipeline's aggressive disk cache does; the role of `DataCache`.
///
/// Used by any thread at any time; reading may block on a disk, storing does not. Keys that share
/// what stands before their first line break are variants of one another.
public protocol DataCaching: AnyObject, Sendable {
    /// The bytes of a key, or nil.
    func cachedData(for key: String) -> Blob?

    /// The bytes of a key with what was stored beside them, or nil.
    func cachedEntry(for key: String) -> CachedData?

    /// Whether there are bytes for a key; does not count as use.
    func containsData(for key: String) -> Bool

    /// Stores bytes; `cachedData` gives them at once, the disk gets them soon.
    func storeData(_ data: Blob, for key: String)

    /// Stores bytes with a few more beside them, which `cachedEntry` gives back.
    func storeData(_ data: Blob, metadata: [UInt8], for key: String)

    /// Removes the bytes of a key.
    func removeData(for key: String)

    /// Removes the bytes of a key and of all its variants, and tells how many; may block on a disk.
    func removeVariants(of key: String) -> RemovedEntries

    /// Removes all bytes, and tells how many; may block on a disk.
    @discardableResult func removeAll() -> RemovedEntries

    /// Waits until all that was stored is on disk.
    func flush()
}

extension DataCaching {
    /// The bytes, with nothing beside them.
    public func cachedEntry(for key: String) -> CachedData? {
        cachedData(for: key).map { CachedData(data: $0) }
    }

    /// Stores the bytes alone.
    public func storeData(_ data: Blob, metadata: [UInt8], for key: String) {
        storeData(data, for: key)
    }
}

/// Bytes of a data cache, with what was stored beside them.
public struct CachedData: Sendable {
    /// The bytes.
    public let data: Blob
    /// What was stored beside them; empty where that was nothing.
    public let metadata: [UInt8]

    /// Makes an entry.
    public init(data: Blob, metadata: [UInt8] = []) {
        self.data = data
        self.metadata = metadata
    }
}
