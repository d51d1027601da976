internal import Glibc
internal import LazyBytes

/// Reads a regular file where it is asked; ends early where the file has become shorter.
final class FileBlob: BlobReading {
    let count: Int
    private let descriptor: CInt

    /// Takes over an open descriptor of a file of so many bytes.
    init(descriptor: CInt, count: Int) {
        self.descriptor = descriptor
        self.count = count
    }

    deinit { close(descriptor) }

    func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemError) -> Int {
        guard offset >= 0, offset < count else { return 0 }
        while true {
            let got = pread(
                descriptor, buffer.baseAddress, min(buffer.count, count - offset), offset)
            if got >= 0 { return got }
            if errno != EINTR { throw .last }
        }
    }
}

/// A part of other bytes.
final class BlobSlice: BlobReading {
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

extension Blob {
    /// A part of the bytes, without copying what stands in a file.
    func slice(_ range: Range<Int>) -> Blob {
        if range == 0..<count { return self }
        if let bytesInMemory { return Blob(Array(bytesInMemory[range])) }
        return Blob(BlobSlice(self, range))
    }
}
