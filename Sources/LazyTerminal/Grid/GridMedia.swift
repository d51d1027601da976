internal import LazyBase
internal import LazyMedia

/// Media beside each other as one, on one clock; each begins again when it is over.
///
/// Its frames are numbered by steps of 40 ms, and it lasts as long as the longest of them. Made by ``PosterGrid``.
struct GridMedia: OpenedMedia {
    /// Where media is shown.
    struct Place: Sendable {
        let sequence: FrameSequence
        /// The length of one play.
        let length: Duration
        /// The part of the canvas that its pictures fill.
        let rect: PixelRect
    }

    let info: MediaInfo
    let places: [Place]
    private let count: Int

    /// The length of a frame.
    private static let step = Duration.milliseconds(40)

    init(_ places: [Place], on canvas: PixelSize) {
        self.places = places
        let length = places.map(\.length).max() ?? .zero
        // The last frame may end later: media of one frame would be a still.
        count = max(2, Int(clamping: (length.milliseconds + 39) / 40))
        info = MediaInfo(
            type: .unknown, codec: "rgba", size: canvas, frameCount: count,
            duration: Self.step * count, loop: .plays(0), hasAlpha: true)
    }

    /// The time of a frame; nil at the end.
    func time(of index: Int) -> Duration? { index < count ? Self.step * index : nil }

    /// The timing of a frame whose picture stays for so long, which takes the place of those after it.
    func timing(of index: Int, for rest: Duration) -> FrameTiming {
        let steps = max(1, min(Int(clamping: (rest.milliseconds + 39) / 40), count - index))
        return FrameTiming(
            index: index, presentation: MediaTime(Self.step * index),
            duration: MediaTime(Self.step * steps), isKeyframe: true)
    }

    /// The frame after one.
    func index(after timing: FrameTiming) -> Int {
        timing.index + Int(clamping: timing.duration.duration.milliseconds / 40)
    }

    /// The frame that is shown at a time.
    func index(at time: Duration) -> Int {
        min(max(0, Int(clamping: time.milliseconds / 40)), count - 1)
    }

    func frameIndex(_ cancellation: CancellationFlag) -> FrameIndex {
        FrameIndex((0..<count).map { timing(of: $0, for: Self.step) })
    }

    func makeReader(_ options: ReaderOptions) throws(MediaError) -> any FrameReader {
        try options.limits.check(canvas: options.size ?? info.size)
        return try GridReader(self, options)
    }
}
