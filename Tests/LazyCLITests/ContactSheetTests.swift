import Glibc
import LazyKit
import LazyMedia
import Support
import Testing
import ToolSupport

/// `sheet --stamp --heading`: contact sheets for people.
@Suite(.ownThreads) struct ContactSheetTests {
    private let scratch = Scratch()

    private func sheet(_ name: String, _ options: String...) async throws -> Bitmap {
        let path = scratch.path(name)
        let outcome = Tool.run(
            [
                "sheet", Media.path("clip.mp4"), "-o", path, "--columns", "3", "--count", "6",
                "--width", "160",
            ] + options)
        #expect(outcome.status == 0)
        #expect(outcome.errors.split(separator: "\n").count <= 1)
        return try await FrameSequence(path: path).frame(0).bitmap
    }

    @Test func `a stamp is in the corner of each tile, and is its time`() async throws {
        let plain = try await sheet("plain.png")
        let stamped = try await sheet("stamped.png", "--stamp")
        #expect(stamped.size == plain.size)
        var corners: Set<[UInt8]> = []
        for tile in 0..<6 {
            let (left, top) = (tile % 3 * 160, tile / 3 * 90)
            var changed = PixelRect.empty
            for y in 0..<90 {
                for x in 0..<160 where plain[left + x, top + y] != stamped[left + x, top + y] {
                    changed = changed.union(PixelRect(x: x, y: y, width: 1, height: 1))
                }
            }
            #expect(changed.width > 30 && changed.x > 80 && changed.y > 60)
            corners.insert(
                (70..<90).flatMap { y in (100..<160).map { stamped[left + $0, top + y].x } })
        }
        #expect(corners.count == 6)
    }

    @Test func `a header is above the tiles, and all files know`() async throws {
        let plain = try await sheet("plain.png")
        let made = try await sheet("made.png", "--heading", "--background", "#102030")
        let height = made.size.height - plain.size.height
        #expect(height > 30 && made.size.width == plain.size.width)
        // The tiles are where they were, below it.
        for y in stride(from: 0, to: plain.size.height, by: 7) {
            for x in stride(from: 0, to: plain.size.width, by: 7) {
                #expect(plain[x, y] == made[x, y + height])
            }
        }
        // Light text on dark paper.
        #expect(made[0, 0] == SIMD4(0x10, 0x20, 0x30, 255))
        let isWritten = (0..<height).contains { y in
            (0..<made.size.width).contains { made[$0, y].x > 200 }
        }
        #expect(isWritten)
        #expect(scratch.text("made.vtt").contains("#xywh=0,\(height),160,90"))
        let json = try ParsedJSON.parse(scratch.text("made.json"))
        let tiles = try #require(json["tiles"]?.elements)
        #expect(tiles[0]["y"]?.integer == height)
        #expect(tiles[5]["y"]?.integer == height + 90)
    }

    @Test func `only the first page has a header`() async throws {
        let outcome = Tool.run([
            "sheet", Media.path("clip.mp4"), "-o", scratch.path("p.png"), "--columns", "2",
            "--rows",
            "1", "--count", "4", "--heading",
        ])
        #expect(outcome.status == 0)
        let first = try FrameSequence(path: scratch.path("p-01.png")).info.size
        let second = try FrameSequence(path: scratch.path("p-02.png")).info.size
        #expect(first.height > second.height && first.width == second.width)
        #expect(scratch.text("p.vtt").contains("p-02.png#xywh=0,0,"))
    }
}
