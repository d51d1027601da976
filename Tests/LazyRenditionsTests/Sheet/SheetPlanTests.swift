import LazyMedia
import Testing

@testable import LazyRenditions

@Suite struct SheetPlanTests {
    /// A clip of so many frames a second with a keyframe every `gap` frames.
    static func clip(seconds: Int, rate: Int64 = 25, gap: Int = 250) -> FrameIndex {
        FrameIndex(
            (0..<seconds * Int(rate)).map { index in
                FrameTiming(
                    index: index,
                    presentation: MediaTime(ticks: Int64(index), base: Rational(1, rate)),
                    duration: MediaTime(ticks: 1, base: Rational(1, rate)),
                    isKeyframe: index % gap == 0)
            })
    }

    private func plan(
        _ layout: Rendition.Sheet, seconds: Int = 60, gap: Int = 250,
        tile: PixelSize = PixelSize(width: 160, height: 90), within part: Range<Duration>? = nil,
        side: Int = SheetPlan.maxSide
    ) throws -> SheetPlan {
        try SheetPlan(
            layout, timings: Self.clip(seconds: seconds, gap: gap), tileSize: tile, within: part,
            maxSide: side)
    }

    @Test(arguments: [1, 3, 5, 7, 9, 45, 90])
    func `shares of a clip name the frames that begin there`(
        count: Int
    ) throws {
        let index = Self.clip(seconds: 3, rate: 30, gap: 1000)
        #expect(index.duration == .seconds(3))
        let plan = try SheetPlan(
            Rendition.Sheet(count: count, precision: .exact), timings: index,
            tileSize: PixelSize(width: 16, height: 9))
        #expect(plan.tiles.map(\.frame) == (0..<count).map { 90 * $0 / count })
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var layout: Rendition.Sheet
        var seconds: Int
        var tiles: Int
        var interval: Duration
        var pages: [PixelSize]
        var testDescription: String { "\(tiles) tiles of \(seconds) s" }
    }

    @Test(arguments: [
        Case(
            layout: Rendition.Sheet(), seconds: 60, tiles: 60, interval: .seconds(1),
            pages: [PixelSize(width: 1600, height: 540)]),
        Case(
            layout: Rendition.Sheet(), seconds: 600, tiles: 100, interval: .seconds(6),
            pages: [PixelSize(width: 1600, height: 900)]),
        Case(
            layout: Rendition.Sheet(), seconds: 3, tiles: 10, interval: .milliseconds(300),
            pages: [PixelSize(width: 1600, height: 90)]),
        Case(
            layout: Rendition.Sheet(interval: .seconds(1)), seconds: 3, tiles: 3,
            interval: .seconds(1), pages: [PixelSize(width: 480, height: 90)]),
        Case(
            layout: Rendition.Sheet(count: 7, columns: 4, gap: 2), seconds: 60, tiles: 7,
            interval: .seconds(60) / 7, pages: [PixelSize(width: 646, height: 182)]),
        Case(
            layout: Rendition.Sheet(columns: 10, rows: 6), seconds: 120, tiles: 60,
            interval: .seconds(2), pages: [PixelSize(width: 1600, height: 540)]),
        Case(
            layout: Rendition.Sheet(interval: .seconds(1), columns: 10, rows: 2), seconds: 45,
            tiles: 45,
            interval: .seconds(1),
            pages: [
                PixelSize(width: 1600, height: 180), PixelSize(width: 1600, height: 180),
                PixelSize(width: 1600, height: 90),
            ]),
        Case(
            layout: Rendition.Sheet(interval: .milliseconds(40)), seconds: 60, tiles: 1500,
            interval: .milliseconds(40),
            pages: [PixelSize(width: 1600, height: 10440), PixelSize(width: 1600, height: 3060)]),
        Case(
            layout: Rendition.Sheet(interval: .seconds(90)), seconds: 60, tiles: 1,
            interval: .seconds(90), pages: [PixelSize(width: 160, height: 90)]),
    ])
    func `tiles and pages follow from what is asked for`(_ item: Case) throws {
        let plan = try plan(item.layout, seconds: item.seconds)
        #expect(plan.tiles.count == item.tiles)
        #expect(plan.interval == item.interval)
        #expect(plan.pages == item.pages)
    }

