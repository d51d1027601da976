import Glibc

/// Bytes that are at hand and never change: in memory, or in a file that is read where it is asked.
///
/// Cheap to copy. What the bytes side hands to the pixels side.
public struct Blob: Sendable {
    private enum Storage: Sendable {
        case memory([UInt8])
        case reader(any BlobReading)
    }
    private let storage: Storage

    /// Takes bytes in memory.
    public init(_ bytes: [UInt8]) { storage = .memory(bytes) }

    /// Takes bytes that a reader fetches, such as those of a file.
    public init(_ reader: any BlobReading) { storage = .reader(reader) }

    /// The number of bytes.
    public var count: Int {
        switch storage {
        case .memory(let bytes): bytes.count
        case .reader(let reader): reader.count
        }
    }

    /// The bytes where they are in memory, at no cost; else nil.
    public var bytesInMemory: [UInt8]? {
        guard case .memory(let bytes) = storage else { return nil }
        return bytes
    }

    /// Copies bytes from `offset` on and returns how many were there.
    ///
    /// 0 at the end. May block.
    public func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemError) -> Int {
        switch storage {
        case .reader(let reader): return try reader.read(at: offset, into: buffer)
        case .memory(let bytes):
            guard offset >= 0, offset < bytes.count else { return 0 }
            let length = min(buffer.count, bytes.count - offset)
            bytes.withUnsafeBytes {
                buffer.copyMemory(from: .init(rebasing: $0[offset...].prefix(length)))
            }
            return length
        }
    }

    /// All bytes in memory.
    ///
    /// Reads a file whole, at the cost of its size, and keeps nothing. May block.
    public func bytes() throws(SystemError) -> [UInt8] {
        if let bytesInMemory { return bytesInMemory }
        return try bytes(at: 0, count: count)
    }

    /// A copy of bytes from `offset` on: `count` of them, or as many as are there.
    ///
    /// May block.
    public func bytes(at offset: Int, count wanted: Int) throws(SystemError) -> [UInt8] {
        let wanted = max(0, min(wanted, count - offset))
        // The empty array is one for all threads, and filling it would write to it.
        if wanted == 0 { return [] }
        var failure: SystemError?
        let bytes = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
            let buffer = UnsafeMutableRawBufferPointer(buffer)
            do throws(SystemError) {
                while filled < wanted {
                    let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<wanted])
                    let got = try read(at: offset + filled, into: rest)
                    if got == 0 { break }
                    filled += got
                }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }
}

/// Reads bytes that stand somewhere else than in memory; used by any thread at any time.
public protocol BlobReading: AnyObject, Sendable {
    /// The number of bytes.
    var count: Int { get }

    /// Copies bytes from `offset` on and returns how many were there; 0 at the end. May block.
    ///
    /// Throws `EBADMSG` where the bytes are not those that were written.
    func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemError) -> Int
}
