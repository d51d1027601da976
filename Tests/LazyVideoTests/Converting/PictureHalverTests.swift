import CFFmpeg
import Glibc
import LazyMedia
import Support
import Testing

@testable import LazyVideo

@Suite(.ownThreads) struct PictureHalverTests {
    private struct Plane {
        var width: Int
        var height: Int
        var samples: [UInt8]

        /// As the definition says: the mean of four, rounded; the last of an odd number counts twice.
        var halved: Plane {
            var half = Plane(width: (width + 1) / 2, height: (height + 1) / 2, samples: [])
            for y in 0..<half.height {
                for x in 0..<half.width {
                    let (right, below) = (min(2 * x + 1, width - 1), min(2 * y + 1, height - 1))
                    let sum =
                        [(2 * x, 2 * y), (right, 2 * y), (2 * x, below), (right, below)]
                        .reduce(2) { $0 + Int(samples[$1.1 * width + $1.0]) }
                    half.samples.append(UInt8(sum / 4))
                }
            }
            return half
        }
    }

    @Test(
        arguments: [
            (PixelSize(width: 128, height: 64), PixelSize(width: 32, height: 16), 1),
            (PixelSize(width: 854, height: 480), PixelSize(width: 200, height: 112), 1),
            (PixelSize(width: 360, height: 840), PixelSize(width: 20, height: 40), 3),
            (PixelSize(width: 90, height: 70), PixelSize(width: 16, height: 16), 1),
            (PixelSize(width: 1280, height: 720), PixelSize(width: 40, height: 22), 4),
        ])
    func `samples are means of four, again and again`(
        sizes: (source: PixelSize, target: PixelSize, times: Int)
    ) throws {
        // FFmpeg is loaded with the first film.
        _ = try opened("small.mp4")
        var random = SplitMix(9)
        let (width, height) = (sizes.source.width, sizes.source.height)
        var planes = (0..<3).map { plane in
            let half = plane == 0 ? 0 : 1
            let size = ((width + half) >> half, (height + half) >> half)
            return Plane(
                width: size.0, height: size.1,
                samples: (0..<size.0 * size.1).map { _ in
                    .random(in: 0...255, using: &random)
                })
        }
        let halver = try #require(try PictureHalver(from: sizes.source, to: sizes.target))
        #expect(halver.size.width == width >> sizes.times)
        #expect(halver.size.height == height >> sizes.times)

        let picture = try Picture()
        let bytes = planes.flatMap(\.samples)
        try bytes.withUnsafeBufferPointer { bytes in
            lz_frame_lend(
                picture.pointer, bytes.baseAddress,
                [0, planes[0].samples.count, planes[0].samples.count + planes[1].samples.count]
                    .map(Int64.init), planes.map { CInt($0.width) })
            let half = try halver.halve(picture.pointer)
            #expect(half.pointee.format == AV_PIX_FMT_YUV420P.rawValue)
            for _ in 0..<sizes.times { planes = planes.map(\.halved) }
            for (number, plane) in planes.enumerated() {
                let start = try #require(lz_plane(half, CInt(number)))
                let stride = Int(lz_plane_stride(half, CInt(number)))
                for y in 0..<plane.height {
                    let row = UnsafeBufferPointer(start: start + y * stride, count: plane.width)
                    let expected = plane.samples[y * plane.width..<(y + 1) * plane.width]
                    #expect(row.elementsEqual(expected), "row \(y) of plane \(number)")
                }
            }
        }
    }

    @Test func `others are left to the scaler`() throws {
        _ = try opened("small.mp4")
        let large = PixelSize(width: 1280, height: 720)
        for (source, target) in [
            (large, PixelSize(width: 321, height: 180)),
            (large, PixelSize(width: 320, height: 181)),
            (PixelSize(width: 1279, height: 720), PixelSize(width: 100, height: 100)),
            (PixelSize(width: 1280, height: 719), PixelSize(width: 100, height: 100)),
            // Too small for swscale's filter.
            (large, PixelSize(width: 15, height: 100)), (large, PixelSize(width: 100, height: 15)),
            (large, PixelSize(width: 1, height: 1)),
        ] {
            #expect(try PictureHalver(from: source, to: target) == nil)
        }
    }

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
    func `small planes are as sharp as bicubic ones, and do not shift`(size: PixelSize) throws {
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
        #expect(own > peer - 2.5, "\(own) and \(peer) dB")
    }
}
