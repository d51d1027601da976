/// The priority of work; may change while it runs.
public enum Priority: Int, Comparable, CaseIterable, Sendable {
    /// After everything else.
    case veryLow
    /// For work that may be needed soon, such as prefetching.
    case low
    /// The default.
    case normal
    /// Before work of normal priority.
    case high
    /// Before everything else.
    case veryHigh

    /// Orders priorities from low to high.
    public static func < (left: Priority, right: Priority) -> Bool {
        left.rawValue < right.rawValue
    }
}
