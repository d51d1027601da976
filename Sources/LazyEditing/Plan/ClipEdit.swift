public import LazyMedia

/// An edit of a sequence: which frames it keeps, when they are shown, and how they are cropped.
///
/// A value: applying it (`FrameSequence.edited`) decodes nothing yet. The steps are applied in this
/// order: shape, size and its crop, placement, padding, overlays; then segments, speed, frame rate, the number of frames,
/// reverse, bounce, cross-fade; matte.
public struct ClipEdit: Hashable, Sendable {
    /// The segments taken, in this order, as half-open ranges of the source's time; empty for all.
    ///
    /// Empty segments are left out; ends are clamped to the end of the source.
    public var segments: [Range<Duration>]
    /// The same by frames or chapters, in place of segments; their times are found when the edit is applied.
    public var sections: [ClipSection] = []
    /// The most frames per second, or nil for the source's frames and exact durations.
    ///
    /// Each step of the rate shows the frame that is on screen in its middle. A frame shown for
    /// several steps stays one frame of a longer duration, so that no rate adds frames.
    public var frameRate: Rational?
    /// Whether no frame is shown for less than a step of the rate, for places that measure it.
    package var isRateStrict = false
    /// The playback speed relative to the source, from 0.01 to 100.
    public var speed: Double
    /// The most frames of the result, or nil for all: the first ones (`maxTaken`).
    public var maxFrames: Int?
    /// Whether the order of frames is reversed.
    public var isReversed: Bool
    /// Whether it plays forwards and then backwards, showing each end once.
    public var isBouncing: Bool
    /// The length of a cross-fade from the end to the beginning, for a seamless loop.
    public var crossfade: Duration
    /// The output size, or nil for the source's.
    public var size: TargetSize?
    /// The part that is kept if `size`, or the crop of the shape, leaves it open.
    public var gravity: Gravity
    /// What is done to pictures before they are scaled: bars, crop, rotation, mirroring.
    public var shape = PictureShape()
    /// Where pictures lie on a canvas, by a rule of its own instead of a size and a padding.
    package var placement: Placement?
    /// A border around the scaled pictures.
    public var padding: Padding?
    /// The color over which partly transparent pixels are blended; transparent ones stay.
    ///
    /// For formats without partial transparency, such as GIF.
    public var matte: PixelColor?
    /// The color of what lies around pictures; nil leaves it transparent.
    ///
    /// That is the corners of a rotation, and the edges of joined pictures of other sizes.
    package var surroundings: PixelColor?
    /// What is drawn over the pictures, the first one below the others; times are those of the source.
    public var overlays: [Overlay] = []

    /// Makes an edit; without arguments it changes nothing.
    public init(
        segments: [Range<Duration>] = [], frameRate: Rational? = nil, speed: Double = 1,
        maxFrames: Int? = nil, isReversed: Bool = false, isBouncing: Bool = false,
        crossfade: Duration = .zero,
        size: TargetSize? = nil, gravity: Gravity = .center
    ) {
        self.segments = segments
        self.frameRate = frameRate
        self.speed = speed
        self.maxFrames = maxFrames
        self.isReversed = isReversed
        self.isBouncing = isBouncing
        self.crossfade = crossfade
        self.size = size
        self.gravity = gravity
    }

    /// An end of a segment that is after the end of every source.
    public static let toTheEnd = Duration.seconds(Int64(Int32.max))

    /// Whether only pictures change and no times, or nothing at all.
    public var keepsAllFrames: Bool {
        segments.isEmpty && sections.isEmpty && frameRate == nil && speed == 1 && maxFrames == nil
            && !isReversed
            && !isBouncing && crossfade == .zero
    }

    /// The edit without what changes the size of pictures, for looking at their content.
    package var unsized: ClipEdit {
        var edit = self
        (edit.size, edit.padding, edit.matte, edit.overlays) = (nil, nil, nil, [])
        edit.placement = nil
        return edit
    }
}
