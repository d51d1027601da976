import LazyMedia
import Support

@testable import LazyCodecs

/// A soft gradient with a square that walks over it.
struct TestMovie: OpenedMedia {
    var info: MediaInfo
    var durations: [MediaTime]
    var isOpaque = true
    /// Few colors instead of a gradient.
    var isFlat = false

    init(_ count: Int, _ width: Int = 48, _ height: Int = 36, loop: LoopCount = .plays(0)) {
        durations = Array(repeating: MediaTime(ticks: 4, base: Rational(1, 100)), count: count)
        info = MediaInfo(
            type: .gif, codec: "test", size: PixelSize(width: width, height: height),
            frameCount: count, loop: loop)
    }

    func picture(_ index: Int) throws(MediaError) -> Bitmap {
        let size = info.size
        return try Bitmap(size: size, isOpaque: isOpaque) { bytes in
            let pixels = bytes.bindMemory(to: SIMD4<UInt8>.self)
            for y in 0..<size.height {
                for x in 0..<size.width {
                    let isInside = (x - 2 * index) / 8 == 1 && (y - index) / 8 == 1
                    let alpha: UInt8 = isOpaque ? 255 : UInt8(min(255, x * 6))
                    let ground: SIMD4<UInt8> =
                        isFlat
                        ? [30, 90, 200, alpha]
                        : [
                            UInt8((x * 2 + 20) & 255), UInt8((y * 3 + 40) & 255),
                            UInt8((x + y) & 127), alpha,
                        ]
                    pixels[y * size.width + x] = isInside ? [240, 40, 30, 255] : ground
                }
            }
        }
    }

    func frameIndex(_ cancellation: CancellationFlag) -> FrameIndex {
        var instant = Duration.zero
        return FrameIndex(
            durations.enumerated().map { index, duration in
                defer { instant += duration.duration }
                return FrameTiming(
                    index: index,
                    presentation: MediaTime(
                        ticks: instant.components.seconds * 1_000_000_000
                            + instant.components.attoseconds / 1_000_000_000,
                        base: Rational(1, 1_000_000_000)),
                    duration: duration, isKeyframe: true)
            })
    }

    func makeReader(_ options: ReaderOptions) -> any FrameReader { Reader(self) }

    private final class Reader: PlainReader {
        let movie: TestMovie
        var next = 0
        let warnings: [MediaWarning] = []

        init(_ movie: TestMovie) { self.movie = movie }

        func frame() throws(MediaError) -> Frame? {
            guard next < movie.durations.count else { return nil }
            defer { next += 1 }
            return Frame(
                bitmap: try movie.picture(next),
                timing: movie.frameIndex(CancellationFlag()).timings[next])
        }

        func seek(toIndex index: Int) { next = index }
        func seek(toTime time: Duration) { next = 0 }
    }

    /// The movie as AVIF.
    func encoded(
        _ options: EncodingOptions = EncodingOptions(effort: 0),
        loop: LoopCount? = nil
    ) async throws -> [UInt8] {
        try await Self.encode(self, AVIFEncoder(options, threads: 1), loop: loop ?? info.loop)
    }

    static func encode(
        _ media: any OpenedMedia, _ encoder: any MediaEncoding, loop: LoopCount
    ) async throws -> [UInt8] {
        let bytes = Locked<[UInt8]>([])
        try await encoder.encode(FrameSequence(media).frames(), info: media.info, loop: loop) {
            piece in bytes.withLock { $0 += piece }
        }
        return bytes.withLock { $0 }
    }
}

extension Decoded {
    static func media(
        _ bytes: [UInt8], _ type: MediaType = .avifSequence, limits: DecodingLimits = .web
    ) throws(MediaError) -> any OpenedMedia {
        try AVIFDecoder().open(MemoryBytes(bytes), type: type, limits: limits)
    }
}
