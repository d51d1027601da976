import Glibc
import LazyMedia
import Support

@testable import LazyCodecs

/// Media made of pictures that a test has drawn, each with a time of its own.
struct PictureMedia: OpenedMedia {
    let info: MediaInfo
    let frames: [Frame]

    init(_ pictures: [Bitmap], durations: [MediaTime]) {
        var start: Int64 = 0
        frames = zip(pictures, durations).enumerated().map { index, frame in
            defer { start += frame.1.microseconds }
            return Frame(
                bitmap: frame.0,
                timing: FrameTiming(
                    index: index, presentation: MediaTime(microseconds: start), duration: frame.1,
                    isKeyframe: true))
        }
        let size = pictures.first?.size ?? PixelSize(width: 1, height: 1)
        info = MediaInfo(type: .mp4, codec: "pictures", size: size, frameCount: frames.count)
    }

    func frameIndex(_ cancellation: CancellationFlag) -> FrameIndex {
        FrameIndex(frames.map(\.timing))
    }

    func makeReader(_ options: ReaderOptions) -> any FrameReader { Reader(frames) }

    private final class Reader: PlainReader {
        private let frames: [Frame]
        private var position = 0
        let warnings: [MediaWarning] = []

        init(_ frames: [Frame]) { self.frames = frames }

        func frame() -> Frame? {
            guard position < frames.count else { return nil }
            defer { position += 1 }
            return frames[position]
        }

        func seek(toIndex index: Int) { position = min(index, frames.count) }

        func seek(toTime time: Duration) { position = 0 }
    }
}

/// Bytes that a closure of the encoder collects.
final class ByteBox: Sendable {
    private let storage = Locked<[UInt8]>([])
    var bytes: [UInt8] { storage.withLock { $0 } }

    func append(_ more: [UInt8]) { storage.withLock { $0 += more } }
}

extension MediaTime {
    static func milliseconds(_ count: Int64) -> MediaTime { MediaTime(microseconds: count * 1000) }
}

/// Writes pictures as a GIF.
func writeGIF(
    _ pictures: [Bitmap], durations: [MediaTime]? = nil, plays: Int? = nil,
    _ options: EncodingOptions = EncodingOptions(), threads: Int = 0
) async throws -> [UInt8] {
    let durations = durations ?? pictures.map { _ in .milliseconds(100) }
    let sequence = FrameSequence(
        PictureMedia(pictures, durations: durations), limits: .local)
    return try await writeGIF(sequence, plays: plays, options, threads: threads)
}

/// Writes a sequence as a GIF.
func writeGIF(
    _ sequence: FrameSequence, plays: Int? = nil, _ options: EncodingOptions = EncodingOptions(),
    threads: Int = 0
) async throws -> [UInt8] {
    let box = ByteBox()
    let encoder = try MediaFormat.gif.encoders[0].makeEncoder(options, threads: threads)
    try await encoder.encode(
        sequence.frames(), info: sequence.info, loop: LoopCount(raw: nil, plays: plays)
    ) { box.append($0) }
    return box.bytes
}

/// Draws a picture of pixels 0xAARRGGBB by column and row.
func picture(
    _ width: Int, _ height: Int, _ pixel: (Int, Int) -> UInt32
) throws -> Bitmap {
    let pixels = (0..<height).flatMap { y in (0..<width).map { x in pixel(x, y) } }
    let isOpaque = pixels.allSatisfy { $0 >> 24 == 255 }
    let size = PixelSize(width: width, height: height)
    return try Bitmap(size: size, isOpaque: isOpaque) { rows in
        for (place, pixel) in pixels.enumerated() {
            rows[place * 4] = UInt8(pixel >> 16 & 0xFF)
            rows[place * 4 + 1] = UInt8(pixel >> 8 & 0xFF)
            rows[place * 4 + 2] = UInt8(pixel & 0xFF)
            rows[place * 4 + 3] = UInt8(pixel >> 24)
        }
    }
}

extension Bitmap {
    /// The pixels with those that are transparent as zeros.
    var visibleBytes: [UInt8] {
        withBytes { bytes in
            var result = Array(bytes)
            for place in Swift.stride(from: 0, to: result.count, by: 4)
            where result[place + 3] < 128 {
                for channel in 0..<4 { result[place + channel] = 0 }
            }
            return result
        }
    }

    /// The peak signal to noise ratio of the colors to another picture, in decibels.
    func psnr(to other: Bitmap) -> Double {
        let (a, b) = (withBytes { Array($0) }, other.withBytes { Array($0) })
        var sum = 0.0
        for place in a.indices where place % 4 != 3 {
            let difference = Double(a[place]) - Double(b[place])
            sum += difference * difference
        }
        let mean = sum / Double(a.count / 4 * 3)
        return mean == 0 ? .infinity : 10 * log10(255 * 255 / mean)
    }
}
