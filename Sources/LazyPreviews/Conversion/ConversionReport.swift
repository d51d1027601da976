public import LazyMedia

/// What a conversion made, and why so.
public struct ConversionReport: Sendable {
    /// Something that was decided, or left as it is, and the reason.
    public struct Choice: Hashable, Sendable {
        /// The stable word for what was decided about, such as `lossless`.
        public let subject: String
        /// What was decided.
        public let decision: String
        /// Why, as a half sentence.
        public let reason: String
    }

    /// What was written.
    public var type: MediaType
    /// The short name of the encoder that wrote it.
    public var encoder: String
    /// The size of the frames.
    public var size: PixelSize
    /// Bytes of the source, where they are known.
    public var sourceByteCount: Int?
    /// Bytes written.
    public var byteCount: Int
    /// Frames written.
    public var frameCount: Int
    /// The length of one play.
    public var duration: Duration
    /// How often it plays, as the source says or as was asked for.
    public var loop: LoopCount
    /// Whether the file says how often it plays.
    public var carriesLoop: Bool
    /// What the pictures are of; nil where nobody had to know.
    public var kind: ContentKind?
    /// What was decided, and why.
    public var choices: [Choice]
    /// What was lost on the way, and oddities of the source.
    public var warnings: [MediaWarning]

    /// Bytes written for one byte of the source.
    public var share: Double? {
        sourceByteCount.map { Double(byteCount) / Double(max(1, $0)) }
    }
}

extension MediaWarning.Code {
    /// The source has sound, and the video that was written has none.
    public static let soundDropped = MediaWarning.Code(rawValue: "soundDropped")
    /// The format says nothing about how often it plays, and the source did.
    public static let loopLost = MediaWarning.Code(rawValue: "loopLost")
    /// Transparency became a background, or soft edges hard ones.
    public static let alphaLost = MediaWarning.Code(rawValue: "alphaLost")
    /// Delays are rounded to the format's steps; the errors are carried on, so that the sum stays.
    public static let delaysRounded = MediaWarning.Code(rawValue: "delaysRounded")
    /// Frames are shorter than players keep in this format.
    public static let delaysTooShort = MediaWarning.Code(rawValue: "delaysTooShort")
    /// Browsers do not show the colors that are in the file.
    public static let colorsMisread = MediaWarning.Code(rawValue: "colorsMisread")
}

extension MediaError.Code {
    /// The source is an animation, and what was asked for holds one picture.
    public static let isAnimation = MediaError.Code(rawValue: "animation")
    /// What is to be an animation has one picture.
    public static let isStill = MediaError.Code(rawValue: "still")
}
