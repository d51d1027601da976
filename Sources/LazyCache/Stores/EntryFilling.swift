public import LazyBytes

/// An entry that is filled in any order, of which some bytes are there and others missing.
///
/// Several may be open on one entry, in this process and in others: what one has written the others
/// read. Any thread may use it; every method may block on a disk. What was written stays when it is
/// closed or dropped, and only what was written whole and is right is ever read.
public protocol EntryFilling: AnyObject, Sendable {
    /// The number of bytes of the whole body.
    var count: Int { get }

    /// What was stored beside the body.
    var metadata: [UInt8] { get }

    /// Puts other metadata in the place of what is there.
    func setMetadata(_ metadata: [UInt8])

    /// Whether the store has room for more of this body.
    var hasRoom: Bool { get }

    /// Where the bytes end that are there without a gap from an offset on: the offset itself without any.
    func presentEnd(from offset: Int) -> Int

    /// Where the next bytes are that are there, or the end of the body.
    func missingEnd(from offset: Int) -> Int

    /// The body; a read that begins where bytes are missing or wrong throws `EBADMSG`.
    var body: Blob { get }

    /// Keeps bytes; whole blocks reach the disk, and the rest with what follows it, or on closing.
    func write(_ bytes: [UInt8], at offset: Int) throws(SystemError)

    /// Makes it an entry, where nothing is missing: throws `ENODATA` otherwise, `EFBIG` where it is over
    /// the entry limit.
    func commit() throws(SystemError)

    /// Ends writing; what is there stays for the next one.
    func close()

    /// Ends writing and throws away what is there.
    func discard()
}

extension EntryStoring {
    /// Opens what is there of a body; nil where there is nothing, or somebody else holds it alone.
    ///
    /// A store need not be able to do this; this one is not. `count` tells the size of the whole from
    /// the metadata.
    public func filling(
        for key: String, count: ([UInt8]) -> Int?
    ) throws(SystemError) -> (any EntryFilling)? { nil }

    /// Begins a body that is filled in any order, in the place of what is there of another one.
    ///
    /// Nil where somebody else holds that alone, and in stores that cannot do this.
    public func makeFilling(
        for key: String, metadata: [UInt8], count: Int
    ) throws(SystemError) -> (any EntryFilling)? { nil }
}
