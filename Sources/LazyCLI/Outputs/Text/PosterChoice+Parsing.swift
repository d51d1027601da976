internal import LazyMedia

extension PosterChoice {
    /// Parses `auto`, `first`, `last`, `embedded`, a time, `25%`, `#120` or `-1`.
    init(parsing text: String) throws(ArgumentError) {
        switch text {
        case "auto": self = .auto
        case "first": self = .first
        case "last": self = .index(-1)
        case "embedded": self = .embedded
        default:
            guard let choice = Self.frame(text) ?? Self.share(text) ?? Self.instant(text) else {
                throw ArgumentError(
                    "write auto, first, last, embedded, a time such as 12.5 or 00:01:02.5, "
                        + "a percentage such as 25%, or a frame such as #120 or -1")
            }
            self = choice
        }
    }

    private static func frame(_ text: String) -> PosterChoice? {
        let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
        guard text.hasPrefix("#") || text.hasPrefix("-") else { return nil }
        return Int32(digits).map { .index(Int($0)) }
    }

    private static func share(_ text: String) -> PosterChoice? {
        guard text.hasSuffix("%"), let share = Double(text.dropLast()), (0...100).contains(share)
        else { return nil }
        return .percent(share)
    }

    private static func instant(_ text: String) -> PosterChoice? {
        TimestampParser.duration(text).map { .at($0) }
    }
}
