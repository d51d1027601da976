public import LazyEditing
public import LazyMedia

/// A small animation that represents a clip: how it is selected, cut and encoded.
///
/// A value, which can be applied to any number of sequences.
///
/// ```swift
/// let made = try await AnimatedThumbnail().data(of: clip, encoders: .standard)
/// ```
public struct AnimatedThumbnail: Hashable, Sendable {
    /// The type that is written; an animated WebP by default.
    public var type: MediaType
    /// How the clip is cut, timed and sized; without segments the best ones are selected.
    ///
    /// By default it is 320 pixels wide and never enlarged. Without a frame rate the thumbnail keeps all
    /// frames of a source below 20 frames per second, and has 10 frames per second of others.
    public var edit: ClipEdit
    /// Whether flat art of up to 480 pixels keeps its size if `edit` has the default one.
    ///
    /// Slight scaling blurs drawings and makes their files larger. False if the default size was asked
    /// for explicitly.
    public var keepsFlatArt: Bool
    /// The total length of the selected segments, at the speed of the clip.
    public var length: Duration
    /// The most segments that are selected.
    public var pieces: Int
    /// The transition from the end to the beginning.
    public var seam: LoopSeam
    /// How often it plays, if the type can say so.
    public var looping: Looping
    /// How frames are encoded.
    public var encoding: EncodingOptions
    /// The most bytes it may have, or nil.
    ///
    /// To meet it, quality is reduced until blocking would become visible, then size, then frame rate; a
    /// warning says what was reduced. A size that is asked for exactly stays: two sides that are filled or
    /// covered, a border up to a size, a crop of a size that is not scaled.
    public var maxBytes: Int?
    /// Whether it has all frames at their own times if nothing else is asked for, as of pictures.
    package var keepsAllFrames = false

    /// Makes the default thumbnail: 320 pixels, about 10 frames per second, 3 seconds, forever.
    public init(
        type: MediaType = .webpAnimation, edit: ClipEdit = AnimatedThumbnail.usualEdit,
        length: Duration = .seconds(3), pieces: Int = 3, seam: LoopSeam = .auto,
        looping: Looping = .forever, encoding: EncodingOptions = .init(), maxBytes: Int? = nil
    ) {
        self.type = type
        self.edit = edit
        keepsFlatArt = edit.size == Self.usualEdit.size
        self.length = length
        self.pieces = pieces
        self.seam = seam
        self.looping = looping
        self.encoding = encoding
        self.maxBytes = maxBytes
    }

    /// 320 pixels wide, never enlarged.
    public static let usualEdit = ClipEdit(size: TargetSize(width: 320, fit: .scaleDown))
}

/// The transition from the end of an animation to its beginning.
public enum LoopSeam: String, CaseIterable, Hashable, Sendable {
    /// A segment that returns to its start is cut there; otherwise none.
    case auto
    /// A cut.
    case none
    /// A cross-fade from the end to the beginning.
    case crossfade
    /// Forwards, then backwards.
    case bounce
}

extension AnimatedThumbnail {
    /// A report of what was made, and how its segments were selected.
    public struct Report: Sendable {
        /// The type that was written.
        public var type: MediaType
        /// The size in pixels.
        public var size: PixelSize
        /// The number of frames.
        public var frameCount: Int
        /// The duration of one play.
        public var duration: Duration
        /// The loop count that was written.
        public var loop: LoopCount
        /// The bytes written.
        public var byteCount: Int
        /// The edit that was applied.
        public var edit: ClipEdit
        /// The encoding options that were used.
        public var encoding: EncodingOptions
        /// How the segments were selected.
        public var choice: SegmentChoice
        /// How often the whole was encoded; more than once only for a budget.
        public var encodes: Int
        /// Losses of the format, and damage of the source.
        public var warnings: [MediaWarning]
    }
}
