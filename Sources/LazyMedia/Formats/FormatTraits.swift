/// What files of a type can carry, as far as a writer must know it.
public struct FormatTraits: Hashable, Sendable {
    /// Whether there can be more than one frame.
    public let canAnimate: Bool
    /// Whether the file says how often it plays.
    public let carriesLoop: Bool
    /// The most plays that it can say, apart from forever.
    public let mostPlays: Int
    /// Whether pixels can be transparent, and how finely.
    public let alpha: Alpha
    /// How exactly pixels come back.
    public let fidelity: Fidelity
    /// Whether browsers show lossless files in wrong colors.
    public let misreadsLossless: Bool
    /// The step that delays are written in, in microseconds.
    public let timeStep: Int64
    /// The shortest delay that players keep, in microseconds.
    public let shortestDelay: Int64
    /// Whether its encoder leaves out frames rather than to write shorter delays.
    public let omitsShort: Bool
    /// The longest side in pixels.
    public let longestSide: Int
    /// The quality that its encoder takes where none is given, 0 to 100.
    public let defaultQuality: Double
    /// About the bytes of a file that are not of its frames.
    public let containerBytes: Int
    /// Whether more effort makes smaller files.
    public let hasEffort: Bool

    /// How transparent pixels can be.
    public enum Alpha: String, Hashable, Sendable {
        /// Not at all.
        case none
        /// Wholly or not at all.
        case binary
        /// In 256 steps.
        case full
    }

    /// How exactly pixels come back.
    public enum Fidelity: String, Hashable, Sendable {
        /// Always as they were.
        case exact
        /// As they were, in a palette of few colors.
        case palette
        /// As they were or nearly so, as the options say.
        case optional
        /// Nearly as they were.
        case lossy
    }

    /// Makes traits: times in microseconds, sides in pixels.
    public init(
        canAnimate: Bool, loop: Bool = false, mostPlays: Int = Int(Int32.max),
        alpha: Alpha, fidelity: Fidelity = .lossy,
        step: Int64 = 1, shortest: Int64 = 0,
        omitsShort: Bool = false, side: Int,
        defaultQuality: Double = DefaultQuality.standard,
        containerBytes: Int = 60,
        misreadsLossless: Bool = false,
        hasEffort: Bool = true
    ) {
        self.canAnimate = canAnimate
        carriesLoop = loop
        self.mostPlays = mostPlays
        self.alpha = alpha
        self.fidelity = fidelity
        timeStep = step
        shortestDelay = shortest
        self.omitsShort = omitsShort
        longestSide = side
        self.defaultQuality = defaultQuality
        self.containerBytes = containerBytes
        self.misreadsLossless = misreadsLossless
        self.hasEffort = hasEffort
    }
}
