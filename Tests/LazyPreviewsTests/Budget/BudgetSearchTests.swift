import LazyEditing
import LazyMedia
import Testing

@testable import LazyPreviews

@Suite struct `Search for a byte budget` {
    private typealias Level = SizeModel.Level

    /// An encoder: what the whole has at a level, against what samples tell.
    private struct World {
        /// What no level goes below: containers and headers.
        var overhead: Double
        /// What samples must be multiplied by.
        var surprise: Double
        /// The power of the sides that bytes really grow with.
        var sides: Double

        func sampled(_ level: Level) -> Double {
            var model = `Byte budgets`.model
            model.sides = sides
            return overhead + model.bytes(level)
        }

        func whole(_ level: Level) -> Int { Int(sampled(level) * surprise) }
    }

    private struct Outcome {
        var samples = 0
        var encodes = 0
        var leasts = 0
        var best: Int?
        var least: Int?
    }

    private static let ladder = BudgetLadder(
        full: ThumbnailSettings(edit: ClipEdit(), encoding: EncodingOptions()),
        defaultQuality: 75,
        size: PixelSize(width: 320, height: 180), rate: Rational(10, 1))

    private func run(_ budget: Int, _ world: World) -> Outcome {
        var search = BudgetSearch(
            maxBytes: budget, ladder: Self.ladder, model: `Byte budgets`.model)
        var outcome = Outcome()
        for _ in 0..<20 {
            switch search.next() {
            case .sample(let level):
                outcome.samples += 1
                search.didSample(level, bytes: world.sampled(level))
            case .smallest:
                outcome.leasts += 1
                let least = world.whole(Self.ladder.lowest)
                outcome.least = least
                search.didEncodeSmallest(byteCount: least)
                if least <= budget { outcome.best = max(outcome.best ?? 0, least) }
            case .encode(let level):
                outcome.encodes += 1
                let byteCount = world.whole(level)
                search.didEncode(level, byteCount: byteCount)
                if byteCount <= budget { outcome.best = max(outcome.best ?? 0, byteCount) }
            case .end: return outcome
            }
        }
        Issue.record("The search does not end.")
        return outcome
    }

    @Test(
        arguments: [700, 1500, 4000, 12_000, 40_000, 120_000, 1_000_000],
        [(0, 1, 1.6), (900, 1, 1.6), (900, 1.7, 1), (0, 0.5, 2), (3000, 4, 0.8), (50, 8, 0.4)])
    func `it fails only where the least does not fit`(
        _ budget: Int, _ world: (Double, Double, Double)
    ) {
        let world = World(overhead: world.0, surprise: world.1, sides: world.2)
        let outcome = run(budget, world)
        #expect(outcome.encodes <= 2)
        #expect(outcome.leasts <= 1)
        #expect(outcome.samples <= 6)
        #expect((outcome.best == nil) == (world.whole(Self.ladder.lowest) > budget))
    }

    @Test(arguments: [6000, 12_000, 40_000, 120_000])
    func `where samples tell the truth most of the budget is used`(_ budget: Int) throws {
        for overhead in [0.0, 600] {
            let outcome = run(budget, World(overhead: overhead, surprise: 1, sides: 1.2))
            #expect(try #require(outcome.best) > budget * 7 / 10)
            #expect(outcome.encodes <= 2)
        }
    }

    @Test func `what is asked for is enough where it fits`() {
        let outcome = run(1_000_000, World(overhead: 0, surprise: 1, sides: 1.6))
        #expect(outcome.encodes == 1)
        #expect(outcome.samples + outcome.leasts == 0)
    }
}
