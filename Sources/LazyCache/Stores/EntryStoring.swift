public import LazyBytes

/// Keeps entries, each of a few bytes of metadata and a body, under keys of any text.
///
/// The role of `DiskStore`. Used by any thread at any time; every method may block on a disk. An
/// entry is there whole or not at all, and a reader keeps what it has opened, whatever is replaced.
public protocol EntryStoring: AnyObject, Sendable {
    /// The entry of a key, or nil; marks it as used now.
    func entry(for key: String) throws(SystemError) -> StoredEntry?

    /// Whether there is an entry; marks nothing.
    func contains(_ key: String) -> Bool

    /// Begins an entry; it takes the place of an older one when it is committed.
    func makeWriter(for key: String, metadata: [UInt8]) throws(SystemError) -> any EntryWriting

    /// Takes up an entry that was suspended, by this process or one that was killed; nil without one.
    ///
    /// Holds it alone: another process that asks meanwhile gets nil. What was torn off by a crash is
    /// cut back to the last bytes whose checksum is right.
    func suspendedWriter(for key: String) throws(SystemError) -> (any EntryWriting)?

    /// Opens what is there of a body; nil where there is nothing, or somebody else holds it alone.
    ///
    /// `count` tells the size of the whole from the metadata; nil means that it cannot be filled.
    func filling(
        for key: String, count: ([UInt8]) -> Int?
    ) throws(SystemError) -> (any EntryFilling)?

    /// Begins a body that is filled in any order, in the place of what is there of another one.
    ///
    /// Nil where somebody else holds that alone.
    func makeFilling(
        for key: String, metadata: [UInt8], count: Int
    ) throws(SystemError) -> (any EntryFilling)?

    /// Replaces the metadata of an entry that is there; its body stays. False where it is not.
    func setMetadata(_ metadata: [UInt8], for key: String) throws(SystemError) -> Bool

    /// Removes entries of some kinds, and tells how many there were; blocks.
    ///
    /// What is being written at the moment is not suspended, and stays.
    @discardableResult
    func remove(_ choice: EntryChoice, kinds: EntryKinds) throws(SystemError) -> RemovedEntries
}

extension EntryStoring {
    /// Removes an entry with its suspended beginnings; nothing happens where there is none.
    public func remove(_ key: String) throws(SystemError) { try remove(.key(key), kinds: .all) }

    /// Removes all entries, and all suspended ones.
    public func removeAll() throws(SystemError) { try remove(.all, kinds: .all) }

    /// Stores a whole entry.
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

/// An entry that is being written; dropped without `commit()` or `suspend()` it leaves nothing behind.
public protocol EntryWriting: AnyObject, Sendable {
    /// Appends bytes to the body.
    func append(_ bytes: [UInt8]) throws(SystemError)

    /// The bytes appended so far, to be read while more are appended.
    var written: Blob { get }

    /// The metadata it was made with, or that was put in its place.
    var metadata: [UInt8] { get }

    /// Puts other metadata in the place of what the writer was made with; before `commit()` only.
    func setMetadata(_ metadata: [UInt8])

    /// Makes the entry visible, whole, at once. Throws `EFBIG` where it is over the entry limit.
    func commit() throws(SystemError)

    /// Keeps what was appended for `suspendedWriter`, invisible to readers, across restarts.
    func suspend()

    /// Throws away what was written, at once; dropping the writer does the same later.
    func discard()
}

/// An entry of a store.
public struct StoredEntry: Sendable {
    /// Its key.
    public let key: String
    /// What was stored beside the body.
    public let metadata: [UInt8]
    /// The body; its bytes are checked as they are read.
    public let body: Blob
    /// When it was written.
    public let storedAt: WallTime

    /// Makes an entry.
    public init(key: String, metadata: [UInt8], body: Blob, storedAt: WallTime) {
        self.key = key
        self.metadata = metadata
        self.body = body
        self.storedAt = storedAt
    }
}