    @Test func `of a short animation all frames are shown, of many an even choice`() throws {
        let tile = PixelSize(width: 16, height: 9)
        for (seconds, rate, count) in [(1, 14 as Int64, 14), (2, 20, 40), (9, 50, 100)] {
            let index = Self.clip(seconds: seconds, rate: rate)
            let plan = try SheetPlan(
                Rendition.Sheet(), timings: index, tileSize: tile, showsFrames: true)
            let frames = plan.tiles.map(\.frame)
            #expect(frames.count == count)
            #expect(Set(frames).count == count)
            #expect(frames == frames.sorted())
            #expect(plan.tiles.last?.end == index.duration)
            for tile in plan.tiles {
                #expect(tile.start == index.timings[tile.frame].presentation.duration)
            }
        }
        let long = try SheetPlan(
            Rendition.Sheet(), timings: Self.clip(seconds: 20), tileSize: tile, showsFrames: true)
        #expect(long.tiles.count == 20)
        let asked = try SheetPlan(
            Rendition.Sheet(count: 3), timings: Self.clip(seconds: 1), tileSize: tile,
            showsFrames: true)
        #expect(asked.tiles.count == 3)
    }

    @Test(arguments: [
        Rendition.Sheet(), Rendition.Sheet(count: 7, columns: 3, gap: 5),
        Rendition.Sheet(interval: .milliseconds(333), columns: 7, rows: 3, gap: 1),
        Rendition.Sheet(count: 1), Rendition.Sheet(columns: 100),
    ])
    func `each tile lies on its page, apart from all others`(layout: Rendition.Sheet) throws {
        let plan = try plan(layout)
        var seen: Set<[Int]> = []
        for tile in plan.tiles {
            let page = plan.pages[tile.page]
            #expect(tile.rect.clipped(to: page) == tile.rect)
            #expect(tile.rect.width == plan.tileSize.width)
            #expect(seen.insert([tile.page, tile.rect.x, tile.rect.y]).inserted)
            #expect(tile.rect.x % (plan.tileSize.width + layout.gap) == 0)
            #expect(tile.rect.y % (plan.tileSize.height + layout.gap) == 0)
        }
        #expect(Set(plan.tiles.map(\.page)).count == plan.pages.count)
        #expect(plan.pages.allSatisfy { max($0.width, $0.height) <= SheetPlan.maxSide })
    }

    @Test func `the tiles' times have no gaps and cover the clip`() throws {
        for layout in [
            Rendition.Sheet(), Rendition.Sheet(count: 7), Rendition.Sheet(interval: .seconds(7)),
        ] {
            let plan = try plan(layout)
            #expect(plan.tiles.first?.start == .zero)
            #expect(plan.tiles.last?.end == .seconds(60))
            for (tile, next) in zip(plan.tiles, plan.tiles.dropFirst()) {
                #expect(tile.end == next.start)
                #expect(tile.start < tile.end)
            }
        }
    }

    @Test(arguments: [
        // Keyframes every 10 s, tiles every second: only every tenth tile has one nearby.
        (250, Duration.seconds(1), Rendition.Sheet.Precision.near, [0, 25, 50, 75]),
        // Keyframes every 2 s, tiles every 3 s: the keyframe at 2 s is within half an interval.
        (50, .seconds(3), .near, [0, 50, 150, 200]),
        (50, .seconds(3), .exact, [0, 75, 150, 225]),
        (250, .seconds(1), .keyframes, [0, 0, 0, 0]),
        (250, .seconds(8), .keyframes, [0, 250, 500, 500]),
        (25, .seconds(1), .near, [0, 25, 50, 75]),
    ])
    func `keyframes stand in where the interval allows`(
        gap: Int, interval: Duration, precision: Rendition.Sheet.Precision, frames: [Int]
    ) throws {
        let plan = try plan(Rendition.Sheet(interval: interval, precision: precision), gap: gap)
        #expect(plan.tiles.prefix(4).map(\.frame) == frames)
    }

    /// A layout over a part of the clip, in milliseconds.
    private static func part(_ from: Int, _ to: Int, _ layout: Rendition.Sheet) -> Part {
        Part(range: .milliseconds(from)..<(.milliseconds(to)), layout: layout)
    }

    struct Part: Sendable {
        let range: Range<Duration>
        let layout: Rendition.Sheet
    }

