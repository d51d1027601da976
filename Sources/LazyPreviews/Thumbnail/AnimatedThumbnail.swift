public import LazyEditing
public import LazyMedia

/// A small animation that represents a clip: how it is selected, cut and encoded.
///
/// A value, which can be applied to any number of sequences.
///
/// ```swift
/// let made = try await AnimatedThumbnail().data(of: clip, registry: .standard)
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
    /// To meet it, quality is reduced until blocking would become visible, then size, then frame rate.
    public var maxBytes: Int?

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

    /// The default rate: nil, for all frames, if there are few.
    ///
    /// Taking ten of fourteen frames per second would make motion uneven and save little.
    static func usualRate(_ index: FrameIndex, speed: Double) -> Rational? {
        let seconds = index.duration / .seconds(1) / speed
        return Double(index.count) < 20 * seconds ? nil : Rational(10, 1)
    }
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

    /// The edit that is applied to a sequence, and how its segments were selected.
    ///
    /// Selecting segments decodes a bounded number of small frames; it is deterministic. A clip too short
    /// for two frames at the rate gets a higher one, so that it moves. Throws `.isStill` for a sequence, or
    /// a range, of one picture.
    public func plan(
        for sequence: FrameSequence
    ) async throws(MediaError) -> (edit: ClipEdit, choice: SegmentChoice) {
        let index = try await sequence.frameIndex()
        guard index.count != 1, sequence.info.type.family != .still else {
            throw MediaError(
                .isStill, "The input is one picture, and an animation is made of several.")
        }
        var edit = self.edit
        if edit.frameRate == nil { edit.frameRate = Self.usualRate(index, speed: edit.speed) }
        var choice = SegmentChoice(reason: .given)
        if edit.segments.isEmpty {
            choice = try await SegmentSearch(
                length: length, pieces: pieces,
                wantsLoop: seam == .auto && !edit.isBouncing
                    && edit.crossfade == .zero
            ).run(sequence)
            edit.segments = choice.segments
            if choice.reason == .loop, let rate = edit.frameRate {
                edit.frameRate = Self.rate(rate, dividing: choice.duration, speed: edit.speed)
            }
        }
        switch seam {
        case .auto, .none: break
        case .bounce: edit.isBouncing = true
        case .crossfade where edit.crossfade == .zero: edit.crossfade = .milliseconds(500)
        case .crossfade: break
        }
        return (try Self.moving(edit, index), choice)
    }

    /// The edit with a higher rate if its own leaves one frame of a short clip; throws `.isStill` if there
    /// is only one frame.
    private static func moving(
        _ edit: ClipEdit, _ index: FrameIndex
    ) throws(MediaError) -> ClipEdit {
        var edit = edit
        guard try EditPlan(index, edit).entries.count == 1 else { return edit }
        edit.frameRate = nil
        let every = try EditPlan(index, edit)
        guard every.entries.count > 1 else {
            throw MediaError(
                .isStill, "One frame is in the range, and an animation is made of several.")
        }
        let length = every.frameIndex(keyframes: index.timings.map(\.isKeyframe)).duration
        var slow = edit
        slow.frameRate = Self.rate(Rational(1, 1_000_000), dividing: length, speed: 1, least: 2)
        return try EditPlan(index, slow).entries.count > 1 ? slow : edit
    }

    /// The rate closest to another that divides a length into whole steps, so that a loop is even.
    static func rate(
        _ rate: Rational, dividing length: Duration, speed: Double, least: Double = 1
    ) -> Rational {
        let played = length / .seconds(1) / speed
        let steps = max(least == 1 ? 0 : least, (played * rate.doubleValue).rounded())
        guard steps >= 1, steps < 1e9, played > 0 else { return rate }
        return Rational(Int64(steps) * 1_000_000, max(1, Int64(saturating: played * 1_000_000)))
            .reduced
    }
}
