import Glibc
package import LazyBase

/// Bytes that are written later: in memory, and beyond a limit in a temporary file.
package struct Spool: ~Copyable {
    private static let maxGrowing = 64 << 10

    private let maxInMemory: Int
    private var memory: [UInt8] = []
    private var file: TemporaryFile?
    /// The number of bytes.
    package private(set) var count = 0

    /// Makes an empty spool with a limit of bytes in memory.
    package init(maxInMemory: Int = 4 << 20) { self.maxInMemory = maxInMemory }

    /// Appends bytes; throws if the temporary folder is full.
    package mutating func append(_ bytes: UnsafeRawBufferPointer) throws(MediaError) {
        count += bytes.count
        if file == nil, memory.count + bytes.count <= maxInMemory {
            reserve(bytes.count)
            return memory.append(contentsOf: bytes)
        }
        do throws(SystemError) {
            let file = if let file { file } else { try TemporaryFile() }
            if self.file == nil {
                self.file = file
                try memory.withBytes { kept throws(SystemError) in try file.append(kept) }
                memory = []
            }
            try file.append(bytes)
        } catch {
            throw error.mediaError("write", "a temporary file")
        }
    }

    /// Reserves all of the memory as soon as it is not little: growing would copy it again and again
    /// into new pages, while pages that are never written cost nothing.
    private mutating func reserve(_ count: Int) {
        let needed = memory.count + count
        if needed > memory.capacity, needed > Self.maxGrowing {
            memory.reserveCapacity(maxInMemory)
        }
    }

    /// All bytes as a blob, which holds no memory beyond them; the spool is empty then.
    package mutating func takeBlob() -> Blob {
        defer { (memory, file, count) = ([], nil, 0) }
        if let file { return file.blob }
        // What was reserved ahead is given back.
        return Blob(
            memory.capacity > 2 * memory.count ? memory.withUnsafeBytes { Array($0) } : memory)
    }

    /// Passes all bytes to a closure, piece by piece.
    package func readAll(_ use: ([UInt8]) throws(MediaError) -> Void) throws(MediaError) {
        if file == nil, !memory.isEmpty { return try use(memory) }
        try read(0..<count, use)
    }

    /// Passes a range of bytes, which must exist, to a closure, piece by piece.
    package func read(
        _ range: Range<Int>, _ use: ([UInt8]) throws(MediaError) -> Void
    ) throws(MediaError) {
        var offset = range.lowerBound
        while offset < range.upperBound {
            let piece = try [UInt8].reading(min(1 << 18, range.upperBound - offset)) {
                buffer throws(MediaError) in
                try read(at: offset, into: buffer)
                return buffer.count
            }
            offset += piece.count
            try use(piece)
        }
    }

    /// Fills a buffer with bytes from an offset, which must exist.
    package func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(MediaError) {
        precondition(offset >= 0 && offset + buffer.count <= count, "beyond the end of the spool")
        guard let file else {
            return memory.withUnsafeBytes {
                buffer.copyMemory(from: .init(rebasing: $0[offset..<(offset + buffer.count)]))
            }
        }
        do throws(SystemError) {
            guard try file.read(at: offset, into: buffer) == buffer.count else {
                throw SystemError(code: EIO)
            }
        } catch {
            throw error.mediaError("read", "a temporary file")
        }
    }
}
