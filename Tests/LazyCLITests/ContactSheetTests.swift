import Glibc
import LazyKit
import LazyMedia
import Support
import Testing
import ToolSupport

/// `sheet --stamp --heading`: contact sheets for people.
@Suite(.ownThreads) struct ContactSheetTests {
    private let scratch = Scratch()

    private func sheet(
        _ name: String, of film: String = Media.path("clip.mp4"), _ options: String...
    ) async throws -> Bitmap {
        let path = scratch.path(name)
        let number = options.contains("--interval") ? [] : ["--count", "6"]
        let outcome = Tool.run(
            [
                "sheet", film, "-o", path, "--columns", "3", "--width", "160",
            ] + number + options)
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

    @Test(.needs("ffmpeg"), arguments: ["Two", "{clock}"])
    func `where a chapter begins its title is in the other corner, as it is`(
        title: String
    ) async throws {
        func film(_ title: String) -> String {
            let chapters = scratch.write(
                Array(
                    """
                    ;FFMETADATA1
                    [CHAPTER]
                    TIMEBASE=1/1000
                    START=0
                    END=2200
                    title=One
                    [CHAPTER]
                    TIMEBASE=1/1000
                    START=2200
                    END=5000
                    title=\(title)

                    """.utf8), "chapters")
            let path = scratch.path("film.mp4")
            _ = Peer.output(
                of: "ffmpeg -v error -y -i \(Media.path("clip.mp4")) -i \(chapters) -map 0 "
                    + "-map_chapters 1 -c copy \(path) </dev/null")
            return path
        }
        let plain = try await sheet("plain.png", "--stamp")
        let marked = try await sheet("marked.png", of: film(title), "--stamp")
        let marks = (0..<6).filter { tile in
            let (left, top) = (tile % 3 * 160, tile / 3 * 90)
            return (0..<30).contains { y in
                (0..<80).contains { plain[left + $0, top + y] != marked[left + $0, top + y] }
            }
        }
        #expect(marks == [0, 3])
        // Nothing is filled in.
        let time = try await sheet("time.png", of: film("0:00:02"), "--stamp")
        #expect(time.withBytes(Array.init) != marked.withBytes(Array.init))
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

    @Test func `tiles of a part have the times and the pictures of the whole`() async throws {
        let whole = try await sheet("whole.png", "--interval", "0.25", "--exact")
        let part = try await sheet(
            "part.png", "--interval", "0.25", "--exact", "--start", "1", "--end", "2.1")
        let tiles = try #require(
            try ParsedJSON.parse(scratch.text("part.json"))["tiles"]?.elements)
        let all = try ParsedJSON.parse(scratch.text("whole.json"))
        let those = try #require(all["tiles"]?.elements)
        #expect(
            tiles.map { $0["startUs"]?.integer } == [
                1_000_000, 1_250_000, 1_500_000, 1_750_000, 2_000_000,
            ])
        #expect(tiles.last?["endUs"]?.integer == 2_100_000)
        #expect(
            try ParsedJSON.parse(scratch.text("part.json"))["durationUs"]?.integer
                == all["durationUs"]?.integer)
        for (index, tile) in tiles.enumerated() {
            let same = those[index + 4]
            #expect(same["startUs"]?.integer == tile["startUs"]?.integer)
            #expect(same["frame"]?.integer == tile["frame"]?.integer)
            #expect(Self.pixels(part, index) == Self.pixels(whole, index + 4))
        }
        let text = scratch.text("part.vtt")
        #expect(text.contains("00:00:01.000 --> 00:00:01.250\n"))
        #expect(text.contains("00:00:02.000 --> 00:00:02.100\n"))
    }

    /// The pixels of a tile among three in a row.
    private static func pixels(_ page: Bitmap, _ tile: Int) -> [SIMD4<UInt8>] {
        (0..<90).flatMap { y in
            (0..<160).map { page[tile % 3 * 160 + $0, tile / 3 * 90 + y] }
        }
    }

    @Test(arguments: [
        (["--start", "900"], CInt(65), "No frame is in the range"),
        (["--start", "2", "--end", "1"], 64, "the range is empty"),
        (["--start", "999999h"], 65, "No frame is in the range"),
        (["--layout", "jellyfin", "--end", "1"], 64, "cannot be combined with --end"),
    ])
    func `a part that is none is refused`(words: [String], status: CInt, message: String) {
        let outcome = Tool.run(
            ["sheet", Media.path("clip.mp4"), "-o", scratch.path("none.jpg")] + words)
        #expect(outcome.status == status)
        #expect(outcome.errors.contains(message))
        #expect(scratch.names() == [])
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
