import LazyBase
import LazyKit
import LazyMedia
import Support
import Testing

/// Everything that is made from HDR is SDR, and says so.
@Suite(.ownThreads) struct HDROutputTests {
    private let scratch = Scratch()

    /// A film or still of HDR.
    enum Source: String, CaseIterable, Sendable {
        case avif, heic, pqVP9, hlgVP9, pqHEVC, hlgHEVC

        var isStill: Bool { self == .avif || self == .heic }

        private var codec: String {
            let transfer = rawValue.hasPrefix("pq") ? "smpte2084" : "arib-std-b67"
            let tags = ColorTags("bt2020", transfer, "bt2020nc")
            let colors = "-vf format=yuv420p10le,\(tags.filter)"
            guard rawValue.hasSuffix("HEVC") else {
                return "\(colors) -c:v libvpx-vp9 -profile:v 2 -lossless 1 -deadline realtime"
            }
            return "\(colors) -c:v libx265 -x265-params lossless=1:log-level=-1:colorprim=bt2020"
                + ":colormatrix=bt2020nc:transfer=\(transfer)"
        }

        /// The file, with its own sRGB.
        func opened(_ scratch: Scratch) throws -> FrameSequence {
            switch self {
            case .avif: return try FrameSequence(path: Media.path("hdr.avif"))
            case .heic:
                let picture = HEVCPicture.encoded(
                    "gradients=s=96x64:c0=0x204060:c1=0xc0a080:n=2", width: 96, height: 64,
                    format: "yuv420p10le")
                var forge = HEICForge()
                forge.add(
                    1, "hvc1", picture.data,
                    picture.properties + [HEICForge.colors(9, 16, 9, isFullRange: false)])
                return try FrameSequence(opening: MemoryBytes(forge.bytes), registry: .standard)
            default:
                let path = scratch.path(rawValue.hasSuffix("HEVC") ? "in.mp4" : "in.webm")
                _ = Peer.output(
                    of: "ffmpeg -v error -y -f lavfi -i gradients=s=96x64:c0=0x204060:c1=0xc0a080"
                        + ":n=2:r=5:d=0.6 \(codec) \(path) </dev/null")
                return try FrameSequence(
                    opening: FileBytes(path: path).contiguous(), registry: .standard)
            }
        }
    }

    private func compare(_ source: FrameSequence, _ bytes: [UInt8]) async throws {
        let written = try FrameSequence(opening: MemoryBytes(bytes), registry: .standard)
        #expect(!written.info.color.isHDR && written.info.hdrFormat == nil)
        #expect(written.info.bitDepth ?? 8 == 8)
        let shown = try await source.frame(0).bitmap
        // The HDR values themselves are gray and dark, some hundreds away.
        #expect(try await Decoded.distance(written.frame(0).bitmap, shown) < 30)
        let raw = try await source.rendered(color: .source).frame(0).bitmap
        #expect(Decoded.distance(raw, shown) > 100)
    }

    @Test(
        .needs("ffmpeg", "ffprobe"), arguments: Source.allCases.filter { !$0.isStill },
        [(MediaType.mp4, VideoCodecChoice.h264), (.mp4, .av1), (.webm, .vp9), (.webm, .av1)])
    func `video made of HDR is BT.709`(
        source: Source, target: (MediaType, VideoCodecChoice)
    ) async throws {
        let film = try source.opened(scratch)
        #expect(film.info.color.isHDR)
        var options = EncodingOptions(quality: 90)
        options.codec = target.1
        let bytes = try await film.encoded(as: target.0, options: options)
        let path = scratch.write(bytes, "a.\(target.0.fileExtensions[0])")
        let told = Peer.output(
            of: "ffprobe -v error -show_entries stream=pix_fmt,color_range,color_space,"
                + "color_transfer,color_primaries:stream_side_data -of csv=p=0 \(path)")
        let words = String(decoding: told, as: UTF8.self).split(separator: "\n")
        #expect(words == ["yuv420p,tv,bt709,bt709,bt709"])
        try await compare(film, bytes)
    }

    @Test(.needs("ffmpeg", "avifdec"), arguments: Source.allCases, [false, true])
    func `AVIF made of HDR has the curve of sRGB`(source: Source, isLossless: Bool) async throws {
        let media = try source.opened(scratch)
        var options = EncodingOptions(quality: 90)
        if isLossless { options = EncodingOptions(lossless: true) }
        let bytes = try await media.encoded(
            as: source.isStill ? .avif : .avifSequence, options: options)
        let path = scratch.write(bytes, "a.avif")
        let told = String(decoding: Peer.output(of: "avifdec --info \(path)"), as: UTF8.self)
        for line in ["Bit Depth      : 8", "Color Primaries: 1", "Transfer Char. : 13"] {
            #expect(told.contains(line), "\(line) in \(told)")
        }
        try await compare(media, bytes)
    }

    @Test(
        .needs("ffmpeg"), arguments: [Source.avif, .pqVP9, .hlgHEVC], [MediaType.png, .jpeg, .webp])
    func `posters of HDR are sRGB`(source: Source, type: MediaType) async throws {
        let media = try source.opened(scratch)
        let poster = try await media.poster(.first).bitmap
        let bytes = try await FrameSequence(still: poster).encoded(
            as: type, options: EncodingOptions(quality: type == .png ? nil : 90))
        let written = try FrameSequence(opening: MemoryBytes(bytes), registry: .standard)
        #expect(!written.info.color.isHDR)
        #expect(try await Decoded.distance(written.frame(0).bitmap, poster) < 30)
        if type == .png {
            #expect(written.info.color.primaries == .bt709 && written.info.color.transfer == .sRGB)
        }
    }
}
