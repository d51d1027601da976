import LazyMedia
import Testing

@testable import LazyRenditions

/// A reader of WebVTT after its specification, for these tests alone.
private struct Cue: Equatable {
    var start: Int
    var end: Int
    var address: String
    var rect: [Int]

    static func parse(_ text: String) throws -> [Cue] {
        var blocks = text.split(separator: "\n\n", omittingEmptySubsequences: true)
        #expect(blocks.removeFirst().trimmingNewlines == "WEBVTT")
        return try blocks.map { block in
            let lines = block.split(separator: "\n")
            try #require(lines.count == 2)
            let times = lines[0].split(separator: " ")
            try #require(times.count == 3 && times[1] == "-->")
            let parts = lines[1].split(separator: "#xywh=")
            try #require(parts.count == 2)
            return Cue(
                start: try milliseconds(times[0]), end: try milliseconds(times[2]),
                address: String(parts[0]),
                rect: parts[1].split(separator: ",").compactMap { Int($0) })
        }
    }

    private static func milliseconds(_ text: Substring) throws -> Int {
        let match = try #require(
            try /(\d{2,}):([0-5]\d):([0-5]\d)\.(\d{3})/.wholeMatch(in: text))
        let numbers = [match.1, match.2, match.3, match.4].compactMap { Int($0) }
        return ((numbers[0] * 60 + numbers[1]) * 60 + numbers[2]) * 1000 + numbers[3]
    }
}

extension Substring {
    fileprivate var trimmingNewlines: Substring {
        self[...].drop { $0 == "\n" }.prefix { $0 != "\n" }
    }
}

@Suite struct WebVTTTests {
    @Test(arguments: [
        Rendition.Sheet(), Rendition.Sheet(count: 7),
        Rendition.Sheet(interval: .microseconds(333_333)),
        Rendition.Sheet(interval: .seconds(1), columns: 3, rows: 4),
    ])
    func `cues follow each other from zero to the end`(layout: Rendition.Sheet) throws {
        let timings = SheetPlanTests.clip(seconds: 61)
        let plan = try SheetPlan(
            layout, timings: timings, tileSize: PixelSize(width: 160, height: 90))
        let files = plan.pages.indices.map { "page \($0).jpg" }
        let cues = try Cue.parse(plan.webVTT(files: files))
        #expect(cues.count == plan.tiles.count)
        #expect(cues.first?.start == 0)
        #expect(cues.last?.end == 61_000)
        for (cue, next) in zip(cues, cues.dropFirst()) { #expect(cue.end == next.start) }
        for (cue, tile) in zip(cues, plan.tiles) {
            #expect(cue.start < cue.end)
            #expect(cue.address == "page%20\(tile.page).jpg")
            #expect(cue.rect == [tile.rect.x, tile.rect.y, 160, 90])
            let page = plan.pages[tile.page]
            #expect(cue.rect[0] + 160 <= page.width && cue.rect[1] + 90 <= page.height)
        }
    }

    @Test(arguments: [
        ("sheet.jpg", "sheet.jpg"), ("a b#c?.jpg", "a%20b%23c%3F.jpg"),
        ("100%.jpg", "100%25.jpg"), ("ä.jpg", "%C3%A4.jpg"),
        ("https://cdn.example/x%20y/?v=1&f=a b.jpg", "https://cdn.example/x%20y/?v=1&f=a%20b.jpg"),
    ])
    func `names become addresses`(name: String, address: String) {
        #expect(SheetPlan.escaped(Array(name.utf8)) == address)
    }

    @Test func `hours are not cut`() {
        #expect(ClockText.exact(milliseconds: 359_999_999) == "99:59:59.999")
        #expect(ClockText.exact(milliseconds: 360_000_001) == "100:00:00.001")
    }
}
