/// Opens bytes of the types it knows; each format module has one.
public protocol MediaDecoding: Sendable {
    /// A short name for reports, such as `giflib` or `ffmpeg`.
    var name: String { get }

    /// Whether this decoder opens a type.
    func canOpen(_ type: MediaType) -> Bool

    /// Throws where a type that it opens cannot be read on this machine, for lack of a library or codec.
    ///
    /// May load the library.
    func requireSupport(of type: MediaType) throws(MediaError)

    /// Whether it loads a library when it is first used.
    var loadsLibrary: Bool { get }

    /// The type of bytes with this beginning, or nil; called where no signature matches.
    func sniff(_ head: [UInt8]) -> MediaType?

    /// Reads the header and what else defines the frames' shape; decodes no pixels.
    ///
    /// Blocks while bytes are read. Throws a `MediaError` of any code; `MediaError.declined(_:)` passes the
    /// bytes on to the next decoder of their type.
    func open(
        _ bytes: any ByteSource, type: MediaType, limits: DecodingLimits
    ) throws(MediaError) -> any OpenedMedia

    /// The same; throws `.cancelled` once a flag is set, where the decoder waits for something but bytes.
    func open(
        _ bytes: any ByteSource, type: MediaType, limits: DecodingLimits,
        cancellation: CancellationFlag
    ) throws(MediaError) -> any OpenedMedia
}

extension MediaDecoding {
    /// Never throws: nothing can be missing.
    public func requireSupport(of type: MediaType) throws(MediaError) {}

    /// False: what it needs is linked.
    public var loadsLibrary: Bool { false }

    /// Nil: no types beside those that sniffing knows.
    public func sniff(_ head: [UInt8]) -> MediaType? { nil }

    /// The same without a flag, which is looked at once: opening reads only bytes.
    public func open(
        _ bytes: any ByteSource, type: MediaType, limits: DecodingLimits,
        cancellation: CancellationFlag
    ) throws(MediaError) -> any OpenedMedia {
        try cancellation.check()
        return try open(bytes, type: type, limits: limits)
    }
}

/// Media whose header has been read: immutable, shared by all its readers.
///
/// The index of frames comes in three qualities: exact (`frameIndex`), what the container says
/// (`containerIndex`), and that only where it is cheap (`cheapFrameIndex`).
public protocol OpenedMedia: Sendable {
    /// What the header says.
    var info: MediaInfo { get }

    /// The exact timing of every frame, found without decoding pixels where possible.
    ///
    /// Blocks while the whole container is read; the result is kept. For a GIF it is known at once,
    /// for video every packet is read.
    func frameIndex(_ cancellation: CancellationFlag) throws(MediaError) -> FrameIndex

    /// The timing of every frame as the container states it; nothing is decoded.
    ///
    /// The same as `frameIndex` for intact media; for damaged media it may list frames that decoding
    /// then drops. Blocks while the container is read.
    func containerIndex(_ cancellation: CancellationFlag) throws(MediaError) -> FrameIndex

    /// The container's index, or nil where it costs more than decoding a few frames.
    ///
    /// It does where the bytes come over a network and nothing but the index needs them.
    func cheapFrameIndex(_ cancellation: CancellationFlag) throws(MediaError) -> FrameIndex?

    /// The time of a frame counted from the end, where 1 is the last one, if that costs less than the index; nil else.
    func time(ofLast number: Int, _ cancellation: CancellationFlag) throws(MediaError) -> Duration?

    /// Makes a reader that is positioned before the first frame.
    func makeReader(_ options: ReaderOptions) throws(MediaError) -> any FrameReader

    /// The picture that the container carries beside its frames, such as cover art, or nil.
    func embeddedPoster(_ options: ReaderOptions) throws(MediaError) -> Bitmap?

    /// The bytes of the film of a motion photo, a file of their own.
    ///
    /// Throws `.trackNotFound` where there is none, `.malformed` where the file announces one that it does not have.
    func motionFilm() throws(MediaError) -> any ByteSource

    /// The same file with the video track of a number from 1 in place of the one that was chosen.
    ///
    /// Blocks while the header is read. Throws `.trackNotFound` where the file has fewer tracks.
    func videoTrack(
        _ number: Int, _ cancellation: CancellationFlag
    ) throws(MediaError) -> any OpenedMedia

    /// A sound of the same times as the frames, or nil where there is none.
    ///
    /// Blocks while the header, and for some containers some packets, are read. Throws `.trackNotFound` where there is
    /// sound and not such a one, `.unsupported` for a codec that is not copied.
    func soundTrack(
        _ choice: TrackChoice, _ cancellation: CancellationFlag
    ) throws(MediaError) -> (any SoundTrack)?

