/// The number of subscribers of each priority.
struct PriorityCounts: Equatable {
    private var counts: [Int] = Array(repeating: 0, count: Priority.allCases.count)

    /// The highest priority of all subscribers.
    var highest: Priority? {
        counts.lastIndex { $0 > 0 }.flatMap(Priority.init(rawValue:))
    }

    mutating func add(_ priority: Priority) { counts[priority.rawValue] += 1 }
    mutating func remove(_ priority: Priority) { counts[priority.rawValue] -= 1 }
}
