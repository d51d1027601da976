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

    /// The number of plays for a file, 0 for forever; throws `.notWritable` for more than a format of a title can say.
    package func number(upTo most: Int, in title: String) throws(MediaError) -> Int {
        guard let plays else { return 0 }
        guard (1...most).contains(plays) else {
            throw MediaError(
                .notWritable, "\(title) cannot play \(plays) times, \(most) is the most.")
        }
        return plays
    }
}