    @Test(
        arguments: [
            (
                part(10_000, 40_000, Rendition.Sheet(count: 3, precision: .exact)), 10_000,
                [250, 500, 750]
            ),
            (part(10_000, 12_000, Rendition.Sheet(interval: .seconds(1))), 1000, [250, 275]),
            (
                part(10_000, 12_000, Rendition.Sheet(columns: 2, rows: 2)), 500,
                [250, 262, 275, 287]
            ),
            // To the end, and half of an interval is left of it.
            (
                part(57_500, 900_000, Rendition.Sheet(interval: .seconds(1))), 1000,
                [1437, 1462, 1487]
            ),
            // The keyframe at 10 s is within half an interval, but not of the part.
            (
                part(10_500, 13_500, Rendition.Sheet(interval: .milliseconds(1500))), 1500,
                [262, 300]
            ),
            // The next keyframe is the end of the part, and not of it.
            (part(5000, 10_000, Rendition.Sheet(interval: .seconds(5))), 5000, [125]),
            // Only keyframes of the part, or the nearest where it has none.
            (
                part(5000, 25_000, Rendition.Sheet(interval: .seconds(4), precision: .keyframes)),
                4000,
                [250, 250, 250, 500, 500]
            ),
            (
                part(12_000, 19_000, Rendition.Sheet(interval: .seconds(4), precision: .keyframes)),
                4000,
                [250, 500]
            ),
        ] as [(Part, Int, [Int])])
    func `tiles are of a part, at the times of the clip`(
        part: Part, interval: Int, frames: [Int]
    ) throws {
        let range = part.range
        let plan = try plan(part.layout, within: range)
        #expect(plan.tiles.map(\.frame) == frames)
        #expect(plan.interval == .milliseconds(interval))
        #expect(plan.duration == .seconds(60))
        for tile in plan.tiles {
            #expect(tile.start == range.lowerBound + .milliseconds(interval * tile.index))
        }
        #expect(plan.tiles.last?.end == min(.seconds(60), range.upperBound))
    }

    @Test func `of a short part of an animation all frames are shown`() throws {
        let plan = try SheetPlan(
            Rendition.Sheet(), timings: Self.clip(seconds: 60, rate: 10),
            tileSize: PixelSize(width: 16, height: 9),
            within: .milliseconds(20_100)..<(.milliseconds(20_500)), showsFrames: true)
        #expect(plan.tiles.map(\.frame) == [201, 202, 203, 204])
        // The frame on screen at the start began before it.
        let late = try SheetPlan(
            Rendition.Sheet(), timings: Self.clip(seconds: 60, rate: 10),
            tileSize: PixelSize(width: 16, height: 9),
            within: .milliseconds(20_150)..<(.milliseconds(20_450)), showsFrames: true)
        #expect(late.tiles.map(\.frame) == [201, 202, 203, 204])
        #expect(late.tiles.first?.start == .milliseconds(20_150))
        #expect(late.tiles.last?.end == .milliseconds(20_450))
    }

    @Test(arguments: [(60_000, 61_000), (70_000, 1_000_000_000)])
    func `a part after the end is not found`(
        from: Int, to: Int
    ) {
        #expect {
            try plan(Rendition.Sheet(), within: .milliseconds(from)..<(.milliseconds(to)))
        } throws: { ($0 as? MediaError)?.code == .notFound }
    }

    @Test(arguments: [
        (Rendition.Sheet(count: 200, columns: 200), "160 pixels are wider"),
        (Rendition.Sheet(interval: .seconds(1), rows: 1000), "1000 rows of 90 pixels are higher"),
        (Rendition.Sheet(interval: .zero), "not above 0"),
        (Rendition.Sheet(interval: .microseconds(1000)), "more than 50000 tiles"),
    ])
    func `what has no room is refused`(layout: Rendition.Sheet, words: String) throws {
        do {
            _ = try plan(layout, seconds: 200)
            Issue.record("nothing was thrown")
        } catch {
            let error = try #require(error as? MediaError)
            #expect(error.code == .notWritable)
            #expect(error.message.contains(words))
        }
    }

    @Test func `a still has one tile`() throws {
        let still = FrameIndex([
            FrameTiming(index: 0, presentation: .zero, duration: .zero, isKeyframe: true)
        ])
        let plan = try SheetPlan(
            Rendition.Sheet(), timings: still, tileSize: PixelSize(width: 16, height: 9))
        #expect(plan.tiles.count == 1)
        #expect(plan.pages == [PixelSize(width: 16, height: 9)])
        #expect(plan.webVTT(files: ["a.jpg"]).contains("00:00:00.000 --> 00:00:00.001\n"))
    }

    @Test func `tiles that share a keyframe are one run`() throws {
        let timings = Self.clip(seconds: 60)
        let plan = try plan(Rendition.Sheet(count: 12))
        let runs = SheetReaders.Run.runs(of: plan.tiles, timings)
        #expect(runs.map(\.key) == [0, 250, 500, 750, 1000, 1250])
        #expect(runs.flatMap(\.frames) == plan.tiles.map(\.frame))
    }
}
