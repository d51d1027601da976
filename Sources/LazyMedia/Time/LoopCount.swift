/// How often a sequence plays: the number in the file, and its meaning.
///
/// GIF's number counts repetitions after the first play, that of APNG and WebP counts plays
/// (seen in Chromium 156; WebP container specification, `ANIM`; PNG specification, `acTL`).
public struct LoopCount: Hashable, Sendable {
    /// The number in the file, or nil where the file carries none.
    public let raw: Int?
    /// How many times it plays in all, or nil for forever.
    public let plays: Int?

    /// Makes a loop count from both numbers.
    public init(raw: Int?, plays: Int?) {
        self.raw = raw
        self.plays = plays
    }

    /// A GIF's NETSCAPE2.0 or ANIMEXTS1.0 number: absent means 1 play, 0 forever, n means n + 1 plays.
    public static func gif(_ raw: Int?) -> LoopCount {
        LoopCount(raw: raw, plays: raw.map { $0 == 0 ? nil : $0 + 1 } ?? 1)
    }

    /// The number of plays in APNG or WebP: absent means 1 play, 0 forever, n means n plays.
    public static func plays(_ raw: Int?) -> LoopCount {
        LoopCount(raw: raw, plays: raw.map { $0 == 0 ? nil : $0 } ?? 1)
    }

    /// Video carries no number and plays forever, as silent clips on web pages do.
    public static let video = LoopCount(raw: nil, plays: nil)

    /// A still picture is shown once.
    public static let still = LoopCount(raw: nil, plays: 1)

    /// The number of plays for a file, 0 for forever; throws `.notWritable` for more than it can carry.
    package func number(upTo most: Int, in format: String) throws(MediaError) -> Int {
        guard let plays else { return 0 }
        guard (1...most).contains(plays) else {
            throw MediaError(
                .notWritable, "\(format) cannot play \(plays) times, \(most) is the most.")
        }
        return plays
    }
}

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

/// Converts a file's delays to those that are used.
public enum DelayRule: Hashable, Sendable {
    /// 10 ms or less become 100 ms, as in Gecko, Blink and WebKit.
    case browsers
    /// As the file says.
    case raw

    /// How long a frame is shown for which the file says `delay`.
    public func effective(_ delay: MediaTime) -> MediaTime {
        guard self == .browsers, delay <= MediaTime(microseconds: 10_000) else { return delay }
        return MediaTime(microseconds: 100_000)
    }

    /// The same in hundredths of a second, GIF's unit.
    public func effective(hundredths: Int) -> Int {
        self == .browsers && hundredths <= 1 ? 10 : hundredths
    }
}
