public import LazyEditing
public import LazyMedia

/// A small animation that stands for a clip: how it is chosen, cut and written.
///
/// A value: it can be used on any sequence, any number of times.
///
/// ```swift
/// let made = try await AnimatedThumbnail().data(of: clip, registry: .standard)
/// ```
public struct AnimatedThumbnail: Hashable, Sendable {
    /// What is written; an animated WebP unless it is changed.
    public var type: MediaType
    /// How the clip is cut, timed and sized; without segments the best ones are looked for.
    ///
    /// Begins as 320 pixels across, never enlarged. Without a rate of its own the thumbnail keeps the
    /// frames of a source of fewer than 20 a second, and has 10 a second of others.
    public var edit: ClipEdit
    /// Whether flat art of up to 480 pixels keeps its size where `edit` has the usual one.
    ///
    /// Scaling by a little blurs drawings and makes their files larger. False where the usual size is
    /// what was asked for.
    public var keepsFlatArt: Bool
    /// How long the pieces that are chosen play together, at the speed of the clip.
    public var length: Duration
    /// The most pieces that are chosen.
    public var pieces: Int
    /// How the end meets the beginning.
    public var seam: LoopSeam
    /// How often it plays, where the type says that.
    public var looping: Looping
    /// How frames are encoded.
    public var encoding: EncodingOptions
    /// The most bytes it may have, or nil.
    ///
    /// What is given up for that: quality as far as no blocks are seen, then size, then frames.
    public var maxBytes: Int?

    /// Makes the usual thumbnail: 320 pixels, about 10 frames a second, 3 seconds, for ever.
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

    /// 320 pixels across, never enlarged.
    public static let usualEdit = ClipEdit(size: TargetSize(width: 320, fit: .scaleDown))

    /// The rate where none is asked for: nil, for all frames, where these are few.
    ///
    /// Taking ten of fourteen frames a second would make motion uneven and save little.
    static func usualRate(_ index: FrameIndex, speed: Double) -> Rational? {
        let seconds = index.duration / .seconds(1) / speed
        return Double(index.count) < 20 * seconds ? nil : Rational(10, 1)
    }
}

/// How the end of an animation meets its beginning.
public enum LoopSeam: String, CaseIterable, Hashable, Sendable {
    /// Where a chosen piece comes back to where it was, it is cut there; else as it is.
    case auto
    /// As it is.
    case none
    /// The end fades over the beginning.
    case crossfade
    /// There and back.
    case bounce
}

extension AnimatedThumbnail {
    /// What was made, and how it was chosen.
    public struct Report: Sendable {
        /// What was written.
        public var type: MediaType
        /// The size in pixels.
        public var size: PixelSize
        /// The number of frames.
        public var frameCount: Int
        /// How long one play is.
        public var duration: Duration
        /// The loop count that was written.
        public var loop: LoopCount
        /// The bytes written.
        public var byteCount: Int
        /// The edit as it was applied in the end.
        public var edit: ClipEdit
        /// The options that frames were encoded with in the end.
        public var encoding: EncodingOptions
        /// How the pieces were chosen.
        public var choice: SegmentChoice
        /// How often the whole was encoded; more than once only for a budget.
        public var encodes: Int
        /// What the format could not carry.
        public var warnings: [MediaWarning]
    }

    /// The edit that is applied to a sequence, and how its pieces were chosen.
    ///
    /// Decodes a bounded number of small frames where pieces are to be chosen. Same input, same
    /// answer. A clip too short for two steps of the rate has a higher one, so that it moves. Throws
    /// `.isStill` for a sequence, or a range, of one picture.
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

    /// The edit with a higher rate where its own leaves one frame of a short clip; `.isStill` where
    /// none helps.
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

    /// The rate nearest to one that divides a length into whole steps, so that a loop has no jerk.
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
