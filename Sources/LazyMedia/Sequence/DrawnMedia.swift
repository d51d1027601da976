/// Media whose frames a closure draws when they are asked for.
///
/// For decoders of one's own, for pictures at hand and for what is computed: seeking is exact, nothing
/// is drawn that nobody pulls, and nothing is kept.
///
/// ```swift
/// let dots = DrawnMedia(size: size, durations: Array(repeating: .milliseconds(40), count: 25)) {
///     try picture(ofDot: $0)
/// }
/// let sequence = FrameSequence(dots)
/// ```
public struct DrawnMedia: OpenedMedia {
    /// Draws the frame of a number; called by any thread, may block, and may be called again.
    public typealias Draw = @Sendable (_ index: Int) throws(MediaError) -> Bitmap

    /// What it is.
    public let info: MediaInfo
    private let timings: [FrameTiming]
    private let draw: Draw

    /// Makes media of as many frames as there are durations, which count in microseconds.
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

    /// The timings as they were given.
    public func frameIndex(_ cancellation: CancellationFlag) -> FrameIndex { FrameIndex(timings) }

    /// Makes a reader that draws frames as they are pulled.
    public func makeReader(_ options: ReaderOptions) -> any FrameReader {
        DrawnReader(timings, options.size ?? info.size, options, draw)
    }
}

extension FrameSequence {
    /// Makes a sequence of pictures at hand, each shown for its time.
    ///
    /// All come out at the size of the first; those of another are scaled.
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
