public import LazyMedia

/// The result of a conversion, and the decisions behind it.
public struct ConversionReport: Sendable {
    /// A decision and its reason.
    public struct Choice: Hashable, Sendable {
        /// The stable name of what was decided, such as `lossless`.
        public let subject: String
        /// The decision.
        public let decision: String
        /// The reason, as a clause.
        public let reason: String
    }

    /// What was written.
    public var type: MediaType
    /// The short name of the encoder that wrote it.
    public var encoder: String
    /// The size of the frames.
    public var size: PixelSize
    /// Bytes of the source, if known.
    public var sourceByteCount: Int?
    /// Bytes written.
    public var byteCount: Int
    /// Frames written.
    public var frameCount: Int
    /// The length of one play.
    public var duration: Duration
    /// The loop count of the source, or the one asked for.
    public var loop: LoopCount
    /// Whether the file carries the loop count.
    public var carriesLoop: Bool
    /// The kind of content; nil if it made no difference.
    public var kind: ContentKind?
    /// The decisions that were made.
    public var choices: [Choice]
    /// The codec of the sound that was copied, or nil.
    public var sound: SoundFormat.Codec?
    /// Losses of the conversion, and damage of the source.
    public var warnings: [MediaWarning]

    /// Bytes written per byte of the source.
    public var share: Double? {
        sourceByteCount.map { Double(byteCount) / Double(max(1, $0)) }
    }
}

extension MediaWarning.Code {
    /// The source has sound, the written video has none.
    public static let soundDropped = MediaWarning.Code(rawValue: "soundDropped")
    /// Other sounds, subtitles, chapters, attachments or words of the source are not written.
    public static let partsDropped = MediaWarning.Code(rawValue: "partsDropped")
    /// There is no sound to copy.
    public static let soundMissing = MediaWarning.Code(rawValue: "soundMissing")
    /// The format has no loop count, and the source had one.
    public static let loopLost = MediaWarning.Code(rawValue: "loopLost")
    /// Transparency was flattened, or soft edges became hard.
    public static let alphaLost = MediaWarning.Code(rawValue: "alphaLost")
    /// Delays are rounded to the format's steps; errors are diffused, so that the sum is kept.
    public static let delaysRounded = MediaWarning.Code(rawValue: "delaysRounded")
    /// Frames are shorter than players support in this format.
    public static let delaysTooShort = MediaWarning.Code(rawValue: "delaysTooShort")
    /// Browsers do not show the colors that are in the file.
    public static let colorsMisread = MediaWarning.Code(rawValue: "colorsMisread")
    /// An animation was requested of one frame.
    public static let isStill = MediaWarning.Code(rawValue: "still")
    /// Quality, size or frames were reduced for a budget of bytes.
    public static let reduced = MediaWarning.Code(rawValue: "reduced")
}

extension MediaError.Code {
    /// The source is an animation, and the requested format holds one picture.
    public static let isAnimation = MediaError.Code(rawValue: "animation")
}
