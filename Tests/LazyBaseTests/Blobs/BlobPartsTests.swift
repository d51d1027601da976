import Testing

@testable import LazyBase

@Suite struct BlobPartsTests {
    private let joined: Blob
    private let bytes = (0..<20).map { UInt8($0) }

    init() throws {
        let file = try TemporaryFile()
        try file.append(Array(5..<15))
        joined = Blob(joining: [Blob(Array(0..<5)), Blob([]), file.blob, Blob(Array(15..<20))])
    }

    @Test func `joined blobs read as one`() throws {
        #expect(joined.count == 20)
        for start in 0...20 {
            for count in [0, 1, 7, 20] {
                let expected = Array(bytes[start..<min(20, start + count)])
                #expect(try joined.bytes(at: start, count: count) == expected)
            }
        }
        #expect(try joined.bytes(at: 25, count: 1) == [])
    }

    @Test func `a slice is bounded`() throws {
        let slice = joined.slice(3..<17)
        #expect(try slice.bytes() == Array(3..<17))
        #expect(try slice.bytes(at: 13, count: 5) == [16])
        #expect(Blob(bytes).slice(0..<2).bytesInMemory == [0, 1])
    }
}
