/// One decoded picture as media of one frame.
///
/// All readers share its bitmap without copying.
public struct StillMedia: OpenedMedia {
    /// The description of the picture.
    public let info: MediaInfo
    private let bitmap: Bitmap
    private let timing: FrameTiming

    /// Makes media of a picture; `type` is the type of its source, if known.
    public init(_ bitmap: Bitmap, type: MediaType = .unknown) {
        self.init(
            bitmap,
            info: MediaInfo(
                type: type, codec: "rgba", size: bitmap.size, frameCount: 1, duration: .zero,
                hasAlpha: !bitmap.isOpaque))
    }

    /// Makes media of a described picture; its size and frame count follow the picture.
    public init(_ bitmap: Bitmap, info: MediaInfo, timing: FrameTiming? = nil) {
        self.bitmap = bitmap
        self.timing = timing ?? .still
        var info = info
        info.size = bitmap.size
        info.frameCount = 1
        info.duration = info.duration ?? .zero
        info.hasAlpha = !bitmap.isOpaque
        self.info = info
    }

    /// The timing of the one frame.
    public func frameIndex(_ cancellation: CancellationFlag) -> FrameIndex { FrameIndex([timing]) }

    /// Makes a reader of the picture, which is scaled where another size is requested.
    public func makeReader(_ options: ReaderOptions) -> any FrameReader {
        DrawnReader([timing], options.size ?? info.size, options) { [bitmap] _ in bitmap }
    }
}
