public import LazyBase

/// Stores entries under keys; each has a body and a few bytes of metadata.
///
/// The protocol of `DiskStore`. Thread-safe; every method may block on a disk. Entries are atomic: a
/// reader keeps what it has opened when the entry is replaced.
public protocol EntryStoring: AnyObject, Sendable {
    /// The entry of a key, or nil; marks it as used.
    func entry(for key: String) throws(SystemError) -> StoredEntry?

    /// Begins an entry, which replaces an older one when it is committed.
    func makeWriter(for key: String, metadata: [UInt8]) throws(SystemError) -> any EntryWriting

    /// Continues an entry that was suspended or interrupted by a crash, or returns nil.
    ///
    /// Holds it exclusively: nil if another process has it. After a crash it is truncated to the last
    /// bytes with a valid checksum.
    func suspendedWriter(for key: String) throws(SystemError) -> (any EntryWriting)?

    /// Opens a sparse entry; nil if there is none, or somebody else holds it exclusively.
    ///
    /// `count` returns the size of the whole body from the metadata; nil if it is unknown.
    func filling(
        for key: String, count: ([UInt8]) -> Int?
    ) throws(SystemError) -> (any EntryFilling)?

    /// Begins a sparse entry, which replaces another one.
    ///
    /// Nil if somebody else holds that exclusively.
    func makeFilling(
        for key: String, metadata: [UInt8], count: Int
    ) throws(SystemError) -> (any EntryFilling)?

    /// Replaces the metadata of an entry, without its body; false if there is none.
    func setMetadata(_ metadata: [UInt8], for key: String) throws(SystemError) -> Bool

    /// Removes entries of some kinds; blocks.
    ///
    /// Entries that are being written are kept.
    @discardableResult
    func remove(_ choice: EntryChoice, kinds: EntryKinds) throws(SystemError) -> RemovedEntries
}

extension EntryStoring {
    /// Removes the complete and the partial entry of a key, if any.
    public func remove(_ key: String) throws(SystemError) { try remove(.key(key), kinds: .all) }

    /// Removes all complete and partial entries.
    public func removeAll() throws(SystemError) { try remove(.all, kinds: .all) }

    /// Stores a complete entry.
    public func store(
        _ body: Blob, metadata: [UInt8] = [], for key: String
    ) throws(SystemError) {
        let writer = try makeWriter(for: key, metadata: metadata)
        if let bytes = body.bytesInMemory {
            try writer.append(bytes)
        } else {
            var offset = 0
            while offset < body.count {
                let piece = try body.bytes(at: offset, count: 1 << 18)
                if piece.isEmpty { break }
                try writer.append(piece)
                offset += piece.count
            }
        }
        try writer.commit()
    }
}

/// An entry that is being written; removed if it is dropped without `commit()` or `suspend()`.
public protocol EntryWriting: AnyObject, Sendable {
    /// Appends bytes to the body.
    func append(_ bytes: [UInt8]) throws(SystemError)

    /// The bytes appended so far; may be read while more are appended.
    var written: Blob { get }

    /// The metadata.
    var metadata: [UInt8] { get }

    /// Replaces the metadata; only before `commit()`.
    func setMetadata(_ metadata: [UInt8])

    /// Makes the entry visible atomically; throws `EFBIG` beyond the entry limit.
    func commit() throws(SystemError)

    /// Keeps the bytes for `suspendedWriter`, invisible to readers, across restarts.
    func suspend()

    /// Removes the bytes at once; dropping the writer does the same later.
    func discard()
}

/// An entry of a store.
public struct StoredEntry: Sendable {
    /// Its key.
    public let key: String
    /// The metadata.
    public let metadata: [UInt8]
    /// The body, whose checksums are verified on reading.
    public let body: Blob
    /// When it was stored.
    public let storedAt: WallTime

    /// Makes an entry.
    public init(key: String, metadata: [UInt8], body: Blob, storedAt: WallTime) {
        self.key = key
        self.metadata = metadata
        self.body = body
        self.storedAt = storedAt
    }
}
