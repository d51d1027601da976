import LazyMedia
import Support
import Testing

@testable import LazyCodecs

/// The work of planning grows with the tables, not with products of their counts.
struct PicturePlannerTests {
    /// A grid of one coded item, many times, which many references name as their master.
    private static func forge(tiles side: Int, references: Int, properties: Int) -> HEICForge {
        var forge = HEICForge()
        forge.primary = 1
        forge.add(
            1, "grid", HEICForge.grid(columns: side, rows: side, width: 64, height: 64), [],
            isInTables: true)
        let configuration = HEICForge.box("hvcC", [1] + Array(repeating: 0, count: 22))
        forge.add(2, "hvc1", [0, 0, 0, 0], [HEICForge.size(64, 64), configuration])
        let name = HEICForge.full("auxC", Array("x".utf8) + [0])
        forge.add(3, "hvc1", [0], Array(repeating: name, count: properties))
        forge.refer("dimg", from: 1, to: Array(repeating: 2, count: side * side))
        for _ in 0..<references { forge.refer("auxl", from: 3, to: [2]) }
        return forge
    }

    private static func planner(_ forge: HEICForge) throws -> (PicturePlanner, UInt32) {
        let bytes = try MemoryBytes(forge.bytes)
        let limits = DecodingLimits.local
        let items = try HEIFItems(bytes, limits)
        return (
            PicturePlanner(items, ItemBytes(source: bytes, items: items), limits), items.primary
        )
    }

    @Test(.timeLimit(.minutes(2)), arguments: [(225, 1000, 250), (15, 100_000, 250)])
    func `an item is planned once, however many tiles and references name it`(
        side: Int, references: Int, properties: Int
    ) throws {
        var (planner, primary) = try Self.planner(
            Self.forge(tiles: side, references: references, properties: properties))
        let plan = try planner.plan(primary)
        guard case .grid(_, let tiles) = plan.content else {
            Issue.record("It is no grid.")
            return
        }
        #expect(tiles.count == side * side)
        // The grid and its tile, each with its alpha and without.
        #expect(planner.made.count == 4)
    }

    @Test func `a picture that is taken again counts again`() throws {
        var forge = Self.forge(tiles: 200, references: 0, properties: 1)
        forge.add(
            10, "grid", HEICForge.grid(columns: 2, rows: 1, width: 64, height: 64), [],
            isInTables: true)
        forge.refer("dimg", from: 10, to: [1, 1])
        forge.primary = 10
        var (planner, primary) = try Self.planner(forge)
        let error = #expect(throws: MediaError.self) { _ = try planner.plan(primary) }
        #expect(error?.message.contains("too many pictures") == true)
    }

    @Test func `pictures in pictures end at a depth, also where they were planned before`() throws {
        var forge = HEICForge()
        let configuration = HEICForge.box("hvcC", [1] + Array(repeating: 0, count: 22))
        forge.add(1, "hvc1", [0, 0, 0, 0], [HEICForge.size(64, 64), configuration])
        for id in 2...20 {
            forge.add(id, "iden", [], [], pieces: 0)
            forge.refer("dimg", from: id, to: [id - 1])
        }
        // Each is planned before the one that takes it.
        let all = Array(1...20)
        forge.add(
            30, "iovl",
            HEICForge.overlay(
                background: [0, 0, 0, 0], width: 64, height: 64,
                offsets: Array(repeating: (0, 0), count: all.count)),
            [HEICForge.size(64, 64)])
        forge.refer("dimg", from: 30, to: all)
        forge.primary = 30
        var (planner, primary) = try Self.planner(forge)
        let error = #expect(throws: MediaError.self) { _ = try planner.plan(primary) }
        #expect(error?.message.contains("too many pictures in pictures") == true)
    }

    @Test func `an item of more extents than libheif reads is refused`() throws {
        var forge = Self.forge(tiles: 1, references: 0, properties: 1)
        forge.items[1].data = Array(repeating: 0, count: 64)
        forge.items[1].pieces = 32
        _ = try Self.planner(forge)
        forge.items[1].pieces = 33
        let error = #expect(throws: MediaError.self) { _ = try Self.planner(forge) }
        #expect(error?.message.contains("too many extents") == true)
    }
}
