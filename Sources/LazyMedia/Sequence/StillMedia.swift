/// One picture that is already decoded, as media of one frame.
///
/// Its frame is shared, not copied, by all who read it.
public struct StillMedia: OpenedMedia {
    /// What the picture is.
    public let info: MediaInfo
    private let bitmap: Bitmap
    private let timing: FrameTiming

    /// Makes media of a picture; `type` is what it came from, where it came from something.
    public init(_ bitmap: Bitmap, type: MediaType = .unknown) {
        self.init(
            bitmap,
            info: MediaInfo(
                type: type, codec: "rgba", size: bitmap.size, frameCount: 1, duration: .zero,
                hasAlpha: !bitmap.isOpaque))
    }

    /// Makes media of a picture that is described already; size and count follow the picture.
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

    /// The one timing.
    public func frameIndex(_ cancellation: CancellationFlag) -> FrameIndex { FrameIndex([timing]) }

    /// Makes a reader of the picture, which is scaled where another size is asked for.
    public func makeReader(_ options: ReaderOptions) -> any FrameReader {
        DrawnReader([timing], options.size ?? info.size, options) { [bitmap] _ in bitmap }
    }
}
