/// A description of media, known before a pixel is decoded.
public struct MediaInfo: Sendable {
    /// The type of the bytes.
    public var type: MediaType
    /// The codec's short name, such as `gif`, `h264` or `vp9`.
    public var codec: String
    /// The size of decoded frames: rotated, with square pixels; of a song that of its cover, 1x1 without one.
    public var size: PixelSize
    /// The number of frames, or nil where the container does not say and nothing has counted them.
    public var frameCount: Int?
    /// About how many frames a long recording has that are not counted, by its rate; nil where nothing is estimated.
    ///
    /// Its length and its start are measured nevertheless.
    public var estimatedFrameCount: Int?
    /// The length of one play, or nil where only the end of the file tells it.
    public var duration: Duration?
    /// When the first frame is shown: above 0 where a film's sound begins earlier (`FrameTiming.presentation`).
    public var start: Duration = .zero
    /// How often it plays.
    public var loop: LoopCount
    /// Whether pixels may be transparent.
    public var hasAlpha: Bool
    /// The clockwise rotation that makes the coded picture upright: 0, 90, 180 or 270 degrees.
    public var rotation: Int
    /// Whether the picture is mirrored left to right before the rotation.
    public var isMirrored: Bool
    /// Width to height of a coded pixel; the frames' own pixels are square.
    public var pixelAspect: Rational
    /// Whether the data ends early.
    public var isTruncated: Bool
    /// Damage and irregularities found so far.
    public var warnings: [MediaWarning]
    /// All streams of the container, including the chosen one.
    public var streams: [StreamInfo]
    /// What the samples of the file mean; decoded frames are sRGB unless `ReaderOptions.color` says otherwise.
    public var color = ColorDescription()
    /// The bits of a sample, or nil where they are unknown.
    public var bitDepth: Int?
    /// The layout of samples in FFmpeg's terms, such as `yuv420p10le`, or nil where it is unknown.
    public var pixelFormat: String?
    /// How the fields of a frame were recorded; progressive unless the file says otherwise.
    public var fieldOrder: FieldOrder = .progressive
    /// Bits per second of all streams together, or nil where they are unknown.
    public var bitRate: Int64?
    /// The kind of HDR in the field's terms, such as `HDR10+`, `HLG` or `Dolby Vision 8.4`, or nil for SDR.
    public var hdrFormat: String?
    /// The chapters that the container lists, in order of time.
    public var chapters: [MediaChapter] = []
    /// The words that the container has for the whole file.
    public var tags = MediaTags()
    /// The film of a motion photo, or nil; `FrameSequence.track(_:openedBy:)` opens it.
    public var motion: MotionFilm?
    /// What is wrong where the file announces a film that is not there; the still is as good without it.
    public var motionWarning: MediaWarning?

    /// Whether it has sound and no frames; its poster is its cover.
    public var isSong: Bool {
        frameCount == 0 && streams.contains { $0.kind == .audio }
            && !streams.contains(where: \.isChosen)
    }

    /// Why nothing that needs frames is made of a song; nil for other media.
    package var songRefusal: MediaError? {
        guard isSong else { return nil }
        return streams.contains { $0.kind == .attachedPicture }
            ? MediaError(.coverOnly, "The file has audio and cover art, and no video.")
            : MediaError(.noCover, "The file has audio, and no video and no cover picture.")
    }

    /// Makes a description; the defaults are those of a plain still picture.
    public init(
        type: MediaType, codec: String, size: PixelSize, frameCount: Int? = nil,
        duration: Duration? = nil, loop: LoopCount = .still, hasAlpha: Bool = false,
        rotation: Int = 0, isMirrored: Bool = false, pixelAspect: Rational = Rational(1, 1),
        isTruncated: Bool = false, warnings: [MediaWarning] = [], streams: [StreamInfo] = []
    ) {
        self.type = type
        self.codec = codec
        self.size = size
        self.frameCount = frameCount
        self.duration = duration
        self.loop = loop
        self.hasAlpha = hasAlpha
        self.rotation = rotation
        self.isMirrored = isMirrored
        self.pixelAspect = pixelAspect
        self.isTruncated = isTruncated
        self.warnings = warnings
        self.streams = streams
    }
}

/// How the two fields of a frame were recorded.
public enum FieldOrder: String, Hashable, Sendable {
    /// Both at once.
    case progressive
    /// The upper lines first.
    case topFirst
    /// The lower lines first.
    case bottomFirst
}
