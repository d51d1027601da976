import Glibc
import LazyMedia
import LazyVideo
import Support
import Synchronization
import Testing

/// An encoded clip, and what other tools report about it.
struct WrittenClip {
    let bytes: [UInt8]
    let path: String
    private let scratch = Scratch()

    /// Encodes pictures with durations in microseconds.
    init(
        _ type: MediaType, _ pictures: [Bitmap], micros: [Int64], planes: [PlanarPicture?] = [],
        hasAlpha: Bool = false, _ options: EncodingOptions = .init()
    ) async throws(MediaError) {
        var time: Int64 = 0
        var frames: [Frame] = []
        for (index, picture) in pictures.enumerated() {
            let timing = FrameTiming(
                index: index, presentation: MediaTime(microseconds: time),
                duration: MediaTime(microseconds: micros[index]), isKeyframe: true)
            frames.append(
                Frame(
                    bitmap: picture, timing: timing,
                    planes: planes.indices.contains(index) ? planes[index] : nil))
            time += micros[index]
        }
        try await self.init(type, ListedMedia(frames, hasAlpha: hasAlpha), options)
    }

    /// Encodes media.
    init(
        _ type: MediaType, _ media: any OpenedMedia, _ options: EncodingOptions = .init()
    ) async throws(MediaError) {
        let sequence = FrameSequence(media, limits: .local)
        let encoder = try FormatRegistry(MediaFormat.video).encoders
            .encoder(for: type, options, threads: 2)
        let sink = Locked<[UInt8]>([])
        try await encoder.encode(
            sequence.frames(planes: encoder.prefersPlanes), info: sequence.info,
            loop: sequence.info.loop
        ) { (piece) throws(MediaError) in sink.withLock { $0 += piece } }
        bytes = sink.withLock { $0 }
        path = scratch.write(bytes, type == .mp4 ? "clip.mp4" : "clip.webm")
    }

    /// The stream's properties from ffprobe, by name.
    var stream: [String: String] {
        values("ffprobe -v error -select_streams v -show_streams -show_format \(path)")
    }

    /// A field of every packet.
    func packets(_ field: String) -> [String] {
        lines(
            "ffprobe -v error -select_streams v -show_entries packet=\(field) -of"
                + " default=noprint_wrappers=1:nokey=1 \(path)")
    }

    /// A field of every decoded frame.
    func frames(_ field: String, flags: String = "") -> [String] {
        lines(
            "ffprobe -v error \(flags) -select_streams v -show_entries frame=\(field) -of"
                + " default=noprint_wrappers=1:nokey=1 \(path)")
    }

    /// All pictures from another decoder, in a format such as `rgba`.
    func pixels(_ format: String, decoder: String = "") -> [UInt8] {
        Peer.output(
            of: "ffmpeg -v error \(decoder) -i \(path) -fps_mode passthrough -f rawvideo"
                + " -sws_flags accurate_rnd+full_chroma_int -pix_fmt \(format) - </dev/null")
    }

    /// A command's output in lines of `name=value`.
    func values(_ command: String) -> [String: String] {
        Dictionary(
            lines(command).compactMap { line in
                let parts = line.split(separator: "=", maxSplits: 1).map(String.init)
                return parts.count == 2 ? (parts[0], parts[1]) : nil
            }, uniquingKeysWith: { first, _ in first })
    }

    private func lines(_ command: String) -> [String] {
        String(decoding: Peer.output(of: command), as: UTF8.self).split(separator: "\n").map(
            String.init)
    }

    /// The frames from our own reader.
    func readBack() throws(MediaError) -> [Frame] {
        try LazyVideoTests.frames(of: opened(MemoryBytes(bytes)))
    }
}

/// Media of prepared frames.
struct ListedMedia: OpenedMedia {
    let list: [Frame]
    let info: MediaInfo

    init(_ list: [Frame], hasAlpha: Bool = false) {
        self.list = list
        info = MediaInfo(
            type: .unknown, codec: "list", size: list[0].bitmap.size, hasAlpha: hasAlpha)
    }

    func frameIndex(_ cancellation: CancellationFlag) -> FrameIndex {
        FrameIndex(list.map(\.timing))
    }

    func makeReader(_ options: ReaderOptions) -> any FrameReader { ListReader(list) }

    private final class ListReader: PlainReader {
        let list: [Frame]
        var next = 0
        var warnings: [MediaWarning] { [] }
        init(_ list: [Frame]) { self.list = list }
        func frame() -> Frame? {
            guard next < list.count else { return nil }
            next += 1
            return list[next - 1]
        }
        func seek(toIndex index: Int) { next = index }
        func seek(toTime time: Duration) {}
    }
}

/// Moving pictures, smooth and colored, with or without alpha.
func movingPictures(_ count: Int, _ size: PixelSize, isOpaque: Bool = true) throws -> [Bitmap] {
    try (0..<count).map { number in
        try Bitmap(size: size, isOpaque: isOpaque) { (rows) throws(MediaError) in
            for y in 0..<size.height {
                for x in 0..<size.width {
                    let place = (y * size.width + x) * 4
                    let u = Double(x + 3 * number) / 40
                    let v = Double(y + number) / 30
                    rows[place] = UInt8(128 + 100 * wave(u))
                    rows[place + 1] = UInt8(128 + 100 * wave(v))
                    rows[place + 2] = UInt8(128 + 100 * wave(u + v))
                    rows[place + 3] = isOpaque ? 255 : UInt8(min(255, (x * 256) / size.width))
                }
            }
        }
    }
}

private func wave(_ value: Double) -> Double {
    let phase = value - value.rounded(.down)
    let tooth = phase < 0.5 ? phase * 4 - 1 : 3 - phase * 4
    return tooth
}

/// The peak signal-to-noise ratio of RGBA, in decibels; only colors of opaque pixels.
func psnr(_ one: [UInt8], _ other: Bitmap) -> Double {
    var (sum, count) = (0, 0)
    other.withBytes { bytes in
        for place in stride(from: 0, to: min(one.count, bytes.count), by: 4) {
            for channel in 0..<3 {
                let difference = Int(one[place + channel]) - Int(bytes[place + channel])
                sum += difference * difference
                count += 1
            }
        }
    }
    guard sum > 0, count > 0 else { return count > 0 ? 99 : 0 }
    return 10 * log10(255 * 255 * Double(count) / Double(sum))
}
