import Glibc
import Support
import Testing

@testable import LazyBase

@Suite struct FileDescriptorTests {
    let scratch = Scratch()

    /// Linux takes 1,024 buffers a call.
    @Test(arguments: [0, 1, 2, 600, 1024, 1025, 3000])
    func `buffers are written one after the other, however many`(count: Int) throws {
        let path = scratch.path("file")
        let file = try FileDescriptor(checking: open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600))
        let bytes = (0..<count * 3).map { UInt8(truncatingIfNeeded: $0) }
        try bytes.withBytes { bytes throws(SystemError) in
            var parts: [UnsafeRawBufferPointer] = []
            for start in stride(from: 0, to: bytes.count, by: 3) {
                for range in [start..<start, start..<start + 3] {
                    parts.append(.init(rebasing: bytes[range]))
                }
            }
            try file.write(parts, at: 5)
        }
        #expect(try file.bytes(at: 5, count: bytes.count + 1) == bytes)
    }

    @Test func `a full disk is an error`() throws {
        let full = try FileDescriptor(checking: open("/dev/full", O_RDWR | O_CLOEXEC))
        #expect(throws: SystemError(code: ENOSPC)) {
            try [UInt8]([1, 2]).withBytes { bytes throws(SystemError) in
                try full.write([bytes, bytes], at: 0)
            }
        }
    }
}
