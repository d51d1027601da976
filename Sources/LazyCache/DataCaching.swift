public import LazyBytes

/// Keeps bytes under keys, as the pipeline's aggressive disk cache does; the role of `DataCache`.
///
/// Used by any thread at any time; reading may block on a disk, storing does not.
public protocol DataCaching: AnyObject, Sendable {
    /// The bytes of a key, or nil.
    func cachedData(for key: String) -> Blob?

    /// Whether there are bytes for a key; does not count as use.
    func containsData(for key: String) -> Bool

    /// Stores bytes; `cachedData` gives them at once, the disk gets them soon.
    func storeData(_ data: Blob, for key: String)

    /// Removes the bytes of a key.
    func removeData(for key: String)

    /// Removes all bytes.
    func removeAll()

    /// Waits until all that was stored is on disk.
    func flush()
}
