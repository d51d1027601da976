/// Opens bytes of the types it knows; the role that each format module plays.
public protocol MediaDecoding: Sendable {
    /// A short name for reports, such as `giflib` or `ffmpeg`.
    var name: String { get }

    /// Whether this decoder is the one for a sniffed type.
    func canOpen(_ type: MediaType) -> Bool

    /// The type of bytes that begin like this, or nil; asked where `MediaType.sniffing` knows none.
    func sniff(_ head: [UInt8]) -> MediaType?

    /// Reads the header and what else tells the shape; decodes no pixel.
    ///
    /// Blocks while bytes are read. Throws a `MediaError` of any code.
    func open(
        _ bytes: any ByteSource, type: MediaType, limits: DecodingLimits
    ) throws(MediaError) -> any OpenedMedia
}

extension MediaDecoding {
    /// None but the types that sniffing knows.
    public func sniff(_ head: [UInt8]) -> MediaType? { nil }
}

/// Media whose header has been read: immutable, shared by all readers of it.
public protocol OpenedMedia: Sendable {
    /// What the header told.
    var info: MediaInfo { get }

    /// The exact timing of every frame, found without decoding pixels where that can be.
    ///
    /// Blocks while the whole container is walked; the answer is kept. For a GIF this is known at
    /// once, for video every packet is read.
    func frameIndex(_ cancellation: CancellationFlag) throws(MediaError) -> FrameIndex

    /// The timing as the container tells it, without decoding anything.
    ///
    /// The same as `frameIndex` in sound media; of damaged media it may promise frames that decoding
    /// then drops. Blocks while the container is walked.
    func outline(_ cancellation: CancellationFlag) throws(MediaError) -> FrameIndex

    /// The outline, or nil where it costs more than looking at a few frames does.
    ///
    /// That is so where the bytes come over a network, and are not needed but for the outline.
    func promptOutline(_ cancellation: CancellationFlag) throws(MediaError) -> FrameIndex?

    /// Makes a reader that stands before the first frame.
    func makeReader(_ options: ReaderOptions) throws(MediaError) -> any FrameReader

    /// The picture the container carries for itself, such as cover art, or nil.
    func embeddedPoster(_ options: ReaderOptions) throws(MediaError) -> Bitmap?
}

extension OpenedMedia {
    /// The frame index itself, for media where it costs nothing.
    public func outline(_ cancellation: CancellationFlag) throws(MediaError) -> FrameIndex {
        try frameIndex(cancellation)
    }

    /// The outline, for media where it costs little.
    public func promptOutline(
        _ cancellation: CancellationFlag
    ) throws(MediaError) -> FrameIndex? {
        try outline(cancellation)
    }

    /// No picture of its own.
    public func embeddedPoster(_ options: ReaderOptions) throws(MediaError) -> Bitmap? { nil }
}

/// How a reader is to read.
public struct ReaderOptions: Sendable {
    /// The size frames come out at, or nil for the size of the media.
    public var size: PixelSize?
    /// What the reader may spend.
    public var limits: DecodingLimits
    /// The rule for too short delays, for formats of pictures: GIF today; video has no such rule.
    public var delayRule: DelayRule
    /// Threads the decoder may use beside the caller's; 1 for the least latency.
    public var threads: Int
    /// Whether only keyframes are decoded.
    public var keyframesOnly: Bool
    /// Whether one frame will be read and its duration does not matter, as for a poster.
    public var isSingleFrame: Bool
    /// Whether frames shall carry `planes` where the source has them.
    public var planes: Bool
    /// Whether pixels need not be exact: what costs much and is not seen in a small picture may be
    /// left out, such as the deblocking of H.264.
    public var isQuick = false
    /// Set from outside to end the reading within one packet.
    public var cancellation: CancellationFlag

    /// Makes options; all have defaults.
    public init(
        size: PixelSize? = nil, limits: DecodingLimits = .web, delayRule: DelayRule = .browsers,
        threads: Int = 1, keyframesOnly: Bool = false, isSingleFrame: Bool = false,
        planes: Bool = false, cancellation: CancellationFlag = CancellationFlag()
    ) {
        self.size = size
        self.limits = limits
        self.delayRule = delayRule
        self.threads = threads
        self.keyframesOnly = keyframesOnly
        self.isSingleFrame = isSingleFrame
        self.planes = planes
        self.cancellation = cancellation
    }
}

/// Hands out the frames of one sequence one after the other; used by one task at a time.
///
/// Every method blocks while it decodes: call them off the cooperative pool (`BlockingPool`), or use
/// `FrameSequence`, which does. Each checks the cancellation flag at least once a packet and then
/// throws `.cancelled`.
public protocol FrameReader: AnyObject {
    /// Decodes the next frame, or returns nil when there is none.
    ///
    /// Damage ends the sequence early, with a warning, and is an error only where no frame could
    /// be had at all. Once it has returned nil it returns nil again.
    func nextFrame() throws(MediaError) -> Frame?

    /// Goes to a frame by number, forwards or backwards: `nextFrame()` returns exactly that one.
    ///
    /// A number at or beyond the end leaves the reader at the end.
    func seek(toIndex index: Int) throws(MediaError)

    /// Goes to the frame that is shown at a time: the last one whose PTS is not after it.
    ///
    /// Before the first frame that is the first one, after the end the last one.
    func seek(toTime time: Duration) throws(MediaError)

    /// The frame that was handed out last, at another size, without decoding it again.
    ///
    /// Its pixels are those that a reader of that size gives. Nil where the reader has nothing left
    /// to make it of; many keep that only where `isSingleFrame` is set.
    func lastFrame(at size: PixelSize) throws(MediaError) -> Frame?

    /// Damage and oddities met so far.
    var warnings: [MediaWarning] { get }
}

extension FrameReader {
    /// Nothing is kept.
    public func lastFrame(at size: PixelSize) throws(MediaError) -> Frame? { nil }
}
