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
}