    /// The subtitles of a track, by the times of the frames.
    ///
    /// Blocks while the whole track is read, for some containers the whole file. Throws `.trackNotFound`
    /// where there is no such track, `.unsupported` where its subtitles are pictures.
    func subtitleTrack(
        _ choice: TrackChoice, _ cancellation: CancellationFlag
    ) throws(MediaError) -> SubtitleTrack
}

extension OpenedMedia {
    /// The frame index, for media where that costs nothing.
    public func containerIndex(_ cancellation: CancellationFlag) throws(MediaError) -> FrameIndex {
        try frameIndex(cancellation)
    }

    /// The container's index, for media where that costs little.
    public func cheapFrameIndex(
        _ cancellation: CancellationFlag
    ) throws(MediaError) -> FrameIndex? {
        try containerIndex(cancellation)
    }

    /// Nil: the index tells.
    public func time(
        ofLast number: Int, _ cancellation: CancellationFlag
    ) throws(MediaError) -> Duration? { nil }

    /// Nil: no such picture.
    public func embeddedPoster(_ options: ReaderOptions) throws(MediaError) -> Bitmap? { nil }

    /// Throws `.trackNotFound`.
    public func motionFilm() throws(MediaError) -> any ByteSource { throw .noFilm }

    /// Itself: there is one track.
    public func videoTrack(
        _ number: Int, _ cancellation: CancellationFlag
    ) throws(MediaError) -> any OpenedMedia {
        guard number == 1 else { throw .noTrack(number, of: 1) }
        return self
    }

    /// Nil: there is no sound, or frames have other times than it.
    public func soundTrack(
        _ choice: TrackChoice, _ cancellation: CancellationFlag
    ) throws(MediaError) -> (any SoundTrack)? { nil }

    /// Throws `.trackNotFound`.
    public func subtitleTrack(
        _ choice: TrackChoice, _ cancellation: CancellationFlag
    ) throws(MediaError) -> SubtitleTrack { throw .noSubtitles }
}

/// Returns the frames of one sequence in order; used by one task at a time.
///
/// Every method blocks while it decodes: call them off the cooperative thread pool, or use
/// `FrameSequence`, which does. Each checks the cancellation flag at least once per packet and throws
/// `.cancelled` when it is set.
public protocol FrameReader: AnyObject {
    /// Decodes the next frame, or returns nil when there is none; its picture is left out where a function
    /// declines its times.
    ///
    /// A picture that is left out need not be converted or scaled. A reader may return it all the same, as those
    /// do that convert nothing, and does where it cannot tell yet how long the frame is shown: a declined frame's
    /// duration is the time to the next one. The function is called at most once.
    ///
    /// Damage ends the sequence early, with a warning, and is an error only where no frame at all
    /// can be decoded. After the end it returns nil again.
    func nextFrame(
        where isWanted: (FrameTiming) -> Bool
    ) throws(MediaError) -> (timing: FrameTiming, frame: Frame?)?

    /// Seeks to a frame by number: `nextFrame()` then returns exactly that frame.
    ///
    /// A number at or beyond the end leaves the reader at the end.
    func seek(toIndex index: Int) throws(MediaError)

    /// Seeks to the frame shown at a time: the last one whose PTS is not after it.
    ///
    /// A time before the first frame means the first one, a time after the end the last one.
    func seek(toTime time: Duration) throws(MediaError)

    /// Tells which frames are going to be sought by number, in ascending order, so that others need not be decoded.
    ///
    /// Holds until the last of them has been returned. Results are the same without it; a frame that was not
    /// announced is returned, too, but may take a seek.
    func willRead(_ indices: [Int])

    /// The frame that was returned last, at another size, without decoding it again.
    ///
    /// Its pixels are those of a reader of that size. Nil where the reader does not keep what that
    /// needs; many keep it only where `isSingleFrame` is set.
    func lastFrame(at size: PixelSize) throws(MediaError) -> Frame?

    /// Damage and irregularities found so far.
    var warnings: [MediaWarning] { get }
}

extension FrameReader {
    /// Decodes the next frame, or returns nil when there is none.
    ///
    /// Every frame is wanted; ends and throws as `nextFrame(where:)`.
    public func nextFrame() throws(MediaError) -> Frame? {
        try nextFrame { _ in true }?.frame
    }

    /// Does nothing: frames are decoded in order.
    public func willRead(_ indices: [Int]) {}

    /// Nil: nothing is kept.
    public func lastFrame(at size: PixelSize) throws(MediaError) -> Frame? { nil }
}
