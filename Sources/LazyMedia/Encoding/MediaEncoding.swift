/// Encodes frames to the bytes of one format; the format modules implement it.
public protocol MediaEncoding: Sendable {
    /// A short name for reports, such as `apng`.
    var name: String { get }
    /// Whether it can write more than one frame.
    var canAnimate: Bool { get }
    /// Whether transparent pixels stay transparent.
    var canStoreAlpha: Bool { get }
    /// Whether it encodes `Frame.planes` better or faster than RGBA.
    ///
    /// If so, the caller of `encode` asks for frames with planes (`FrameSequence.frames(planes:)`).
    var prefersPlanes: Bool { get }
    /// Whether encoding needs much memory and many times as long as decoding.
    ///
    /// If so, the caller of `encode` need not decode large frames ahead, nor on several threads.
    var isMemoryIntensive: Bool { get }

    /// Encodes frames as they come; the bytes go out piece by piece, memory stays bounded.
    ///
    /// Pulls the next frame when there is room for it. Blocking work between pulls runs on
    /// `BlockingPool.shared`. Ends soon after its task is cancelled. Throws what `frames` throws,
    /// `.notWritable` for what the format cannot store, and what `write` throws.
    func encode(
        _ frames: Frames, info: MediaInfo, loop: LoopCount,
        to write: @escaping @Sendable ([UInt8]) throws(MediaError) -> Void
    ) async throws(MediaError)

    /// The same encoder, which also copies a sound, after those that it copies already.
    ///
    /// Throws `.notWritable` where the format has no sound, or not of this codec.
    func carrying(_ sound: SoundPart) throws(MediaError) -> any MediaEncoding

    /// The same encoder, which also writes what is said of the work, and its chapters; formats without a place for them
    /// leave them out.
    func carrying(_ tags: MediaTags, _ chapters: [MediaChapter]) -> any MediaEncoding

    /// The same encoder, which also tells how many frames are in the file that it wrote.
    ///
    /// Needed only where these can be others than the frames that it was given.
    func counting(_ written: WrittenFrames) -> any MediaEncoding
}

extension MediaEncoding {
    /// True.
    public var canAnimate: Bool { true }

    /// True.
    public var canStoreAlpha: Bool { true }

    /// False: RGBA serves as well.
    public var prefersPlanes: Bool { false }

    /// Throws: most formats have no sound.
    public func carrying(_ sound: SoundPart) throws(MediaError) -> any MediaEncoding {
        throw MediaError(.notWritable, "Sound is kept only in MP4 and WebM.")
    }

    /// Itself: most formats have no place for them.
    public func carrying(_ tags: MediaTags, _ chapters: [MediaChapter]) -> any MediaEncoding {
        self
    }

    /// Itself: what is written is what was given.
    public func counting(_ written: WrittenFrames) -> any MediaEncoding { self }

    /// False.
    public var isMemoryIntensive: Bool { false }
}
