/// Immutable bytes in memory, or in a file that is read on demand.
///
/// Cheap to copy. The form in which loaded bytes are handed to decoders.
public struct Blob: Sendable {
    private enum Storage: Sendable {
        case memory([UInt8])
        case reader(any BlobReading)
    }
    private let storage: Storage

    /// Makes a blob of bytes in memory.
    public init(_ bytes: [UInt8]) { storage = .memory(bytes) }

    /// Makes a blob whose bytes are fetched by a reader, such as those of a file.
    public init(_ reader: any BlobReading) { storage = .reader(reader) }

    /// The number of bytes.
    public var count: Int {
        switch storage {
        case .memory(let bytes): bytes.count
        case .reader(let reader): reader.count
        }
    }

    /// The bytes if they are in memory, at no cost; else nil.
    public var bytesInMemory: [UInt8]? {
        guard case .memory(let bytes) = storage else { return nil }
        return bytes
    }

    /// The open file whose first bytes these are, for reading only; valid as long as this blob.
    package var openFile: CInt? {
        guard case .reader(let reader) = storage else { return nil }
        return (reader as? FileBlob)?.openFile
    }

    /// Copies bytes from `offset` and returns how many; 0 at the end.
    ///
    /// May block.
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
    /// Reads a file as a whole on each call. May block.
    public func bytes() throws(SystemError) -> [UInt8] {
        if let bytesInMemory { return bytesInMemory }
        return try bytes(at: 0, count: count)
    }

    /// A copy of up to `count` bytes from `offset`; fewer at the end.
    ///
    /// May block.
    public func bytes(at offset: Int, count wanted: Int) throws(SystemError) -> [UInt8] {
        try [UInt8].reading(min(wanted, count - offset)) { buffer throws(SystemError) in
            var filled = 0
            while filled < buffer.count {
                let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
                let got = try read(at: offset + filled, into: rest)
                if got == 0 { break }
                filled += got
            }
            return filled
        }
    }
}

/// Reads bytes that are not in memory; used by any thread at any time.
public protocol BlobReading: AnyObject, Sendable {
    /// The number of bytes.
    var count: Int { get }

    /// Copies bytes from `offset` and returns how many; 0 at the end. May block.
    ///
    /// Throws `EBADMSG` if the bytes are damaged.
    func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemError) -> Int
}
