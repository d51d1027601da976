import LazyKit
import LazyMedia
import Support

/// A few frames of flat colors, each with a length of its own.
struct LoopsMovie: OpenedMedia {
    let info: MediaInfo
    let durations: [MediaTime]

    init(_ durations: [MediaTime], loop: LoopCount) {
        self.durations = durations
        info = MediaInfo(
            type: .gif, codec: "test", size: PixelSize(width: 24, height: 16),
            frameCount: durations.count, loop: loop)
    }

    func frameIndex(_ cancellation: CancellationFlag) -> FrameIndex {
        var instant = Duration.zero
        return FrameIndex(
            durations.enumerated().map { index, duration in
                defer { instant += duration.duration }
                let (seconds, atto) = instant.components
                return FrameTiming(
                    index: index,
                    presentation: MediaTime(
                        ticks: seconds * 1_000_000 + atto / 1_000_000_000_000,
                        base: Rational(1, 1_000_000)), duration: duration, isKeyframe: true)
            })
    }

    func makeReader(_ options: ReaderOptions) -> any FrameReader { Reader(self) }

    private final class Reader: PlainReader {
        let movie: LoopsMovie
        var next = 0
        let warnings: [MediaWarning] = []

        init(_ movie: LoopsMovie) { self.movie = movie }

        func frame() throws(MediaError) -> Frame? {
            guard next < movie.durations.count else { return nil }
            defer { next += 1 }
            let shade = UInt8(40 + 60 * (next % 4))
            let bitmap = try Bitmap(size: movie.info.size, isOpaque: true) { rows in
                let pixels = rows.bindMemory(to: SIMD4<UInt8>.self)
                for i in pixels.indices { pixels[i] = [shade, 200, i % 24 < 8 ? 20 : 220, 255] }
            }
            return Frame(
                bitmap: bitmap, timing: movie.frameIndex(CancellationFlag()).timings[next])
        }

        func seek(toIndex index: Int) { next = index }
        func seek(toTime time: Duration) { next = 0 }
    }

    /// The movie in a format.
    func encoded(as type: MediaType) async throws -> [UInt8] {
        let encoder = try EncoderRegistry.standard.encoder(
            for: type, EncodingOptions(effort: 1), threads: 1)
        let bytes = Locked<[UInt8]>([])
        let frames = FrameSequence(self).frames()
        try await encoder.encode(frames, info: info, loop: info.loop) { piece in
            bytes.withLock { $0 += piece }
        }
        return bytes.withLock { $0 }
    }
}

/// How often a file plays by its bytes, read by the letters of each format's specification alone.
enum FileLoop {
    /// The number of plays; nil forever.
    static func plays(_ bytes: [UInt8], _ type: MediaType) -> Int? {
        switch type {
        case .gif:
            guard let at = place(of: "NETSCAPE2.0", bytes) else { return 1 }
            let raw = Int(bytes[at + 13]) | Int(bytes[at + 14]) << 8
            return raw == 0 ? nil : raw + 1
        case .webpAnimation:
            guard let at = place(of: "ANIM", bytes) else { return 1 }
            let raw = Int(bytes[at + 12]) | Int(bytes[at + 13]) << 8
            return raw == 0 ? nil : raw
        case .apng:
            guard let at = place(of: "acTL", bytes) else { return 1 }
            let raw = Int(big(bytes, at + 8, 4))
            return raw == 0 ? nil : raw
        case .avifSequence:
            guard let list = place(of: "elst", bytes), let track = place(of: "tkhd", bytes) else {
                return nil
            }
            guard bytes[list + 7] & 1 == 1 else { return 1 }
            let length = big(bytes, track + 32, 8)
            return length == .max ? nil : Int(length / big(bytes, list + 12, 8))
        default: return nil
        }
    }

    private static func place(of letters: String, _ bytes: [UInt8]) -> Int? {
        let letters = Array(letters.utf8)
        return bytes.indices.dropLast(letters.count).first {
            bytes[$0] == letters[0] && bytes[$0..<($0 + letters.count)].elementsEqual(letters)
        }
    }

    private static func big(_ bytes: [UInt8], _ at: Int, _ count: Int) -> UInt64 {
        bytes[at..<(at + count)].reduce(0) { $0 << 8 | UInt64($1) }
    }
}
