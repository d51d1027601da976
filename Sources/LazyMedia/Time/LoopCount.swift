/// How often a sequence plays: what the file says, and what that means.
///
/// The number in a GIF counts repeats after the first play, that in APNG and WebP counts plays
/// (seen in Chromium 156; WebP container specification, `ANIM`; PNG specification, `acTL`).
public struct LoopCount: Hashable, Sendable {
    /// The number in the file, or nil where the file carries none.
    public let raw: Int?
    /// How many times it plays in all, or nil for ever.
    public let plays: Int?

    /// Makes a loop count from both numbers.
    public init(raw: Int?, plays: Int?) {
        self.raw = raw
        self.plays = plays
    }

    /// A GIF's NETSCAPE2.0 or ANIMEXTS1.0 number: absent once, 0 for ever, n is n + 1 plays.
    public static func gif(_ raw: Int?) -> LoopCount {
        LoopCount(raw: raw, plays: raw.map { $0 == 0 ? nil : $0 + 1 } ?? 1)
    }

    /// The number of plays in APNG or WebP: absent once, 0 for ever, n is n plays.
    public static func plays(_ raw: Int?) -> LoopCount {
        LoopCount(raw: raw, plays: raw.map { $0 == 0 ? nil : $0 } ?? 1)
    }

    /// Video carries no number and plays for ever, as the silent clips of a page do.
    public static let video = LoopCount(raw: nil, plays: nil)

    /// A still picture is shown once.
    public static let still = LoopCount(raw: nil, plays: 1)
}

/// How often to play, as the one who plays it decides.
public enum Looping: Hashable, Sendable {
    /// As the file says.
    case asAuthored
    /// Without an end.
    case forever
    /// So many times in all.
    case times(Int)

    /// The number of plays for a file's loop count, or nil for ever.
    public func plays(_ authored: LoopCount) -> Int? {
        switch self {
        case .asAuthored: authored.plays
        case .forever: nil
        case .times(let count): max(0, count)
        }
    }
}

/// From the delay a file gives to the delay that is kept.
public enum DelayRule: Hashable, Sendable {
    /// 10 ms or less become 100 ms, as in Gecko, Blink and WebKit.
    case browsers
    /// As the file says.
    case raw

    /// The time a frame is shown whose file says `delay`.
    public func effective(_ delay: MediaTime) -> MediaTime {
        guard self == .browsers, delay <= MediaTime(microseconds: 10_000) else { return delay }
        return MediaTime(microseconds: 100_000)
    }

    /// The GIF form: hundredths of a second in, hundredths out.
    public func effective(hundredths: Int) -> Int {
        self == .browsers && hundredths <= 1 ? 10 : hundredths
    }
}
