internal import LazyBase

/// Decides which files are removed.
struct SweepPlan: Equatable {
    /// A file that may be removed.
    struct Item: Equatable {
        var name: String
        var size: Int
        var lastUsed: WallTime
        var storedAt = WallTime(milliseconds: .max)
    }
    /// The maximum total size.
    var limit: Int
    /// The total size after a removal.
    var target: Int
    /// Files last used before this are always removed.
    var oldest: WallTime?
    /// Files stored before this are always removed.
    var storedBefore: WallTime?

    /// The files to remove: expired ones, and then the least recently used ones.
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
