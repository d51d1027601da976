/// Media whose frames are drawn by a closure when they are requested.
///
/// For custom sources, pictures in memory and computed pictures: seeking is exact, only requested
/// frames are drawn, and none is kept.
///
/// ```swift
/// let dots = DrawnMedia(size: size, durations: Array(repeating: .milliseconds(40), count: 25)) {
///     try picture(ofDot: $0)
/// }
/// let sequence = FrameSequence(dots)
/// ```
public struct DrawnMedia: OpenedMedia {
    /// Draws the frame of a number; called on any thread, may block, and may be called again.
    public typealias Draw = @Sendable (_ index: Int) throws(MediaError) -> Bitmap

    /// The description of the media.
    public let info: MediaInfo
    private let timings: [FrameTiming]
    private let draw: Draw

    /// Makes media with one frame per duration; durations are rounded to microseconds.
    ///
    /// A picture of another size than `size` is scaled to it.
    public init(
        size: PixelSize, durations: [Duration], loop: LoopCount = .plays(0), hasAlpha: Bool = true,
        type: MediaType = .unknown, draw: @escaping Draw
    ) {
        self.draw = draw
        var start = MediaTime.zero
        timings = durations.enumerated().map { index, duration in
            let length = MediaTime(microseconds: max(0, duration.microseconds))
            defer { start = start + length }
            return FrameTiming(
                index: index, presentation: start, duration: length, isKeyframe: true)
        }
        info = MediaInfo(
            type: type, codec: "rgba", size: size, frameCount: timings.count,
            duration: FrameIndex(timings).duration,
            loop: timings.count > 1 ? loop : .still, hasAlpha: hasAlpha)
    }

    /// The given timings.
    public func frameIndex(_ cancellation: CancellationFlag) -> FrameIndex { FrameIndex(timings) }

    /// Makes a reader that draws frames on request.
    public func makeReader(_ options: ReaderOptions) -> any FrameReader {
        DrawnReader(timings, options.size ?? info.size, options, draw)
    }
}

extension FrameSequence {
    /// Makes a sequence of pictures in memory, each shown for its duration.
    ///
    /// All frames have the size of the first picture; others are scaled to it.
    public init(
        frames: [(picture: Bitmap, duration: Duration)], loop: LoopCount = .plays(0),
        type: MediaType = .unknown
    ) {
        let pictures = frames.map(\.picture)
        self.init(
            DrawnMedia(
                size: pictures.first?.size ?? PixelSize(width: 1, height: 1),
                durations: frames.map(\.duration), loop: loop,
                hasAlpha: !pictures.allSatisfy(\.isOpaque), type: type
            ) { (index) throws(MediaError) in pictures[index] },
            limits: .local)
    }
}

/// Draws the frames of `DrawnMedia` and `StillMedia` on request.
final class DrawnReader: ComposingReader {
    var cursor: FrameCursor
    private let size: PixelSize
    private let draw: DrawnMedia.Draw

    init(
        _ timings: [FrameTiming], _ size: PixelSize, _ options: ReaderOptions,
        _ draw: @escaping DrawnMedia.Draw
    ) {
        cursor = FrameCursor(timings, options)
        self.size = size
        self.draw = draw
    }

    func picture(_ index: Int) throws(MediaError) -> Bitmap? {
        try cursor.options.limits.check(canvas: size)
        return try draw(index).scaled(to: size)
    }
}
