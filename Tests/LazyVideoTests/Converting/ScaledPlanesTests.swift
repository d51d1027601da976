import Glibc
import LazyMedia
import Support
import Testing

@testable import LazyVideo

@Suite(.ownThreads) struct ScaledPlanesTests {
    /// The planes of `clip.mp4` by FFmpeg's `scale` filter.
    private func scaled(_ size: PixelSize, _ flags: String) -> [UInt8] {
        Array(
            Peer.output(
                of: "ffmpeg -v error -i \(Media.path("clip.mp4")) -frames:v 20"
                    + " -vf scale=\(size.width):\(size.height):flags=\(flags)"
                    + " -pix_fmt yuv420p -f rawvideo - </dev/null"))
    }

    private func psnr(_ one: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>) -> Double {
        let sum = zip(one, other).reduce(0.0) { sum, pair in
            let difference = Double(pair.0) - Double(pair.1)
            return sum + difference * difference
        }
        return 10 * log10(255 * 255 * Double(one.count) / max(1, sum))
    }

    @Test(
        .needs("ffmpeg"),
        arguments: [
            PixelSize(width: 160, height: 90), PixelSize(width: 150, height: 84),
            PixelSize(width: 80, height: 44),
        ])
    func `small planes are those of a bicubic filter, and do not shift`(size: PixelSize) throws {
        let sharp = scaled(size, "lanczos+accurate_rnd")
        let bicubic = scaled(size, "bicubic")
        let reader = try opened("clip.mp4").makeReader(ReaderOptions(size: size, planes: true))
        let length = sharp.count / 20
        var (own, peer) = (0.0, 0.0)
        for number in 0..<20 {
            let planes = try #require(try reader.nextFrame()?.planes)
            let bytes = planes.withBytes { Array($0) }
            try #require(bytes.count == length)
            let range = number * length..<(number + 1) * length
            own += psnr(sharp[range], bytes[...]) / 20
            peer += psnr(sharp[range], bicubic[range]) / 20
        }
        #expect(own > peer - 0.5, "\(own) and \(peer) dB")
    }
}
