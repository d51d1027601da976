/// Max-min fair division of a budget; pure.
enum FairShare {
    /// The claim of one participant.
    struct Claim: Hashable {
        /// The guaranteed share.
        var floor: Int
        /// The desired share.
        var demand: Int
    }

    /// The max-min fair shares: one level for all, limited by each demand and never below a minimum.
    ///
    /// The sum is at most the budget, unless the minimums alone exceed it.
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

/// The memory that a playing sequence wants.
struct FrameDemand: Hashable {
    /// The bytes of one frame.
    var frameBytes: Int
    /// The number of frames, if known.
    var frameCount: Int?
    /// Viewers that play or wait; without any it gets nothing.
    var viewers: Int

    /// The number of frames decoded ahead if a sequence is not kept whole.
    static let lookAhead = 8

    /// The current frame of each viewer, and one that is being decoded.
    private var floor: Int { viewers == 0 ? 0 : bytes(ofFrames: viewers + 1) }
    private var streaming: Int { viewers == 0 ? 0 : bytes(ofFrames: viewers + Self.lookAhead) }
    private var whole: Int? { frameCount.map { viewers == 0 ? 0 : bytes(ofFrames: $0) } }

    private func bytes(ofFrames wanted: Int) -> Int {
        let frames = min(wanted, max(1, frameCount ?? wanted))
        let (bytes, isTooMuch) = frameBytes.multipliedReportingOverflow(by: frames)
        return isTooMuch ? .max / 1024 : bytes
    }

    /// The maximum number of live frames of each: all, or a few ahead of its viewers.
    ///
    /// Keeping a part of a looping sequence saves no decoding, so one
    /// that cannot be kept whole is reduced to its look-ahead, the largest one first.
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
