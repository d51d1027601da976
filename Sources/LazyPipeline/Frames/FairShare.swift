/// Splits a budget so that nobody can get more without somebody with less losing; pure.
enum FairShare {
    /// What one asks for.
    struct Claim: Hashable {
        /// What it gets in any case.
        var floor: Int
        /// What it has use for.
        var demand: Int
    }

    /// The max-min fair shares: the same level for all, cut at each demand, never below a floor.
    ///
    /// The shares are at most the budget in all, unless the floors alone are more.
    static func split(_ budget: Int, among claims: [Claim]) -> [Int] {
        let most = claims.map { max($0.floor, $0.demand) }
        if most.reduce(0, +) <= budget { return most }
        var low = 0
        var high = most.max() ?? 0
        while high - low > 1 {
            let middle = low + (high - low) / 2
            let total = claims.reduce(0) { $0 + share(of: $1, at: middle) }
            if total <= budget { low = middle } else { high = middle }
        }
        return claims.map { share(of: $0, at: low) }
    }

    private static func share(of claim: Claim, at level: Int) -> Int {
        max(claim.floor, min(claim.demand, level))
    }
}

/// What a playing sequence needs of the pool.
struct FrameDemand: Hashable {
    /// The bytes of one frame.
    var frameBytes: Int
    /// The number of frames, where it is known.
    var frameCount: Int?
    /// Viewers that play or wait; without one it gets nothing.
    var viewers: Int

    /// Frames decoded ahead where a sequence is not kept whole.
    static let lookAhead = 8

    /// A frame on show for each viewer, and one that is being decoded.
    private var floor: Int { viewers == 0 ? 0 : bytes(ofFrames: viewers + 1) }
    private var streaming: Int { viewers == 0 ? 0 : bytes(ofFrames: viewers + Self.lookAhead) }
    private var whole: Int? { frameCount.map { viewers == 0 ? 0 : bytes(ofFrames: $0) } }

    private func bytes(ofFrames wanted: Int) -> Int {
        let frames = min(wanted, max(1, frameCount ?? wanted))
        let (bytes, isTooMuch) = frameBytes.multipliedReportingOverflow(by: frames)
        return isTooMuch ? .max / 1024 : bytes
    }

    /// The frames each of them may have alive: all, or else a few ahead of its viewers.
    ///
    /// To keep a part of a sequence saves no decoding when it is played round and round, so one
    /// that cannot be kept whole asks for its look-ahead only, the largest one first.
    static func capacities(_ demands: [FrameDemand], budget: Int) -> [Int] {
        var wanted = demands.map { max($0.whole ?? $0.streaming, $0.floor) }
        while true {
            let claims = zip(demands, wanted).map {
                FairShare.Claim(floor: $0.floor, demand: $1)
            }
            let shares = FairShare.split(budget, among: claims)
            let short = demands.indices.filter {
                shares[$0] < wanted[$0] && wanted[$0] > demands[$0].streaming
            }
            if short.isEmpty { return zip(demands, shares).map { $1 / max(1, $0.frameBytes) } }
            let largest = short.sorted { (wanted[$0], $0) > (wanted[$1], $1) }
            for place in largest.prefix(max(1, short.count / 4)) {
                wanted[place] = max(demands[place].streaming, demands[place].floor)
            }
        }
    }
}
