internal import LazyBytes

/// Decides what goes: entries in, victims out.
struct SweepPlan: Equatable {
    /// A file that may go.
    struct Item: Equatable {
        var name: String
        var size: Int
        var lastUsed: WallTime
        var storedAt = WallTime(milliseconds: .max)
    }
    /// Where there are more bytes than this, something goes.
    var limit: Int
    /// What is left then.
    var target: Int
    /// What was used before this goes in any case.
    var oldest: WallTime?
    /// What was stored before this goes in any case.
    var storedBefore: WallTime?

    /// What goes: what is too old, and then the longest unused first.
    func victims(_ items: [Item], sparingNewest isNewestSpared: Bool = false) -> [Item] {
        guard let storedBefore else { return unused(items, isNewestSpared) }
        let expired = items.filter { $0.storedAt < storedBefore }
        return expired + unused(items.filter { $0.storedAt >= storedBefore }, isNewestSpared)
    }

    private func unused(_ items: [Item], _ isNewestSpared: Bool) -> [Item] {
        var total = items.reduce(0) { $0 + $1.size }
        let bound = total > limit ? target : .max
        let oldest = oldest ?? WallTime(milliseconds: .min)
        var victims: [Item] = []
        let sorted = items.sorted { ($0.lastUsed, $0.name) < ($1.lastUsed, $1.name) }
        for (place, item) in sorted.enumerated() {
            let isSpared = isNewestSpared && place == sorted.count - 1
            guard total > bound && !isSpared || item.lastUsed < oldest else { break }
            total -= item.size
            victims.append(item)
        }
        return victims
    }
}
