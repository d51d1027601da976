import LazyBase
import LazyMedia
import Support

@testable import LazyCodecs

/// Pictures with a time each, as media.
struct Slides: OpenedMedia {
    var info: MediaInfo
    var pictures: [Bitmap]
    var durations: [MediaTime]
    /// Whether frames carry planes.
    var hasPlanes = false

    /// Pictures that are all shown equally long.
    init(_ pictures: [Bitmap], milliseconds: Int64 = 40, loop: LoopCount = .plays(0)) {
        self.pictures = pictures
        durations = pictures.map { _ in MediaTime(ticks: milliseconds, base: Rational(1, 1000)) }
        info = MediaInfo(
            type: .apng, codec: "slides", size: pictures[0].size, frameCount: pictures.count,
            loop: loop, hasAlpha: pictures.contains { !$0.isOpaque })
    }

    func frameIndex(_ cancellation: CancellationFlag) -> FrameIndex {
        var start = Duration.zero
        return FrameIndex(
            pictures.indices.map { index in
                defer { start += durations[index].duration }
                let micro = Int64(start / .microseconds(1))
                return FrameTiming(
                    index: index, presentation: MediaTime(microseconds: micro),
                    duration: durations[index], isKeyframe: true)
            })
    }

    func makeReader(_ options: ReaderOptions) -> any FrameReader {
        Reader(self, frameIndex(options.cancellation).timings)
    }

    private final class Reader: PlainReader {
        private let slides: Slides
        private let timings: [FrameTiming]
        private var position = 0
        let warnings: [MediaWarning] = []

        init(_ slides: Slides, _ timings: [FrameTiming]) {
            (self.slides, self.timings) = (slides, timings)
        }

        func frame() throws(MediaError) -> Frame? {
            guard position < timings.count else { return nil }
            defer { position += 1 }
            let picture = slides.pictures[position]
            return Frame(
                bitmap: picture, timing: timings[position],
                planes: slides.hasPlanes ? try picture.planes() : nil)
        }

        func seek(toIndex index: Int) { position = index }
        func seek(toTime time: Duration) { position = 0 }
    }

    /// What an encoder makes of the slides.
    func encoded(
        _ encoder: any MediaEncoding, looping: Looping = .times(1)
    ) async throws -> [UInt8] {
        let bytes = Locked<[UInt8]>([])
        let sequence = FrameSequence(self)
        try await encoder.encode(
            sequence.frames(looping: looping, planes: encoder.prefersPlanes), info: info,
            loop: info.loop
        ) { (piece) throws(MediaError) in bytes.withLock { $0 += piece } }
        return bytes.withLock { $0 }
    }

    /// What an animated WebP of the slides is.
    func animated(_ options: EncodingOptions = .init()) async throws -> [UInt8] {
        try await encoded(AnimatedWebPEncoder(options))
    }
}

/// Bytes opened as WebP.
func opened(
    _ bytes: [UInt8], _ rule: DelayRule = .browsers, limits: DecodingLimits = .web
) throws -> FrameSequence {
    let memory = try MemoryBytes(bytes)
    let type = try FormatRegistry([.webp]).sniffer.type(of: memory)
    return FrameSequence(
        try WebPDecoder().open(memory, type: type, limits: limits), delayRule: rule)
}

extension FrameSequence {
    /// All frames of one play.
    func all(size: TargetSize? = nil) async throws -> [Frame] {
        var frames: [Frame] = []
        for try await frame in self.frames(size: size) { frames.append(frame) }
        return frames
    }
}

extension Bitmap {
    /// A picture made pixel by pixel.
    static func drawn(
        _ width: Int, _ height: Int, isOpaque: Bool = true,
        _ pixel: (Int, Int) -> SIMD4<UInt8>
    ) throws -> Bitmap {
        try Bitmap(size: PixelSize(width: width, height: height), isOpaque: isOpaque) { bytes in
            let pixels = bytes.bindMemory(to: SIMD4<UInt8>.self)
            for y in 0..<height { for x in 0..<width { pixels[y * width + x] = pixel(x, y) } }
        }
    }

    /// The picture with all transparent pixels alike.
    var visible: [UInt32] {
        withBytes { bytes in bytes.bindMemory(to: UInt32.self).map { $0 >> 24 == 0 ? 0 : $0 } }
    }

    /// The mean square of the differences to another picture, over red, green and blue.
    func error(to other: Bitmap) -> Double {
        withBytes { a in
            other.withBytes { b in
                var sum = 0
                for index in a.indices where index % 4 != 3 {
                    let difference = Int(a[index]) - Int(b[index])
                    sum += difference * difference
                }
                return Double(sum) / Double(a.count / 4 * 3)
            }
        }
    }
}
