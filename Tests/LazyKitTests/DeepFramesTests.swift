import Glibc
import LazyKit
import LazyMedia
import Support
import Testing

/// Pictures of more than 8 bits, in the values of the file, compared with what other programs decode.
@Suite(
    .ownThreads,
    .needs(
        "ffmpeg", "avifenc", "avifdec", "heif-enc", "heif-convert", "cjxl", "djxl",
        "convert"))
struct DeepFramesTests {
    /// A file, how it is made of `a.png` in a folder, and how another program decodes it to RGBA16.
    struct Source: CustomTestStringConvertible {
        let name: String
        let making: String
        let decoding: String
        /// What the file says of its samples.
        var color: (primaries: ColorPrimaries, transfer: TransferCharacteristics) = (
            .unspecified, .unspecified
        )
        /// The least agreement; nil for equal samples.
        var decibels: Double? = 60

        var testDescription: String { name }
    }

    private static let raw = "-f rawvideo -pix_fmt rgba64le o.raw"
    private static let pq = (ColorPrimaries.bt2020, TransferCharacteristics.pq)

    /// A film of `a.png` in BT.2020 and PQ, decoded by FFmpeg and converted by zimg.
    private static func film(_ name: String, _ format: String, _ encoder: String) -> Source {
        let zimg = "m=bt2020nc:min=gbr:t=smpte2084:tin=smpte2084:p=bt2020:pin=bt2020:r=limited"
        return Source(
            name: name,
            making:
                "ffmpeg -v error -y -i a.png -vf zscale=\(zimg):rin=full,format=\(format),\(ColorTags.pq.filter)"
                + " -c:v \(encoder) \(name)",
            decoding:
                "ffmpeg -v error -y -i \(name) -vf zscale=m=gbr:r=full:f=bilinear:d=none,format=gbrp16le \(raw)",
            color: pq)
    }

    /// A still whose other decoder writes a PNG.
    private static func still(
        _ name: String, _ making: String, _ decoder: String,
        _ color: (ColorPrimaries, TransferCharacteristics) = (.unspecified, .unspecified),
        decibels: Double? = 60
    ) -> Source {
        Source(
            name: name, making: "\(making) \(name)",
            decoding: "\(decoder) \(name) o.png && ffmpeg -v error -y -i o.png \(raw)",
            color: color, decibels: decibels)
    }

    static let sources: [Source] = [
        film("hevc-420-10.mp4", "yuv420p10le", "libx265 -x265-params log-level=none"),
        film("hevc-422-12.mp4", "yuv422p12le", "libx265 -x265-params log-level=none"),
        film("h264-420-10.mp4", "yuv420p10le", "libx264"),
        film("vp9-444-12.webm", "yuv444p12le", "libvpx-vp9 -profile:v 3 -strict -2"),
        film("av1-420-10.mp4", "yuv420p10le", "libaom-av1 -cpu-used 8"),
        Source(
            name: "ffv1-rgb-16.mkv",
            making: "ffmpeg -v error -y -i a.png -pix_fmt gbrp16le -c:v ffv1 ffv1-rgb-16.mkv",
            decoding: "ffmpeg -v error -y -i ffv1-rgb-16.mkv \(raw)", decibels: nil),
        still(
            "444-10.avif", "avifenc -s 10 -d 10 -y 444 -r full --cicp 9/16/9 a.png",
            "avifdec -d 16", pq),
        still(
            "420-12.avif", "avifenc -s 10 -d 12 -y 420 -r limited --cicp 12/18/1 a.png",
            "avifdec -d 16", (.displayP3, .hlg)),
        still(
            "alpha-12.avif", "avifenc -s 10 -d 12 -y 444 -r full --cicp 9/16/9 alpha.png",
            "avifdec -d 16", pq),
        still("lossless.jxl", "cjxl -d 0 a.png", "djxl", (.bt709, .sRGB), decibels: nil),
        still("lossy.jxl", "cjxl -d 1 a.png", "djxl", (.bt709, .sRGB)),
        still("strips.tif", "convert a.png", "convert", decibels: nil),
        still(
            "planes.tif", "convert alpha.png -interlace plane", "convert",
            decibels: nil),
        still(
            "gray.tif", "convert a.png -colorspace gray",
            "convert -define png:color-type=2", decibels: nil),
        still("plain.png", "cp a.png", "cp", decibels: nil),
        still("alpha-again.png", "cp alpha.png", "cp", decibels: nil),
        still("420-10.heic", "heif-enc -b 10 -q 90 a.png -o", "heif-convert"),
        still(
            "444-12.heic", "heif-enc -b 12 -q 90 -p chroma=444 alpha.png -o", "heif-convert"),
    ]

