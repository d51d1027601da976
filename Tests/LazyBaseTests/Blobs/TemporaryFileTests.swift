import Glibc
import Support
import Testing

@testable import LazyBase

@Suite struct TemporaryFileTests {
    @Test func `a blob keeps the bytes that were there when it was made`() throws {
        let file = try TemporaryFile()
        #expect(file.blob.count == 0)
        try file.append([1, 2, 3])
        let first = file.blob
        try file.append([4])
        #expect(try first.bytes() == [1, 2, 3])
        #expect(try file.blob.bytes() == [1, 2, 3, 4])
        #expect(try file.blob.bytes(at: 2, count: 9) == [3, 4])
    }

    @Test func `parts are written in any order`() throws {
        let file = try TemporaryFile()
        try [UInt8]([4, 5]).withBytes { bytes throws(SystemError) in try file.write(bytes, at: 3) }
        try [UInt8]([1, 2, 3]).withBytes { bytes throws(SystemError) in
            try file.write(bytes, at: 0)
        }
        #expect(try file.blob.bytes() == [1, 2, 3, 4, 5])
        try file.append([6])
        #expect(try file.blob.bytes(at: 4, count: 9) == [5, 6])
    }

    @Test func `it has no name, belongs to the user alone, and is closed with its last reference`()
        throws
    {
        let scratch = Scratch()
        try {
            let file = try TemporaryFile(in: ["/nowhere", "/dev/null", scratch.path])
            try file.append([1])
            #expect(scratch.files.isEmpty)
            #expect(try #require(file.freeBytes) > 0)
            let open = openFiles(of: scratch)
            #expect(open.map { $0.mode & 0o7777 } == [0o600])
            #expect(open.map(\.linkCount) == [0])
        }()
        #expect(openFiles(of: scratch).isEmpty)
        #expect(throws: SystemError(code: ENOTDIR)) {
            _ = try TemporaryFile(in: ["/nowhere", "/dev/null"])
        }
    }

    /// The open files of this process that are, or were, in a folder.
    private func openFiles(of scratch: Scratch) -> [FileStatus] {
        (0..<1024).compactMap { number in
            var target = [CChar](repeating: 0, count: 4096)
            let length = readlink("/proc/self/fd/\(number)", &target, target.count)
            let bytes = target.prefix(max(0, length)).map { UInt8(bitPattern: $0) }
            guard String(decoding: bytes, as: UTF8.self).hasPrefix(scratch.path + "/")
            else { return nil }
            var status = stat()
            return fstat(CInt(number), &status) == 0 ? FileStatus(status) : nil
        }
    }
}
