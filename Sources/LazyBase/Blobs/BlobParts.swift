extension Blob {
    /// A part of the bytes; those of a file are not copied.
    package func slice(_ range: Range<Int>) -> Blob {
        if range == 0..<count { return self }
        if let bytesInMemory { return Blob(Array(bytesInMemory[range])) }
        return Blob(BlobSlice(self, range))
    }

    /// The bytes of several blobs one after another, without copying them.
    package init(joining parts: [Blob]) { self.init(JoinedBlobs(parts)) }
}

/// A part of another blob.
private final class BlobSlice: BlobReading {
    private let whole: Blob
    private let start: Int
    let count: Int

    init(_ whole: Blob, _ range: Range<Int>) {
        self.whole = whole
        start = range.lowerBound
        count = range.count
    }

    func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemError) -> Int {
        guard offset >= 0, offset < count else { return 0 }
        let length = min(buffer.count, count - offset)
        return try whole.read(at: start + offset, into: .init(rebasing: buffer.prefix(length)))
    }
}

/// Blobs one after another.
private final class JoinedBlobs: BlobReading {
    private let parts: [Blob]
    let count: Int

    init(_ parts: [Blob]) {
        self.parts = parts
        count = parts.reduce(0) { $0 + $1.count }
    }

    func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemError) -> Int {
        guard offset >= 0 else { return 0 }
        var (start, done) = (0, 0)
        for part in parts where done < buffer.count {
            let inside = offset + done - start
            start += part.count
            guard inside < part.count else { continue }
            let wanted = min(part.count - inside, buffer.count - done)
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done..<done + wanted])
            let got = try part.read(at: inside, into: rest)
            done += got
            if got < wanted { break }
        }
        return done
    }
}