    @Test(arguments: sources)
    func `Samples are those that another program decodes`(_ source: Source) async throws {
        let folder = Scratch()
        let answer = Peer.output(of: Self.script(source, in: folder))
        let theirs = folder["o.raw"]
        let words = String(decoding: answer, as: UTF8.self)
        try #require(theirs.count == 160 * 96 * 8, "\(words)")
        let bytes = folder[source.name]
        let sequence = try FrameSequence(opening: try MemoryBytes(bytes), registry: .standard)
        #expect(sequence.info.bitDepth ?? 8 > 8)
        let frame = try await sequence.rendered(color: .source, samples: .sixteen).frame(0)
        let deep = try #require(frame.deep)
        #expect(deep.size == PixelSize(width: 160, height: 96))
        // Newer versions of heif-enc declare sRGB by themselves.
        let isHEIC = source.name.hasSuffix(".heic")
        let (primaries, transfer) =
            isHEIC && bytes.contains("colrnclx".utf8) ? (.bt709, .sRGB) : source.color
        #expect(frame.color.primaries == primaries)
        #expect(frame.color.transfer == transfer)
        let agreement = Self.decibels(deep, theirs)
        #expect(agreement >= source.decibels ?? .infinity, "\(agreement) dB")
    }

    @Test(arguments: [
        "h264-420-10.mp4", "444-10.avif", "lossless.jxl", "strips.tif", "420-10.heic",
    ])
    func `At another size the picture is the same`(_ name: String) async throws {
        let folder = Scratch()
        let source = try #require(Self.sources.first { $0.name == name })
        _ = Peer.output(of: Self.script(source, in: folder))
        let sequence = try FrameSequence(
            opening: try MemoryBytes(folder[name]), registry: .standard
        )
        .rendered(color: .source, samples: .sixteen)
        let whole = try #require(try await sequence.frame(0).deep)
        let size = PixelSize(width: 64, height: 38)
        let small = try #require(
            try await sequence.frame(0, size: TargetSize(width: 64, height: 38, fit: .fill)).deep)
        let expected = try whole.scaled(to: size)
        let agreement = expected.withBytes { Self.decibels(small, Array($0)) }
        #expect(agreement > 35, "\(agreement) dB")
    }

    @Test(arguments: [
        "clip.mp4", "still.avif", "still.heic", "still.jxl", "still.tiff", "still-rgb8.png",
        "animation.png", "still.jpg",
    ])
    func `A source of 8 bits stays one`(_ name: String) async throws {
        let sequence = try FrameSequence(path: Media.path(name))
        let frame = try await sequence.rendered(color: .source, samples: .sixteen).frame(0)
        let plain = try await sequence.rendered(color: .source).frame(0)
        #expect(frame.deep == nil)
        let isSame = frame.bitmap == plain.bitmap
        #expect(isSame)
    }

    /// The ratio of peak to noise over all four channels.
    private static func decibels(_ bitmap: DeepBitmap, _ theirs: [UInt8]) -> Double {
        let sum = bitmap.withBytes { ours in
            theirs.withUnsafeBytes { theirs in
                zip(ours.bindMemory(to: UInt16.self), theirs.bindMemory(to: UInt16.self)).reduce(
                    0.0
                ) {
                    let difference = Double($1.0) - Double($1.1)
                    return $0 + difference * difference
                }
            }
        }
        guard bitmap.byteCount == theirs.count else { return 0 }
        return 10 * log10(65535 * 65535 / (sum / Double(bitmap.byteCount / 2)))
    }

    /// 160 by 96 pixels of 16 bits that 8 bits cannot tell, opaque and with alpha.
    private static func script(_ source: Source, in folder: Scratch) -> String {
        """
        cd '\(folder.path)' && exec 2>&1 </dev/null
        ffmpeg -v error -y -f lavfi -i "nullsrc=s=160x96:r=5,format=gbrp16le,geq=\
        r='65535*X/W':g='32768+32767*sin(X/9)*cos(Y/13)':b='65535*Y/H'" \
        -frames:v 1 -pix_fmt rgb48be a.png
        ffmpeg -v error -y -i a.png -vf "format=gbrap16le,geq=\
        r='r(X,Y)':g='g(X,Y)':b='b(X,Y)':a='30000+200*X'" -pix_fmt rgba64be alpha.png
        \(source.making)
        \(source.decoding)
        """
    }
}
