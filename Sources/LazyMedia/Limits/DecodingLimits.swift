/// The most that decoding may cost; each excess is a typed error that names limit and value.
///
/// What is bounded is the work, not the file: a film of three hours and 8 GB gives its poster under
/// every profile. Nil means without a bound. <doc:Limits> has the numbers of the profiles.
public struct DecodingLimits: Hashable, Sendable {
    /// Pixels of one frame's canvas.
    public var pixelsPerFrame: Int?
    /// Bytes of memory that one opening or one reader may take at a time, told before they are taken.
    ///
    /// What counts are a decoder's pictures, the canvases that frames are drawn on, tables of frames,
    /// and encoded bytes that must be held as a whole.
    public var memory: Int?
    /// Frames that one reader may decode, and one clip may be written with.
    public var frames: Int?
    /// Pixels of all frames together that one reader may decode.
    public var totalPixels: Int?
    /// Encoded bytes that are loaded and held: downloads, standard input and `data:` URLs.
    ///
    /// A file is read where it is needed, and its size is not limited.
    public var inputBytes: Int?
    /// Tracks of one container.
    public var tracks: Int?
    /// Time that opening may take, waiting for a network not counted.
    public var openTime: Duration?
    /// Time one reader may spend decoding, waiting for its consumer not counted.
    public var decodeTime: Duration?

    /// Makes limits; what is not given has no bound.
    public init(
        pixelsPerFrame: Int? = nil, memory: Int? = nil, frames: Int? = nil,
        totalPixels: Int? = nil, inputBytes: Int? = nil, tracks: Int? = nil,
        openTime: Duration? = nil, decodeTime: Duration? = nil
    ) {
        self.pixelsPerFrame = pixelsPerFrame
        self.memory = memory
        self.frames = frames
        self.totalPixels = totalPixels
        self.inputBytes = inputBytes
        self.tracks = tracks
        self.openTime = openTime
        self.decodeTime = decodeTime
    }

    /// For files of one's own: only what would exhaust the machine is refused.
    public static let local = DecodingLimits(
        pixelsPerFrame: 200_000_000, memory: 2_000_000_000, tracks: 1000,
        openTime: .seconds(120))

    /// For what comes over a network or a pipe; a process stays below 1 GiB.
    public static let web = DecodingLimits(
        pixelsPerFrame: 50_000_000, memory: 800_000_000, frames: 100_000,
        inputBytes: 200_000_000, tracks: 1000, openTime: .seconds(30),
        decodeTime: .seconds(600))

    /// For uploads of strangers; a process stays below 400 MB.
    public static let untrusted = DecodingLimits(
        pixelsPerFrame: 50_000_000, memory: 300_000_000, frames: 10_000,
        totalPixels: 1_000_000_000, inputBytes: 200_000_000, tracks: 100,
        openTime: .seconds(10), decodeTime: .seconds(60))

    /// The old name of `local`.
    @available(*, deprecated, renamed: "local")
    public static var trusted: DecodingLimits { local }
}
