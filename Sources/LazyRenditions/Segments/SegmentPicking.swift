/// Selects segments by their scores; pure.
struct SegmentPicking {
    /// The length of a segment.
    let length: Duration
    /// The most segments.
    let count: Int
    /// The length of the clip.
    let clip: Duration

    /// The indices of the selected segments, in order of time.
    ///
    /// Greedy: the best first; each next one is weighted down by its closeness to those selected, and
    /// segments much worse than the best are left out.
    func pick(_ candidates: [SegmentChoice.Candidate]) -> [Int] {
        var taken: [Int] = []
        let best = candidates.map(\.score.total).max() ?? 0
        while taken.count < count {
            let next = candidates.indices.filter { isFree(candidates[$0], taken, candidates) }
                .map { (number: $0, worth: worth($0, taken, candidates)) }
                .reduce(nil as (number: Int, worth: Double)?) { best, next in
                    // The first of equals.
                    guard let best, best.worth >= next.worth else { return next }
                    return best
                }
            guard let next, taken.isEmpty || candidates[next.number].score.total >= 0.5 * best
            else { break }
            taken.append(next.number)
        }
        return taken.sorted { candidates[$0].range.lowerBound < candidates[$1].range.lowerBound }
    }

    private func isFree(
        _ candidate: SegmentChoice.Candidate, _ taken: [Int],
        _ candidates: [SegmentChoice.Candidate]
    ) -> Bool {
        taken.allSatisfy { !candidates[$0].range.overlaps(candidate.range) }
    }

    private func worth(
        _ number: Int, _ taken: [Int], _ candidates: [SegmentChoice.Candidate]
    ) -> Double {
        let start = candidates[number].range.lowerBound
        let nearest = taken.map { other -> Double in
            let distance = candidates[other].range.lowerBound - start
            return abs(distance / .seconds(1))
        }.min()
        guard let nearest else { return candidates[number].score.total }
        let apart = max(0.001, clip / .seconds(1) / Double(count))
        return candidates[number].score.total * (0.5 + 0.5 * min(1, nearest / apart))
    }
}
