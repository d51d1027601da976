import Testing

@testable import LazyBytes

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
}
