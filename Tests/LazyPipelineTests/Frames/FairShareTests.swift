import Testing

@testable import LazyPipeline

struct FairShareTests {
    @Test(arguments: [
        (100, [(0, 10), (0, 20)], [10, 20]),
        (100, [(0, 100), (0, 100)], [50, 50]),
        (100, [(0, 10), (0, 100), (0, 100)], [10, 45, 45]),
        (100, [(0, 10), (0, 30), (0, 500)], [10, 30, 60]),
        (100, [(60, 100), (0, 100)], [60, 40]),
        (100, [(80, 100), (80, 100)], [80, 80]),
        (0, [(2, 100), (3, 3)], [2, 3]),
        (100, [(20, 10)], [20]),
        (100, [], []),
    ])
    func `a budget is divided max-min fair`(
        budget: Int, claims: [(Int, Int)], shares: [Int]
    ) {
        let split = FairShare.split(budget, among: claims.map { .init(floor: $0.0, demand: $0.1) })
        #expect(split == shares)
    }

    @Test func `no share can grow without a smaller one shrinking`() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<300 {
            let claims = (0..<Int.random(in: 1...12, using: &random)).map { _ in
                FairShare.Claim(
                    floor: .random(in: 0...5, using: &random),
                    demand: .random(in: 0...100, using: &random))
            }
            let budget = Int.random(in: 0...600, using: &random)
            let shares = FairShare.split(budget, among: claims)
            let floors = claims.reduce(0) { $0 + $1.floor }
            #expect(shares.reduce(0, +) <= max(budget, floors))
            for (claim, share) in zip(claims, shares) {
                #expect(share >= claim.floor && share <= max(claim.floor, claim.demand))
            }
            // Whoever gets less than it asks for gets as much as anybody, to one byte.
            let unmet = zip(claims, shares).filter { $1 < $0.demand }.map(\.1)
            let level = unmet.min() ?? 1 << 40
            for (claim, share) in zip(claims, shares) where share > level + 1 {
                #expect(share == claim.floor)
            }
            // And nothing is left over but what cannot be split.
            if !unmet.isEmpty, floors <= budget {
                #expect(budget - shares.reduce(0, +) < claims.count)
            }
        }
    }

    @Test(arguments: [
        // What fits is kept whole.
        (1000, [(10, 20, 1), (10, 30, 1)], [20, 30]),
        // The largest of those that do not fit asks for its look-ahead only.
        (500, [(10, 20, 1), (10, 200, 1)], [20, 9]),
        (500, [(10, 40, 1), (10, 40, 1)], [40, 9]),
        // Two frames at least, and one more for each viewer more.
        (0, [(10, 20, 1), (10, 200, 3), (10, 1, 1), (10, 20, 0)], [2, 4, 1, 0]),
        (100, [(10, 200, 1), (10, 200, 1)], [5, 5]),
    ])
    func `a sequence is kept whole or a few frames ahead`(
        budget: Int, demands: [(Int, Int, Int)], frames: [Int]
    ) {
        let capacities = FrameDemand.capacities(
            demands.map { .init(frameBytes: $0.0, frameCount: $0.1, viewers: $0.2) },
            budget: budget)
        #expect(capacities == frames)
    }

    @Test func `frames too large to be counted leave others their minimum`() {
        let huge = FrameDemand(frameBytes: 1 << 62, frameCount: 10, viewers: 1)
        let small = FrameDemand(frameBytes: 100, frameCount: 4, viewers: 1)
        #expect(FrameDemand.capacities([huge, small], budget: 10_000) == [0, 2])
    }

    @Test func `an unknown count claims a few frames ahead`() {
        let demand = FrameDemand(frameBytes: 10, frameCount: nil, viewers: 1)
        #expect(FrameDemand.capacities([demand], budget: 1_000_000) == [9])
    }
}
