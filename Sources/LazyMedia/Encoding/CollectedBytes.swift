internal import LazyBase

/// Bytes of an encoder, kept in memory in the order they are written.
package final class CollectedBytes: Sendable {
    private let bytes = Locked<[UInt8]>([])

    /// Nothing yet.
    package init() {}

    /// What was written so far.
    package var all: [UInt8] { bytes.withLock { $0 } }

    /// Adds a piece; returns the number of bytes so far.
    @discardableResult package func append(_ piece: [UInt8]) -> Int {
        bytes.withLock { bytes in
            bytes += piece
            return bytes.count
        }
    }
}

/// Bytes of an encoder, kept in a `Spool` until they are known to be wanted.
///
/// Unchecked: an encoder appends its pieces one after the other, and they are read after it has ended.
package final class SpooledBytes: @unchecked Sendable {
    private var spool: Spool
    /// Bytes before all others, such as a length that is known at the end.
    package var head: [UInt8] = []

    /// Nothing yet.
    package init(maxInMemory: Int = 4 << 20) { spool = Spool(maxInMemory: maxInMemory) }

    /// The number of bytes so far.
    package var count: Int { head.count + spool.count }

    /// Adds a piece; throws if the temporary folder is full.
    package func append(_ piece: [UInt8]) throws(MediaError) {
        try piece.withBytes { (bytes) throws(MediaError) in try spool.append(bytes) }
    }

    /// Passes all bytes to a closure, piece by piece.
    package func readAll(_ use: ([UInt8]) throws(MediaError) -> Void) throws(MediaError) {
        if !head.isEmpty { try use(head) }
        try spool.readAll(use)
    }
}

extension SpooledBytes: ByteSource {
    /// Copies bytes from an offset and returns their number; 0 at the end.
    package func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(MediaError) -> Int {
        guard offset >= 0, offset < count else { return 0 }
        if offset < head.count {
            let piece = head[offset...].prefix(buffer.count)
            buffer.copyBytes(from: piece)
            return piece.count
        }
        let length = min(buffer.count, count - offset)
        try spool.read(
            at: offset - head.count,
            into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<length]))
        return length
    }

    /// A copy of all bytes.
    package func contiguous() throws(MediaError) -> MemoryBytes { try memory(0..<count) }
}
