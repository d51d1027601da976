/// What media is, before any pixel of it is decoded.
public struct MediaInfo: Sendable {
    /// What the bytes are.
    public var type: MediaType
    /// The codec's short name, such as `gif`, `h264` or `vp9`.
    public var codec: String
    /// The size frames come out at: rotated, with square pixels.
    public var size: PixelSize
    /// The number of frames, or nil where the container does not tell and nobody has counted.
    public var frameCount: Int?
    /// The length of one play, or nil where it is not known before the end is reached.
    public var duration: Duration?
    /// How often it plays.
    public var loop: LoopCount
    /// Whether pixels may be transparent.
    public var hasAlpha: Bool
    /// How far the coded picture was turned clockwise to stand upright: 0, 90, 180 or 270.
    public var rotation: Int
    /// Whether it was mirrored left to right before it was turned.
    public var isMirrored: Bool
    /// Width to height of a coded pixel; the frames' own pixels are square.
    public var pixelAspect: Rational
    /// Whether the data ends early.
    public var isTruncated: Bool
    /// Damage and oddities found so far.
    public var warnings: [MediaWarning]
    /// All streams of the container, the chosen one among them.
    public var streams: [StreamInfo]

    /// Makes a description; what is not given is as in a plain still picture.
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

/// One stream of a container.
public struct StreamInfo: Hashable, Sendable {
    /// What a stream carries.
    public enum Kind: String, Sendable {
        /// Pictures in time.
        case video
        /// A picture that belongs to the whole, such as cover art.
        case attachedPicture
        /// Sound, never decoded here.
        case audio
        /// Text, never decoded here.
        case subtitle
        /// Anything else.
        case data
    }

    /// The stream's number in the container.
    public let index: Int
    /// What it carries.
    public let kind: Kind
    /// The codec's short name, or `unknown`.
    public let codec: String
    /// The coded size, for pictures.
    public let codedSize: PixelSize?
    /// Whether the frames come from this stream.
    public let isChosen: Bool

    /// Makes a description of a stream.
    public init(index: Int, kind: Kind, codec: String, codedSize: PixelSize?, isChosen: Bool) {
        self.index = index
        self.kind = kind
        self.codec = codec
        self.codedSize = codedSize
        self.isChosen = isChosen
    }
}
