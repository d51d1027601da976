/// Which picture stands for the media, as the command line says it.
enum PosterMoment: Equatable {
    case auto, first, embedded
    case time(Duration)
    case percent(Double)
    /// A frame's number; below 0 from the end, -1 being the last.
    case index(Int)

    /// Reads `auto`, `first`, `embedded`, a time, `25%`, `#120` or `-1`.
    init(_ text: String) throws(ArgumentFault) {
        switch text {
        case "auto": self = .auto
        case "first": self = .first
        case "embedded": self = .embedded
        case "last": self = .index(-1)
        default:
            guard let moment = Self.frame(text) ?? Self.share(text) ?? Self.moment(text) else {
                throw ArgumentFault(
                    "write auto, first, last, embedded, a time such as 12.5 or 00:01:02.5, "
                        + "a share such as 25%, or a frame such as #120 or -1")
            }
            self = moment
        }
    }

    private static func frame(_ text: String) -> PosterMoment? {
        if text.hasPrefix("#") { return Int(text.dropFirst()).map { .index($0) } }
        return text.hasPrefix("-") ? Int(text).map { .index($0) } : nil
    }

    private static func share(_ text: String) -> PosterMoment? {
        guard text.hasSuffix("%"), let share = Double(text.dropLast()), (0...100).contains(share)
        else { return nil }
        return .percent(share)
    }

    private static func moment(_ text: String) -> PosterMoment? {
        MomentParser.duration(text).map { .time($0) }
    }
}
