import LazyMedia
import Support

/// Pictures that a function of place and frame paints, with the times they are shown.
struct Pictures: OpenedMedia {
    let info: MediaInfo
    let durations: [MediaTime]
    /// Red, green, blue and alpha from the lowest byte on, at a place in a frame.
    let paint: @Sendable (_ x: Int, _ y: Int, _ frame: Int) -> UInt32
    private var size: PixelSize { info.size }

    init(
        _ count: Int, _ width: Int = 24, _ height: Int = 17, durations: [MediaTime]? = nil,
        hasAlpha: Bool = false, paint: @escaping @Sendable (Int, Int, Int) -> UInt32
    ) {
        self.durations =
            durations ?? (0..<count).map { MediaTime(ticks: 2 + Int64($0), base: Rational(1, 100)) }
        self.paint = paint
        var info = MediaInfo(
            type: .gif, codec: "painted", size: PixelSize(width: width, height: height),
            frameCount: count, loop: .gif(0))
        info.hasAlpha = hasAlpha
        self.info = info
    }

    func picture(_ index: Int) throws(MediaError) -> Bitmap {
        try Bitmap(size: size, isOpaque: false) { bytes in
            let pixels = bytes.bindMemory(to: UInt32.self)
            for y in 0..<size.height {
                for x in 0..<size.width { pixels[y * size.width + x] = paint(x, y, index) }
            }
        }
    }

    func frameIndex(_ cancellation: CancellationFlag) throws(MediaError) -> FrameIndex {
        var start = Duration.zero
        return FrameIndex(
            durations.indices.map { index in
                defer { start += durations[index].duration }
                return FrameTiming(
                    index: index,
                    presentation: MediaTime(microseconds: Int64(start / .microseconds(1))),
                    duration: durations[index], isKeyframe: true)
            })
    }

    func makeReader(_ options: ReaderOptions) throws(MediaError) -> any FrameReader {
        Reader(self, try frameIndex(options.cancellation).timings)
    }

    private final class Reader: PlainReader {
        private let pictures: Pictures
        private let timings: [FrameTiming]
        private var position = 0
        let warnings: [MediaWarning] = []

        init(_ pictures: Pictures, _ timings: [FrameTiming]) {
            (self.pictures, self.timings) = (pictures, timings)
        }

        func frame() throws(MediaError) -> Frame? {
            guard position < timings.count else { return nil }
            defer { position += 1 }
            return Frame(bitmap: try pictures.picture(position), timing: timings[position])
        }

        func seek(toIndex index: Int) throws(MediaError) { position = index }
        func seek(toTime time: Duration) throws(MediaError) { position = 0 }
    }
}
