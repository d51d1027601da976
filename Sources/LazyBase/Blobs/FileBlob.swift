import Glibc

/// The bytes of a regular file, read on demand; ends early if the file has become shorter.
package final class FileBlob: BlobReading {
    package let count: Int
    private let file: FileDescriptor

    /// Makes a reader of the first bytes of a file.
    package init(_ file: FileDescriptor, count: Int) {
        self.file = file
        self.count = count
    }

    /// The open file, where nobody can write by it; valid as long as this object.
    package var openFile: CInt? {
        fcntl(file.number, F_GETFL) & O_ACCMODE == O_RDONLY ? file.number : nil
    }

    /// Copies bytes from `offset` and returns how many.
    package func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemError) -> Int {
        guard offset >= 0, offset < count else { return 0 }
        return try file.read(at: offset, into: .init(rebasing: buffer.prefix(count - offset)))
    }
}
