package import LazyMedia

/// Which frames of a sequence are wanted; nothing set wants all.
package struct FrameSelection: Sendable, Equatable {
    /// The part they are taken from.
    package var part: ClipPart
    /// Every Nth frame of those in the part.
    package var every: Int
    /// Whether frames that need others to be decoded are left out.
    package var keyframesOnly: Bool
    /// The most frames.
    package var maximum: Int?
    /// Resampled to so many frames a second; a frame may then come several times.
    package var rate: Rational?

    /// Makes a selection; without arguments it is all frames.
    package init(
        part: ClipPart = ClipPart(), every: Int = 1, keyframesOnly: Bool = false,
        maximum: Int? = nil, rate: Rational? = nil
    ) {
        self.part = part
        self.every = every
        self.keyframesOnly = keyframesOnly
        self.maximum = maximum
        self.rate = rate
    }
}
