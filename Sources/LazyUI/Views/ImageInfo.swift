internal import LazyBytes
public import LazyMedia
public import LazyPipeline

/// What is known of a picture without looking at its pixels.
public struct ImageInfo: Sendable {
    /// Width and height of the frames in the file itself.
    public var size: PixelSize
    /// Width and height of the frames that are handed out: smaller with `maxPixelSize` or a
    /// thumbnail, and whatever processors make of them.
    public var deliveredSize: PixelSize
    /// What the bytes are.
    public var type: MediaType?
    /// The number of frames, or nil where nobody has counted.
    public var frameCount: Int?
    /// The length of one play, or nil where it is not known.
    public var duration: Duration?
    /// How often it plays.
    public var loop: LoopCount
    /// Whether pixels may be transparent.
    public var hasAlpha: Bool
    /// Bytes of the picture as it came, or 0 where they are not kept.
    public var encodedBytes: Int
    /// Bytes of one decoded frame, as it is handed out.
    public var frameBytes: Int
    /// Whether more is to come: then count and duration are those so far.
    public var isPreview: Bool

    /// Describes what was loaded.
    public init(_ container: ImageContainer) {
        let info = container.frames.info
        size = container.sourceSize
        deliveredSize = info.size
        type = container.type ?? (info.type == .unknown ? nil : info.type)
        frameCount = info.frameCount
        duration = info.duration
        loop = info.loop
        hasAlpha = info.hasAlpha
        encodedBytes = container.data?.count ?? 0
        frameBytes = info.size.rgbaByteCount
        isPreview = container.isPreview
    }

    /// Whether it has more than one frame; a video counts as more before it is counted.
    public var isAnimated: Bool { frameCount != 1 }
}
