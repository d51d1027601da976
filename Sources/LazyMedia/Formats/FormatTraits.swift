/// What files of a type can carry, as far as a writer must know it.
public struct FormatTraits: Hashable, Sendable {
    /// Whether there can be more than one frame.
    public let canAnimate: Bool
    /// Whether the file says how often it plays.
    public let carriesLoop: Bool
    /// Whether pixels can be transparent, and how finely.
    public let alpha: Alpha
    /// The step that delays are written in, in microseconds.
    public let timeStep: Int64
    /// The shortest delay that players keep, in microseconds.
    public let leastDelay: Int64
    /// The longest side in pixels.
    public let longestSide: Int

    /// How transparent pixels can be.
    public enum Alpha: String, Hashable, Sendable {
        /// Not at all.
        case none
        /// Wholly or not at all.
        case binary
        /// In 256 steps.
        case full
    }

    init(
        canAnimate: Bool, loop: Bool = false, alpha: Alpha, step: Int64 = 1, least: Int64 = 0,
        side: Int
    ) {
        self.canAnimate = canAnimate
        carriesLoop = loop
        self.alpha = alpha
        timeStep = step
        leastDelay = least
        longestSide = side
    }
}

extension MediaType {
    /// What a file of this type can carry; nil for types that are not written.
    ///
    /// GIF counts in hundredths of a second, and browsers take one or none for ten (see
    /// `DelayRule`); WebP in milliseconds; APNG and AVIF in fractions that a second is divided
    /// into; MP4 is written at 1/90000 s or finer, WebM in milliseconds.
    public var traits: FormatTraits? {
        switch self {
        case .gif:
            FormatTraits(
                canAnimate: true, loop: true, alpha: .binary, step: 10_000, least: 20_000,
                side: 65_535)
        case .webpAnimation:
            FormatTraits(
                canAnimate: true, loop: true, alpha: .full, step: 1000, least: 11_000, side: 16_383)
        case .apng:
            FormatTraits(canAnimate: true, loop: true, alpha: .full, least: 11_000, side: 1 << 30)
        case .avifSequence:
            FormatTraits(canAnimate: true, loop: true, alpha: .full, least: 11_000, side: 65_536)
        case .mp4: FormatTraits(canAnimate: true, alpha: .none, side: 16_384)
        case .webm: FormatTraits(canAnimate: true, alpha: .full, step: 1000, side: 16_384)
        case .webp: FormatTraits(canAnimate: false, alpha: .full, side: 16_383)
        case .png: FormatTraits(canAnimate: false, alpha: .full, side: 1 << 30)
        case .avif: FormatTraits(canAnimate: false, alpha: .full, side: 65_536)
        case .jpeg: FormatTraits(canAnimate: false, alpha: .none, side: 65_500)
        default: nil
        }
    }
}
