internal import LazyBase
package import LazyMedia

/// Media whose pictures a function paints, and that counts what is decoded.
package struct PaintedMedia: OpenedMedia {
    package var info: MediaInfo
    let rate: Int64
    let keyframes: Int
    package let decoded = Decoded()
    let paint: @Sendable (_ frame: Int, _ x: Int, _ y: Int) -> SIMD4<UInt8>

    package final class Decoded: Sendable {
        private let numbers = Locked<[Int]>([])
        package var all: [Int] { numbers.withLock { $0 } }
        func add(_ number: Int) { numbers.withLock { $0.append(number) } }
    }

    package init(
        seconds: Double, rate: Int64 = 20, keyframes: Int = 10,
        size: PixelSize = PixelSize(width: 96, height: 54), type: MediaType = .mp4,
        paint: @escaping @Sendable (Int, Int, Int) -> SIMD4<UInt8>
    ) {
        let count = Int(seconds * Double(rate))
        self.rate = rate
        self.keyframes = keyframes
        self.paint = paint
        info = MediaInfo(
            type: type, codec: "painted", size: size, frameCount: count,
            duration: .seconds(1) * seconds, loop: .video)
    }

    package func frameIndex(_ cancellation: CancellationFlag) -> FrameIndex {
        FrameIndex(
            (0..<(info.frameCount ?? 0)).map {
                FrameTiming(
                    index: $0, presentation: MediaTime(ticks: Int64($0), base: Rational(1, rate)),
                    duration: MediaTime(ticks: 1, base: Rational(1, rate)),
                    isKeyframe: $0 % keyframes == 0)
            })
    }

    package func makeReader(_ options: ReaderOptions) -> any FrameReader { Reader(self, options) }

    private final class Reader: PlainReader {
        let media: PaintedMedia
        let options: ReaderOptions
        let index: FrameIndex
        var position = 0
        /// What a codec would have decoded last.
        var codec = -1
        let warnings: [MediaWarning] = []

        init(_ media: PaintedMedia, _ options: ReaderOptions) {
            self.media = media
            self.options = options
            index = media.frameIndex(options.cancellation)
        }

        func frame() throws(MediaError) -> Frame? {
            try options.cancellation.check()
            while options.keyframesOnly, position < index.count, !index.timings[position].isKeyframe
            {
                position += 1
            }
            guard position < index.count else { return nil }
            decode()
            let (whole, number, paint) = (media.info.size, position, media.paint)
            let bitmap = try Bitmap(size: whole, isOpaque: !media.info.hasAlpha) { rows in
                let pixels = rows.bindMemory(to: SIMD4<UInt8>.self)
                for y in 0..<whole.height {
                    for x in 0..<whole.width { pixels[y * whole.width + x] = paint(number, x, y) }
                }
            }
            position += 1
            return Frame(
                bitmap: try bitmap.scaled(to: options.size ?? whole), timing: index.timings[number])
        }

        private func decode() {
            let key = position / media.keyframes * media.keyframes
            let from = codec >= key && codec < position ? codec + 1 : key
            for number in options.keyframesOnly ? position...position : from...position {
                media.decoded.add(number)
            }
            codec = position
        }

        func seek(toIndex index: Int) { position = min(index, self.index.count) }

        func seek(toTime time: Duration) {
            position = index.frame(at: time) ?? 0
            if options.keyframesOnly { position = position / media.keyframes * media.keyframes }
        }
    }
}

/// Pictures for such media.
package enum Paint {
    /// A textured ground with a bright block at a place.
    package static func block(_ x: Int, _ y: Int, at left: Int, _ top: Int, ground: Int = 0)
        -> SIMD4<UInt8>
    {
        let isBlock = (left..<(left + 24)).contains(x) && (top..<(top + 24)).contains(y)
        let hash = (x / 3 + ground) &* 73 &+ (y / 3 + ground) &* 151
        let gray = UInt8(60 + (hash % 60 + 60) % 60)
        return isBlock
            ? SIMD4(250, 200, 40, 255) : SIMD4(gray, gray, UInt8(min(255, Int(gray) + 20)), 255)
    }

    /// A color at a share of its light.
    package static func dimmed(_ color: SIMD4<UInt8>, _ share: Double) -> SIMD4<UInt8> {
        SIMD4(
            UInt8(Double(color.x) * share), UInt8(Double(color.y) * share),
            UInt8(Double(color.z) * share), 255)
    }
}
