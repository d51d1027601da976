import LazyMedia
import Support
import Testing

@testable import LazyCodecs

/// libavif's work is a product of counts; they are checked before it begins.
struct AVIFTablesTests {
    private static func number(_ value: Int, _ width: Int) -> [UInt8] {
        HEICForge.number(value, width)
    }

    /// A table of items: their descriptions, and one reference to many.
    private static func items(_ count: Int, referring targets: Int) -> [UInt8] {
        let entries = (1...count).flatMap { id in
            HEICForge.full("infe", version: 2, number(id, 2) + [0, 0] + Array("av01".utf8) + [0])
        }
        let list = HEICForge.full("iinf", number(count, 2) + entries)
        let numbers = (0..<targets).flatMap { number($0 & 0xFFFF, 2) }
        let references = HEICForge.full(
            "iref", HEICForge.box("dimg", number(1, 2) + number(targets, 2) + numbers))
        return HEICForge.full("meta", list + references)
    }

    /// A track whose chunks and runs of chunks are so many; a box between them may look like a track.
    private static func track(chunks: Int, runs: Int) -> [UInt8] {
        let groups = (0..<runs).flatMap { number($0 + 1, 4) + number(1, 4) + number(1, 4) }
        let tables =
            HEICForge.full("stsc", number(runs, 4) + groups) + HEICForge.box("trak", [])
            + HEICForge.full(
                "stco", number(chunks, 4) + Array(repeating: 0, count: chunks * 4))
        let media = HEICForge.box("minf", HEICForge.box("stbl", tables))
        return HEICForge.box("moov", HEICForge.box("trak", HEICForge.box("mdia", media)))
    }

    @Test(
        arguments: [
            (items(6000, referring: 10_000), nil),
            (items(6000, referring: 15_000), "too many items"),
            (items(1, referring: 65_000), "too many items"),
            (track(chunks: 100_000, runs: 1000), nil),
            (track(chunks: 100_000, runs: 2000), "too many runs of chunks"),
        ] as [([UInt8], String?)])
    func `what libavif would search is counted`(bytes: [UInt8], words: String?) throws {
        do throws(MediaError) {
            _ = try AVIFTables.check(MemoryBytes(bytes), .local)
            #expect(words == nil)
        } catch {
            #expect(error.code == .malformed)
            #expect(error.message.contains(words ?? "nothing is wrong"))
        }
    }

    /// A table of one item of version 1 after another one, whose numbers have a width, and its extents.
    private static func locations(_ lengths: [Int], width: Int) -> [UInt8] {
        let extents = lengths.flatMap { number(0, width) + number($0, width) }
        let first = number(1, 2) + number(0, 4) + number(1, 2) + number(0, width) + number(7, width)
        let second = number(2, 2) + number(0, 4) + number(lengths.count, 2) + extents
        let widths = [UInt8(width << 4 | width), 0]
        let table = HEICForge.full("iloc", version: 1, widths + number(2, 2) + first + second)
        return HEICForge.full("meta", table)
    }

    @Test(arguments: [4, 8])
    func `libavif takes no memory for what the file does not have`(width: Int) throws {
        func check(_ lengths: [Int], _ kept: [Int]) throws {
            var file = Self.locations(lengths, width: width)
            for word in try AVIFTables.check(MemoryBytes(file), .local).replaced {
                file.replaceSubrange(word.offset..<word.offset + 4, with: word.word.bigEndianBytes)
            }
            #expect(file == Self.locations(kept, width: width), "\(lengths)")
        }
        let count = Self.locations([0], width: width).count
        try check([count], [count])
        try check([count + 1], [count + 1])
        try check([0xF000_0000], [count + 1])
        let two = Self.locations([0, 0], width: width).count
        try check([1, two - 1], [1, two - 1])
        try check([1, two], [two + 1, 0])
        let four = Self.locations([0, 0, 0, 0], width: width).count
        if width == 8 { try check(Array(repeating: 1 << 62, count: 4), [four + 1, 0, 0, 0]) }
    }

    @Test func `a picture behind the end of the file is missing`() throws {
        var bytes = try Media.array("hdr.avif")
        let place = try #require(
            bytes.indices.first { bytes[$0...].starts(with: Array("iloc".utf8)) })
        // After the version, the widths, two numbers, the file that has it, the number of extents and the offset.
        bytes.replaceSubrange(place + 22..<place + 26, with: [0x36, 0x80, 0, 0])
        let error = #expect(throws: MediaError.self) {
            try Decoded.frames(Decoded.media(bytes, .avif))
        }
        #expect(error?.code == .truncated)
        #expect(error?.message == "The AVIF ends before the data of a picture.")
    }
}
