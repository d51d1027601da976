public import LazyBase

/// A sparse entry that is written in any order.
///
/// Several may be open on one entry, in this and other processes; each reads what the others have
/// written. Thread-safe; every method may block on a disk. Written bytes are kept when it is closed
/// or dropped, and only complete and valid blocks are read.
public protocol EntryFilling: AnyObject, Sendable {
    /// The size of the whole body.
    var count: Int { get }

    /// The metadata.
    var metadata: [UInt8] { get }

    /// Replaces the metadata.
    func setMetadata(_ metadata: [UInt8])

    /// Whether the store has room for more of this body.
    var hasRoom: Bool { get }

    /// The end of the bytes present from an offset without a gap; the offset itself if there are none.
    func presentEnd(from offset: Int) -> Int

    /// The offset of the next bytes that are present, or the end of the body.
    func missingEnd(from offset: Int) -> Int

    /// The body; a read that begins at missing or damaged bytes throws `EBADMSG`.
    var body: Blob { get }

    /// Writes bytes; an incomplete block is written when it is completed, or on closing.
    func write(_ bytes: [UInt8], at offset: Int) throws(SystemError)

    /// Makes it a complete entry; throws `ENODATA` if bytes are missing, `EFBIG` beyond the entry limit.
    func commit() throws(SystemError)

    /// Ends writing and keeps the bytes.
    func close()

    /// Ends writing and removes the bytes.
    func discard()
}

extension EntryStoring {
    /// Returns nil: by default, a store does not support sparse entries.
    public func filling(
        for key: String, count: ([UInt8]) -> Int?
    ) throws(SystemError) -> (any EntryFilling)? { nil }

    /// Returns nil: by default, a store does not support sparse entries.
    public func makeFilling(
        for key: String, metadata: [UInt8], count: Int
    ) throws(SystemError) -> (any EntryFilling)? { nil }
}
