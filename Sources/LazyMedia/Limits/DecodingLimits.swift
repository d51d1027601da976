/// The most that decoding may cost; each excess is a typed error that names limit and value.
///
/// Limits bound the work, not the file: a film of three hours and 8 GB gives its poster under every
/// profile. Nil means no limit. <doc:Limits> has the values of the profiles.
public struct DecodingLimits: Hashable, Sendable {
    /// Pixels of one frame's canvas.
    public var pixelsPerFrame: Int?
    /// Bytes of memory that one opening or one reader may use at a time, checked before allocating.
    ///
    /// This counts a decoder's pictures, the canvases that frames are drawn on, tables of frames, and
    /// encoded bytes that must be held completely.
    public var memory: Int?
    /// Frames that one reader may decode, or one clip may contain when written.
    public var frames: Int?
    /// Pixels that one reader may decode in all frames together.
    public var totalPixels: Int?
    /// Encoded bytes that are held in memory: downloads, standard input and `data:` URLs.
    ///
    /// A file is read on demand, and its size is not limited.
    public var inputBytes: Int?
    /// Tracks of one container.
    public var tracks: Int?
    /// Bytes of the fonts in one file that subtitles are drawn with; fonts beyond are left out.
    ///
    /// FreeType reads them where the media is decoded.
    public var fontBytes: Int?
    /// Time that opening may take, not counting waits for a network.
    public var openTime: Duration?
    /// Time that one reader may spend decoding, not counting waits for its consumer.
    public var decodeTime: Duration?

    /// Makes limits; the default is no limit.
    public init(
        pixelsPerFrame: Int? = nil, memory: Int? = nil, frames: Int? = nil,
        totalPixels: Int? = nil, inputBytes: Int? = nil, tracks: Int? = nil,
        fontBytes: Int? = nil, openTime: Duration? = nil, decodeTime: Duration? = nil
    ) {
        self.pixelsPerFrame = pixelsPerFrame
        self.memory = memory
        self.frames = frames
        self.totalPixels = totalPixels
        self.inputBytes = inputBytes
        self.tracks = tracks
        self.fontBytes = fontBytes
        self.openTime = openTime
        self.decodeTime = decodeTime
    }

    /// For trusted files: refuses only what would exhaust the machine; a process stays below 2.2 GB.
    public static let local = DecodingLimits(
        pixelsPerFrame: 200_000_000, memory: 2_000_000_000, tracks: 1000, fontBytes: 100_000_000,
        openTime: .seconds(120))

    /// For data from a network or a pipe; a process stays below 1 GiB.
    public static let web = DecodingLimits(
        pixelsPerFrame: 50_000_000, memory: 800_000_000, frames: 100_000,
        inputBytes: 200_000_000, tracks: 1000, fontBytes: 0, openTime: .seconds(30),
        decodeTime: .seconds(600))

    /// For uploads of unknown users; a process stays below 400 MB.
    public static let untrusted = DecodingLimits(
        pixelsPerFrame: 50_000_000, memory: 300_000_000, frames: 10_000,
        totalPixels: 1_000_000_000, inputBytes: 200_000_000, tracks: 100, fontBytes: 0,
        openTime: .seconds(10), decodeTime: .seconds(60))
}
