import Glibc
import Support
import Testing

@testable import LazyBase

@Suite struct FileBlobTests {
    @Test(arguments: [(O_RDONLY, true), (O_RDWR, false)])
    func `a file is passed on only where nobody can write by it`(flags: CInt, isPassed: Bool) throws
    {
        let scratch = Scratch()
        let path = scratch.write([1, 2, 3], "a")
        let file = try FileDescriptor(checking: open(path, flags | O_CLOEXEC))
        let blob = Blob(FileBlob(file, count: 3))
        #expect(blob.openFile == (isPassed ? file.number : nil))
        // A part of it does not begin where the file does.
        #expect(blob.slice(1..<3).openFile == nil)
        #expect(Blob([1, 2, 3]).openFile == nil)
    }
}
