internal import LazyMedia

/// A window on the encoded bytes, moved to where they are read.
///
/// A large file is never in memory as a whole: filling fresh memory costs more than reading twice.
struct GIFWindow: ~Copyable {
    private let source: any ByteSource
    private let buffer: UnsafeMutableRawBufferPointer
    private var start = 0
    private var filled = 0
    /// The number of bytes of the source.
    let count: Int
    /// The error that reading the source met; there are no more bytes then.
    private(set) var failure: MediaError?

    init(_ source: any ByteSource, size: Int) {
        self.source = source
        count = source.count
        buffer = .allocate(byteCount: max(1, min(size, source.count)), alignment: 16)
    }

    deinit { buffer.deallocate() }

    /// The byte at an offset, or nil at the end.
    @inline(__always)
    mutating func byte(at offset: Int) -> UInt8? {
        if UInt(bitPattern: offset &- start) >= UInt(bitPattern: filled), !move(to: offset) {
            return nil
        }
        return buffer[offset &- start]
    }

    /// Copies bytes from an offset on and returns their number.
    mutating func copy(at offset: Int, to target: UnsafeMutableRawPointer, count: Int) -> Int {
        var done = 0
        while done < count {
            let place = offset + done - start
            if place < 0 || place >= filled {
                guard move(to: offset + done) else { break }
                continue
            }
            let length = min(count - done, filled - place)
            target.advanced(by: done).copyMemory(
                from: buffer.baseAddress.unsafelyUnwrapped + place,  // It has at least one byte.
                byteCount: length)
            done += length
        }
        return done
    }

    private mutating func move(to offset: Int) -> Bool {
        guard failure == nil, offset >= 0, offset < count else { return false }
        start = offset
        do {
            filled = try source.read(at: offset, into: buffer)
        } catch {
            failure = error
            filled = 0
        }
        return filled > 0
    }
}
