public import LazyMedia

/// Which frames of a sequence make up a new one, when, and how they are cut.
///
/// A value: applying it (`FrameSequence.edited`) decodes nothing yet. The steps are done in this
/// order: segments, speed, frame rate, reverse, bounce, cross-fade, size and crop.
public struct ClipEdit: Hashable, Sendable {
    /// The pieces taken, in this order, as half-open ranges of the source's time; empty for all.
    ///
    /// A piece of nothing is left out; ends behind the source's end are cut.
    public var segments: [Range<Duration>]
    /// The most frames a second, or nil for the source's own frames and exact durations.
    ///
    /// At each step of so long stands the frame that is shown in its middle. A frame that stands
    /// for several steps is one frame and longer, so that no rate makes more frames than there are.
    public var frameRate: Rational?
    /// How many times as fast, above 0.
    public var speed: Double
    /// Whether the last frame comes first.
    public var isReversed: Bool
    /// Whether it goes there and back, without showing the turning frames twice.
    public var isBouncing: Bool
    /// How long the end is faded over the beginning, so that the loop has no seam.
    public var crossfade: Duration
    /// The size that comes out, or nil for the source's.
    public var size: TargetSize?
    /// What stays where `size` covers and cuts.
    public var gravity: Gravity

    /// Makes an edit; without arguments it changes nothing.
    public init(
        segments: [Range<Duration>] = [], frameRate: Rational? = nil, speed: Double = 1,
        isReversed: Bool = false, isBouncing: Bool = false, crossfade: Duration = .zero,
        size: TargetSize? = nil, gravity: Gravity = .center
    ) {
        self.segments = segments
        self.frameRate = frameRate
        self.speed = speed
        self.isReversed = isReversed
        self.isBouncing = isBouncing
        self.crossfade = crossfade
        self.size = size
        self.gravity = gravity
    }

    /// An end of a segment that is behind every source's end.
    public static let toTheEnd = Duration.seconds(Int64(Int32.max))

    /// Whether only the size changes, or nothing at all.
    public var keepsAllFrames: Bool {
        segments.isEmpty && frameRate == nil && speed == 1 && !isReversed && !isBouncing
            && crossfade == .zero
    }
}
