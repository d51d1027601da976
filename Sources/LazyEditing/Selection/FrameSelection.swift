package import LazyMedia

/// A selection of frames of a sequence; all of them by default.
package struct FrameSelection: Sendable, Equatable {
    /// The part of the clip.
    package var part: ClipPart
    /// Every Nth frame of those in the part.
    package var every: Int
    /// Whether only keyframes are selected.
    package var keyframesOnly: Bool
    /// The time between frames, each of which is the one on screen then, at most once; nil for every Nth.
    package var interval: Duration?
    /// The numbers of frames in the source, in ascending order; nil for those that the others choose.
    package var numbers: [Int]?
    /// The most frames.
    package var maximum: Int?
    /// The frame rate to resample to, or nil; a frame may then be returned several times.
    package var rate: Rational?

    /// Makes a selection; without arguments it selects all frames.
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
