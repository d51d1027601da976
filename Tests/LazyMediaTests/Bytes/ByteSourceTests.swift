import Glibc
import LazyMedia
import Testing

@Suite struct ByteSourceTests {
    @Test func `memory and file give the same bytes`() throws {
        let content = (0..<5000).map { UInt8(truncatingIfNeeded: $0) }
        let path = try temporaryFile(content)
        defer { unlink(path) }
        for source in [try MemoryBytes(content), try FileBytes(path: path)] as [any ByteSource] {
            #expect(source.count == 5000)
            #expect(try read(source, at: 4990, 20) == Array(content[4990...]))
            #expect(try read(source, at: 5000, 20) == [])
            #expect(try read(source, at: -1, 20) == [])
            #expect(try source.contiguous().withBytes { Array($0) } == content)
        }
    }

    @Test func `reads beyond the end return nothing`() throws {
        let path = try temporaryFile([1, 2, 3])
        defer { unlink(path) }
        let source = try FileBytes(path: path)
        #expect(try read(source, at: 3, 8).isEmpty)
        #expect(try read(source, at: .max - 4, 8).isEmpty)
    }

    @Test func `a file that shrinks ends early`() throws {
        let path = try temporaryFile(Array(repeating: 7, count: 100))
        defer { unlink(path) }
        let source = try FileBytes(path: path)
        #expect(truncate(path, 40) == 0)
        #expect(try read(source, at: 30, 50).count == 10)
        #expect(try source.contiguous().count == 40)
    }

    @Test func `a missing file and a folder throw the system's error`() {
        for (path, code) in [("/nonexistent/file", ENOENT), ("/", EISDIR)] {
            let error = #expect(throws: MediaError.self) { try FileBytes(path: path) }
            #expect(error?.code == .environment)
            #expect((error?.underlying as? SystemError)?.code == code)
        }
    }

    @Test func `an empty input is truncated, not unknown`() {
        let error = #expect(throws: MediaError.self) {
            try DecoderRegistry().open(MemoryBytes([UInt8]()))
        }
        #expect(error?.code == .truncated)
    }

    @Test func `unknown types and types without a decoder are unsupported`() {
        for text in ["just some words, longer than a dozen", "GIF89a______________"] {
            let error = #expect(throws: MediaError.self) {
                try DecoderRegistry().open(MemoryBytes(Array(text.utf8)))
            }
            #expect(error?.code == .unsupported)
        }
    }

    private func read(_ source: any ByteSource, at offset: Int, _ count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let got = try bytes.withUnsafeMutableBytes { try source.read(at: offset, into: $0) }
        return Array(bytes[..<got])
    }

    private func temporaryFile(_ content: [UInt8]) throws -> String {
        var path = Array("/tmp/lazyimg-test-XXXXXX".utf8CString)
        let descriptor = mkstemp(&path)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        try #require(write(descriptor, content, content.count) == content.count)
        return path.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } } ?? ""
    }
}
