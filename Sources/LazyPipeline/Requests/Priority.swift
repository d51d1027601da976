/// How urgent work is; may change while it runs.
public enum Priority: Int, Comparable, CaseIterable, Sendable {
    /// Behind everything else.
    case veryLow
    /// For what may be wanted soon, such as prefetching.
    case low
    /// The default.
    case normal
    /// Before the others.
    case high
    /// Before everything else.
    case veryHigh

    /// Orders two priorities by urgency.
    public static func < (left: Priority, right: Priority) -> Bool {
        left.rawValue < right.rawValue
    }
}
