public import LazyMedia

/// An edit of a sequence: which frames it keeps, when they are shown, and how they are cropped.
///
/// A value: applying it (`FrameSequence.edited`) decodes nothing yet. The steps are applied in this
/// order: segments, speed, frame rate, reverse, bounce, cross-fade, size and crop.
public struct ClipEdit: Hashable, Sendable {
    /// The segments taken, in this order, as half-open ranges of the source's time; empty for all.
    ///
    /// Empty segments are left out; ends are clamped to the end of the source.
    public var segments: [Range<Duration>]
    /// The most frames per second, or nil for the source's frames and exact durations.
    ///
    /// Each step of the rate shows the frame that is on screen in its middle. A frame shown for
    /// several steps stays one frame of a longer duration, so that no rate adds frames.
    public var frameRate: Rational?
    /// The playback speed relative to the source, above 0.
    public var speed: Double
    /// Whether the order of frames is reversed.
    public var isReversed: Bool
    /// Whether it plays forwards and then backwards, showing each end once.
    public var isBouncing: Bool
    /// The length of a cross-fade from the end to the beginning, for a seamless loop.
    public var crossfade: Duration
    /// The output size, or nil for the source's.
    public var size: TargetSize?
    /// The part that is kept if `size` crops.
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

    /// An end of a segment that is after the end of every source.
    public static let toTheEnd = Duration.seconds(Int64(Int32.max))

    /// Whether only the size changes, or nothing at all.
    public var keepsAllFrames: Bool {
        segments.isEmpty && frameRate == nil && speed == 1 && !isReversed && !isBouncing
            && crossfade == .zero
    }
}
