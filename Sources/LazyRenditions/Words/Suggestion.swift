/// Suggestions for mistyped words.
package enum Suggestion {
    /// The most similar word, or nil if none is similar enough; the first of equals.
    package static func nearest(_ wrong: String, among words: [String]) -> String? {
        let most = max(1, wrong.count / 3)
        let near = words.map { ($0, distance(wrong.lowercased(), $0.lowercased())) }
        return near.filter { $0.1 <= most }.min { $0.1 < $1.1 }?.0
    }

    /// The sentence `Did you mean 'poster'?` after a space, or nothing.
    package static func sentence(_ wrong: String, among words: [String]) -> String {
        nearest(wrong, among: words).map { " Did you mean '\($0)'?" } ?? ""
    }

    /// The number of insertions, deletions, substitutions and transpositions.
    static func distance(_ one: String, _ other: String) -> Int {
        let (a, b) = (Array(one), Array(other))
        guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
        var before: [Int] = []
        var last = Array(0...b.count)
        for i in 1...a.count {
            var row = [i]
            for j in 1...b.count {
                let change = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
                var best = min(change, last[j] + 1, row[j - 1] + 1)
                if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
                    best = min(best, before[j - 2] + 1)
                }
                row.append(best)
            }
            (before, last) = (last, row)
        }
        return last[b.count]
    }
}
