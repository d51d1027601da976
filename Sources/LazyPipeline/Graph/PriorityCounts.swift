/// The number of subscribers of each priority; needs no memory of its own.
struct PriorityCounts: Equatable {
    private var counts = SIMD8<UInt32>()

    /// The highest priority of all subscribers.
    var highest: Priority? {
        for priority in Priority.allCases.reversed() where counts[priority.rawValue] > 0 {
            return priority
        }
        return nil
    }

    mutating func add(_ priority: Priority) { counts[priority.rawValue] += 1 }
    mutating func remove(_ priority: Priority) { counts[priority.rawValue] -= 1 }
}
