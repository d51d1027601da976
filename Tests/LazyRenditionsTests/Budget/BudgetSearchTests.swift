import LazyEditing
import LazyMedia
import Testing

@testable import LazyRenditions

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
        var best: Int?
        var place: Double?
    }

    private static let ladder = `Byte budgets`.ladder(PixelSize(width: 320, height: 180))

    private func run(
        _ budget: Int, _ world: World, _ ladder: BudgetLadder = ladder
    ) -> Outcome {
        var search = BudgetSearch(maxBytes: budget, ladder: ladder, model: `Byte budgets`.model)
        var outcome = Outcome()
        for _ in 0..<20 {
            switch search.next() {
            case .sample(let place):
                outcome.samples += 1
                search.didSample(place, bytes: world.sampled(ladder.level(at: place)))
            case .encode(let place):
                outcome.encodes += 1
                let byteCount = world.whole(ladder.level(at: place))
                search.didEncode(place, byteCount: byteCount)
                if byteCount <= budget, search.isBest(byteCount) {
                    (outcome.best, outcome.place) = (byteCount, place)
                }
            case .end: return outcome
            }
        }
        Issue.record("The search does not end.")
        return outcome
    }

    private static let budgets = [700, 1500, 4000, 12_000, 40_000, 120_000, 1_000_000]

    @Test(
        arguments: budgets,
        [(0, 1, 1.6), (900, 1, 1.6), (900, 1.7, 1), (0, 0.5, 2), (3000, 4, 0.8), (50, 8, 0.4)])
    func `it fails only where the smallest result does not fit`(
        _ budget: Int, _ world: (Double, Double, Double)
    ) {
        let world = World(overhead: world.0, surprise: world.1, sides: world.2)
        for keepsSize in [false, true] {
            let ladder = `Byte budgets`.ladder(Self.ladder.size, keepsSize: keepsSize)
            let outcome = run(budget, world, ladder)
            #expect(outcome.encodes <= 5)
            #expect(outcome.samples <= 3)
            let least = world.whole(ladder.level(at: ladder.end))
            #expect((outcome.best == nil) == (least > budget))
        }
    }

    @Test(arguments: [6000, 12_000, 40_000, 120_000])
    func `where samples tell the truth one encoding uses most of the budget`(
        _ budget: Int
    ) throws {
        for overhead in [0.0, 600] {
            let outcome = run(budget, World(overhead: overhead, surprise: 1, sides: 1.2))
            #expect(try #require(outcome.best) > budget * 85 / 100)
            #expect(outcome.encodes == 1)
        }
    }

    @Test(arguments: [6000, 12_000, 40_000, 120_000], [0.4, 0.7, 1.4, 3])
    func `where samples are wrong another encoding uses most of the budget`(
        _ budget: Int, _ surprise: Double
    ) throws {
        let world = World(overhead: 300, surprise: surprise, sides: 1.3)
        guard world.whole(Level()) > budget else { return }
        let outcome = run(budget, world)
        #expect(try #require(outcome.best) > budget * 75 / 100)
        #expect(outcome.encodes <= 3)
    }

    @Test func `what is asked for is enough where it fits`() {
        let outcome = run(1_000_000, World(overhead: 0, surprise: 1, sides: 1.6))
        #expect(outcome.encodes == 1)
        #expect(outcome.samples == 0)
    }
}
