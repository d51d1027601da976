/// The bytes of a regular file, read on demand; ends early if the file has become shorter.
package final class FileBlob: BlobReading {
    package let count: Int
    private let file: FileDescriptor

    /// Makes a reader of the first bytes of a file.
    package init(_ file: FileDescriptor, count: Int) {
        self.file = file
        self.count = count
    }

    /// Copies bytes from `offset` and returns how many.
    package func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemError) -> Int {
        guard offset >= 0, offset < count else { return 0 }
        return try file.read(at: offset, into: .init(rebasing: buffer.prefix(count - offset)))
    }
}
