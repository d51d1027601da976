/// Opened media made of other opened media: what a wrapper does not implement is the base's.
///
/// A wrapper implements what it changes. One that changes which frames there are, or when they are
/// shown, implements all three indexes, and has neither sound nor subtitles.
public protocol MappedMedia: OpenedMedia {
    /// The media that is wrapped.
    var base: any OpenedMedia { get }
}

extension MappedMedia {
    /// The base's description.
    public var info: MediaInfo { base.info }

    /// The base's timing.
    public func frameIndex(_ cancellation: CancellationFlag) throws(MediaError) -> FrameIndex {
        try base.frameIndex(cancellation)
    }

    /// The base's timing as its container has it.
    public func containerIndex(_ cancellation: CancellationFlag) throws(MediaError) -> FrameIndex {
        try base.containerIndex(cancellation)
    }

    /// The base's timing, where it costs little.
    public func cheapFrameIndex(
        _ cancellation: CancellationFlag
    ) throws(MediaError) -> FrameIndex? {
        try base.cheapFrameIndex(cancellation)
    }

    /// A reader of the base.
    public func makeReader(_ options: ReaderOptions) throws(MediaError) -> any FrameReader {
        try base.makeReader(options)
    }

    /// The base's picture.
    public func embeddedPoster(_ options: ReaderOptions) throws(MediaError) -> Bitmap? {
        try base.embeddedPoster(options)
    }

    /// The base's film.
    public func motionFilm() throws(MediaError) -> any ByteSource { try base.motionFilm() }

    /// A track of the base.
    public func videoTrack(
        _ number: Int, _ cancellation: CancellationFlag
    ) throws(MediaError) -> any OpenedMedia { try base.videoTrack(number, cancellation) }

    /// The base's sound.
    public func soundTrack(
        _ choice: TrackChoice, _ cancellation: CancellationFlag
    ) throws(MediaError) -> (any SoundTrack)? { try base.soundTrack(choice, cancellation) }

    /// The base's subtitles.
    public func subtitleTrack(
        _ choice: TrackChoice, _ cancellation: CancellationFlag
    ) throws(MediaError) -> SubtitleTrack { try base.subtitleTrack(choice, cancellation) }
}

/// A reader of another reader's frames: what it does not implement is the base's.
///
/// One that changes pixels implements `mapped`, and `lastFrame(at:)` where the size matters to it.
public protocol MappedReader: FrameReader {
    /// The reader that is wrapped.
    var base: any FrameReader { get }

    /// What is returned for a frame of the base.
    func mapped(_ frame: Frame) throws(MediaError) -> Frame
}

extension MappedReader {
    /// The frame itself.
    public func mapped(_ frame: Frame) throws(MediaError) -> Frame { frame }

    /// The base's next frame, mapped where it has its picture.
    public func nextFrame(
        where isWanted: (FrameTiming) -> Bool
    ) throws(MediaError) -> (timing: FrameTiming, frame: Frame?)? {
        guard let (timing, frame) = try base.nextFrame(where: isWanted) else { return nil }
        guard let frame else { return (timing, nil) }
        return (timing, try mapped(frame))
    }

    /// Seeks in the base.
    public func seek(toIndex index: Int) throws(MediaError) { try base.seek(toIndex: index) }

    /// Seeks in the base.
    public func seek(toTime time: Duration) throws(MediaError) { try base.seek(toTime: time) }

    /// Tells the base.
    public func willRead(_ indices: [Int]) { base.willRead(indices) }

    /// The base's last frame at a size, mapped.
    public func lastFrame(at size: PixelSize) throws(MediaError) -> Frame? {
        guard let frame = try base.lastFrame(at: size) else { return nil }
        return try mapped(frame)
    }

    /// The base's warnings.
    public var warnings: [MediaWarning] { base.warnings }
}
