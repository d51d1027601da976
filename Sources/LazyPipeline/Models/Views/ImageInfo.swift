internal import LazyBase
public import LazyMedia

/// What is known of an image without its pixels.
public struct ImageInfo: Sendable {
    /// The size of the frames in the file.
    public var size: PixelSize
    /// The size of the frames as delivered: smaller with `maxPixelSize` or a thumbnail, and
    /// changed by processors.
    public var deliveredSize: PixelSize
    /// The type of the encoded bytes.
    public var type: MediaType?
    /// The number of frames, or nil if it is unknown.
    public var frameCount: Int?
    /// The duration of one play, or nil if it is unknown.
    public var duration: Duration?
    /// The loop count.
    public var loop: LoopCount
    /// Whether pixels can be transparent.
    public var hasAlpha: Bool
    /// The size of the encoded image in bytes, or 0 if the bytes are not kept.
    public var encodedBytes: Int
    /// The size of one delivered frame in bytes.
    public var frameBytes: Int
    /// Whether this is a preview, whose count and duration are those so far.
    public var isPreview: Bool

    /// Describes a loaded image.
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

    /// Whether there is more than one frame; true for a video whose frames are not counted yet.
    public var isAnimated: Bool { frameCount != 1 }
}
