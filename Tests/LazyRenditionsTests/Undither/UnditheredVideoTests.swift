import Glibc
import LazyCodecs
import LazyMedia
import LazyRenditions
import Support
import Testing

/// What undithering saves where it matters: a dithered GIF that becomes video, with tools that are
/// not ours before and after it.
@Suite(.ownThreads, .needs("ffmpeg"))
struct UnditheredVideoTests {
    private static let shape = "-f rawvideo -pix_fmt rgba -s 320x240 -r 10"

    @Test(arguments: ["sierra2_4a", "bayer", "floyd_steinberg"])
    func `the video is smaller and nearer to the source`(dither: String) throws {
        let folder = Scratch()
        let gif = folder.path + "/dithered.gif"
        let clean = folder.write(Self.clip(frames: 8), "clean.rgba")
        let palettes =
            "split[a][b];[a]palettegen=max_colors=64[p];[b][p]paletteuse=dither=\(dither)"
        shell("\(Self.shape) -i \(clean) -vf '\(palettes)' \(gif)")
        let media = try GIFDecoder().open(FileBytes(path: gif), type: .gif, limits: .local)
        let sequence = FrameSequence(media, limits: .local)
        let dithered = try folder.write(Self.pixels(sequence), "dithered.rgba")
        let smooth = try folder.write(Self.pixels(sequence.undithered()), "smooth.rgba")
        let before = try measure(dithered, against: clean)
        let after = try measure(smooth, against: clean)
        #expect(Double(after.bytes) < 0.8 * Double(before.bytes))
        #expect(after.ssim >= before.ssim)
    }

    /// Waves of color that move, and a disc before them.
    private static func clip(frames: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(frames * 320 * 240 * 4)
        for frame in 0..<frames {
            let time = Double(frame)
            for y in 0..<240 {
                for x in 0..<320 {
                    let (across, down) = (Double(x), Double(y))
                    var color = SIMD3(
                        128 + 70 * sin((across + 4 * time) / 40) + 30 * sin(down / 23),
                        128 + 60 * sin((down + 3 * time) / 31) + 40 * cos(across / 57),
                        120 + 80 * sin((across + down + 5 * time) / 70))
                    if hypot(across - 80 - 6 * time, down - 120) < 50 {
                        color = color / 2 + SIMD3(90, 60, 20)
                    }
                    for channel in 0..<3 { bytes.append(UInt8(min(max(color[channel], 0), 255))) }
                    bytes.append(255)
                }
            }
        }
        return bytes
    }

    private static func pixels(_ sequence: FrameSequence) throws -> [UInt8] {
        let reader = try sequence.makeReader(ReaderOptions(limits: .local))
        var bytes: [UInt8] = []
        while let frame = try reader.nextFrame() { frame.bitmap.withBytes { bytes += $0 } }
        return bytes
    }

    private func measure(
        _ path: String, against clean: String
    ) throws -> (bytes: Int, ssim: Double) {
        shell(
            "\(Self.shape) -i \(path) -c:v libx264 -preset veryfast -crf 23 -pix_fmt yuv420p \(path).mp4"
        )
        let report = Peer.output(
            of: "ffmpeg -hide_banner -nostdin -i \(path).mp4 \(Self.shape) -i \(clean) -lavfi "
                + "'[0]format=yuv420p[a];[1]format=yuv420p[b];[a][b]ssim' -f null - 2>&1")
        let text = String(decoding: report, as: UTF8.self)
        let tail = try #require(text.split(separator: "All:").dropFirst().first)
        let ssim = try #require(Double(tail.prefix { $0.isNumber || $0 == "." }))
        return (try FileBytes(path: "\(path).mp4").count, ssim)
    }

    private func shell(_ arguments: String) {
        _ = Peer.output(of: "ffmpeg -v error -nostdin -y \(arguments)")
    }
}
