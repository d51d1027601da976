/// How often to play or to write it, as the caller decides.
public enum Looping: Hashable, Sendable {
    /// As the file says.
    case asAuthored
    /// Forever.
    case forever
    /// This many times in total.
    case times(Int)

    /// One play.
    public static let once = Looping.times(1)

    /// The loop count of a file that is made from a source; at least one play.
    public func written(for source: LoopCount) -> LoopCount {
        switch self {
        case .asAuthored: source
        case .forever: LoopCount(raw: nil, plays: nil)
        case .times(let count): LoopCount(raw: nil, plays: max(1, count))
        }
    }

    /// The number of plays for a file's loop count, or nil for forever.
    public func plays(_ authored: LoopCount) -> Int? {
        switch self {
        case .asAuthored: authored.plays
        case .forever: nil
        case .times(let count): max(0, count)
        }
    }
}
