import LazyMedia
import Testing

@Suite struct ISOBoxTests {
    /// The bytes of a box's head, and what is read from them with 100 bytes of room.
    struct Head: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
        let headerSize: Int
        let length: Int
    }

    @Test(arguments: [
        Head(testDescription: "short", bytes: [0, 0, 0, 20] + kind, headerSize: 8, length: 20),
        Head(
            testDescription: "to the end", bytes: [0, 0, 0, 0] + kind, headerSize: 8, length: 100),
        Head(
            testDescription: "long", bytes: [0, 0, 0, 1] + kind + [0, 0, 0, 0, 0, 0, 0, 16],
            headerSize: 16, length: 16),
        Head(
            testDescription: "past the end",
            bytes: [0, 0, 0, 1] + kind + [0, 0, 0, 9, 0, 0, 0, 0], headerSize: 16, length: 9 << 32),
    ]) func `a head gives kind and length`(head: Head) throws {
        let read = try #require(ISOBoxHeader(head.bytes, room: 100))
        #expect(read.kind == ISOBox.kind("moov"))
        #expect(read.headerSize == head.headerSize)
        #expect(read.length == head.length)
    }

    @Test(arguments: [
        [0, 0, 0, 20, 0x6D], [0, 0, 0, 7] + kind, [0, 0, 0, 1] + kind,
        [0, 0, 0, 1] + kind + [0, 0, 0, 0, 0, 0, 0, 15],
        [0, 0, 0, 1] + kind + [0x40, 0, 0, 0, 0, 0, 0, 0],
    ]) func `an invalid head is nil`(bytes: [UInt8]) {
        #expect(ISOBoxHeader(bytes, room: 100) == nil)
    }

    @Test func `boxes are found along a path, up to a truncated one`() throws {
        let inner = ISOBox.makeFull("tkhd", version: 1, flags: 3, [1, 2])
        let file = ISOBox.make("moov", ISOBox.make("trak", inner)) + [0, 0, 0, 9] + Self.kind
        let boxes = ISOBox.boxes(file, in: file.indices)
        #expect(boxes.count == 1)
        let header = try #require(boxes.first?.child("trak", "tkhd", in: file))
        #expect(Array(file[header.content]) == [1, 0, 0, 3, 1, 2])
        #expect(boxes.first?.child("trak", "mdia", in: file) == nil)
    }

    private static let kind = Array("moov".utf8)
}
