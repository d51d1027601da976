import LazyMedia
import LazyVideo
import Support
import Testing

/// HDR comes out as browsers show it, whatever codec and container.
@Suite(.ownThreads) struct HDRVideoTests {
    private static let pq = "-vf \(ColorTags.pq.filter)"
    private static let hlg = "-vf \(ColorTags.hlg.filter)"
    private static let vp9 = "-c:v libvpx-vp9 -profile:v 2 -lossless 1"
    private static let hevc =
        "-c:v libx265 -x265-params lossless=1:log-level=-1:colorprim=bt2020:colormatrix=bt2020nc"

    @Test(
        .needs("ffmpeg", "ffprobe"),
        arguments: [
            "\(vp9) a.webm", "\(vp9) a.mp4", "-c:v libaom-av1 -crf 4 -cpu-used 8 a.mp4",
            "\(hevc):transfer=smpte2084 a.mp4", "-c:v libx264 -qp 0 a.mp4", "-c:v ffv1 a.mkv",
            "-pix_fmt yuv422p10le -c:v ffv1 a.mkv", "-pix_fmt yuv444p12le -c:v ffv1 a.mkv",
            "-c:v ffv1 gray.mkv",
        ]) func `PQ comes out as browsers show it`(kind: String) throws
    {
        let words = kind.split(separator: " ").map(String.init)
        var patches = PatchClip.pq
        // Chroma of 10 bits cannot tell the saturated green from its neighbors.
        if kind.contains("gray") { patches = patches.filter { $0.code.min() == $0.code.max() } }
        while patches.count % 6 != 0 { patches.append(patches[0]) }
        let clip = PatchClip(patches)
        // FFmpeg 7 drops the tags where it makes gray after them.
        let filter = kind.contains("gray") ? "-vf format=gray10le,\(ColorTags.pq.filter)" : Self.pq
        let bytes = clip.encoded(
            words.dropLast().joined(separator: " ") + " " + filter, as: words.last ?? "")
        let media = try opened(MemoryBytes(bytes))
        let first = try #require(try media.makeReader(ReaderOptions(planes: true)).nextFrame())
        #expect(clip.worst(first.bitmap) <= 3)
        #expect(first.planes == nil)
        #expect(first.color == .sRGB)
        try expectTold(
            media.info,
            clip.probed(bytes, "stream=pix_fmt,color_space,color_transfer,color_primaries"))
        #expect(media.info.hdrFormat == "HDR10")
    }

    @Test(
        .needs("ffmpeg", "ffprobe"),
        arguments: [
            "\(vp9) a.webm", "-c:v libaom-av1 -crf 4 -cpu-used 8 a.webm",
            "\(hevc):transfer=arib-std-b67 a.mp4", "-c:v libx264 -qp 0 a.mp4",
        ]) func `HLG comes out as browsers show it`(kind: String) throws
    {
        let words = kind.split(separator: " ").map(String.init)
        let clip = PatchClip(PatchClip.hlg)
        let bytes = clip.encoded(
            words.dropLast().joined(separator: " ") + " " + Self.hlg, as: words.last ?? "")
        let media = try opened(MemoryBytes(bytes))
        for frame in try frames(of: media) { #expect(clip.worst(frame.bitmap) <= 3) }
        try expectTold(
            media.info,
            clip.probed(bytes, "stream=pix_fmt,color_space,color_transfer,color_primaries"))
        #expect(media.info.hdrFormat == "HLG")
    }

    private func expectTold(_ info: MediaInfo, _ theirs: String) throws {
        let told = [
            info.pixelFormat ?? "unknown", info.color.matrix.description,
            info.color.transfer.description, info.color.primaries.description,
        ]
        #expect(told.joined(separator: ",") == theirs)
    }

    @Test(.needs("ffmpeg"), arguments: [12, 16, 48])
    func `Scaled frames have the same colors`(side: Int) throws {
        let clip = PatchClip(PatchClip.pq)
        let bytes = clip.encoded("\(Self.vp9) \(Self.pq)", as: "a.webm")
        let size = PixelSize(width: 6 * side, height: 3 * side)
        let reader = try opened(MemoryBytes(bytes)).makeReader(ReaderOptions(size: size))
        #expect(clip.worst(try #require(try reader.nextFrame()).bitmap, side: side) <= 4)
    }

    @Test(.needs("ffmpeg")) func `The file's own values come out on request`() throws {
        let clip = PatchClip(PatchClip.pq)
        let media = try opened(
            MemoryBytes(clip.encoded("\(Self.vp9) \(Self.pq)", as: "a.webm")))
        var options = ReaderOptions()
        options.color = .source
        let frame = try #require(try media.makeReader(options).nextFrame())
        #expect(frame.color.transfer == .pq)
        // 1024 levels in 256: the gray of the fifth patch has the code 512.
        let gray = frame.bitmap[4 * PatchClip.side + 16, 16]
        #expect(abs(Int(gray.x) - 128) <= 1)
    }

    @Test(.needs("ffmpeg")) func `Seeking yields the pixels of a sequential read`() throws {
        let clip = PatchClip(PatchClip.hlg)
        let media = try opened(
            MemoryBytes(clip.encoded("\(Self.vp9) \(Self.hlg)", as: "a.webm")))
        let all = try frames(of: media)
        let reader = try media.makeReader(ReaderOptions())
        for number in [2, 0, 1] {
            try reader.seek(toIndex: number)
            #expect(try reader.nextFrame()?.bitmap == all[number].bitmap)
        }
    }

    @Test(.needs("ffmpeg", "ffprobe"), arguments: [MediaType.mp4, .webm])
    func `Clips made of HDR are SDR and say so`(type: MediaType) async throws {
        let clip = PatchClip(PatchClip.pq)
        let media = try opened(
            MemoryBytes(clip.encoded("\(Self.vp9) \(Self.pq)", as: "a.webm")))
        let written = try await WrittenClip(type, media, EncodingOptions(quality: 95))
        let told = written.stream
        #expect(told["color_space"] == "bt709")
        #expect(told["color_transfer"] == "bt709")
        #expect(told["color_primaries"] == "bt709")
        let frame = try #require(
            try opened(MemoryBytes(written.bytes)).makeReader(ReaderOptions()).nextFrame())
        #expect(clip.worst(frame.bitmap) <= 8)
    }

    // MARK: - Metadata

    /// 4000 cd/m² of content: white at 203 cd/m² stays 188, 552 cd/m² is darker than by default.
    @Test(.needs("ffmpeg"), arguments: ["a.mp4", "a.webm"])
    func `The container's metadata set the peak`(name: String) throws {
        let clip = PatchClip(PatchClip.pq)
        var bytes = movie(
            clip.encoded("\(Self.vp9) \(Self.pq)", as: "a.mp4"),
            adding: Self.masteringDisplay(maximum: 1000) + Self.contentLight(4000, 300))
        if name == "a.webm" { bytes = clip.remuxed(bytes, from: "a.mp4", to: name) }
        let media = try opened(MemoryBytes(bytes))
        #expect(media.info.color.contentLight == ContentLight(maximum: 4000, maximumAverage: 300))
        #expect(media.info.color.masteringDisplay?.maximumLuminance == 1000)
        #expect(media.info.color.masteringDisplay?.chromaticities?.red == [0.708, 0.292])
        #expect(try Self.level(media) == 214)
    }

    @Test(.needs("ffmpeg")) func `The messages of HEVC set the peak`() throws {
        let clip = PatchClip(PatchClip.pq)
        let bytes = clip.encoded(
            "\(Self.hevc):transfer=smpte2084:hdr10=1:max-cll=4000,300"
                + ":master-display=\"G(8500,39850)B(6550,2300)R(35400,14600)WP(15635,16450)"
                + "L(10000000,50)\" \(Self.pq)", as: "a.mp4")
        for bytes in [
            bytes, clip.remuxed(bytes, from: "a.mp4", to: "a.mkv"),
            clip.remuxed(bytes, from: "a.mp4", to: "a.ts"),
        ] {
            let media = try opened(MemoryBytes(bytes))
            let light = media.info.color.contentLight
            #expect(light == ContentLight(maximum: 4000, maximumAverage: 300))
            #expect(media.info.color.masteringDisplay?.maximumLuminance == 1000)
            #expect(media.info.color.masteringDisplay?.chromaticities?.red == [0.708, 0.292])
            #expect(try Self.level(media) == 214)
        }
    }

    /// The gray of 552 cd/m² (235 without metadata).
    private static func level(_ media: any OpenedMedia) throws -> Int {
        let frame = try #require(try media.makeReader(ReaderOptions()).nextFrame())
        return Int(frame.bitmap[PatchClip.side / 2, PatchClip.side * 3 / 2].x)
    }

    @Test(
        .needs("ffmpeg"),
        arguments: [
            (8, 4, "Dolby Vision 8.4"), (8, 1, "Dolby Vision 8.1"), (5, 0, "Dolby Vision 5"),
        ])
    func `Dolby Vision is shown by its base layer`(profile: Int, id: Int, name: String) throws {
        let clip = PatchClip(PatchClip.hlg)
        let bytes = movie(
            clip.encoded("\(Self.hevc):transfer=arib-std-b67 \(Self.hlg)", as: "a.mp4"),
            adding: Self.dolbyVision(profile: profile, id: id))
        let media = try opened(MemoryBytes(bytes))
        #expect(media.info.hdrFormat == name)
        if profile == 5 {
            let error = #expect(throws: MediaError.self) { try media.makeReader(ReaderOptions()) }
            #expect(error?.code == .unsupported)
            #expect(error?.message.contains(name) == true)
        } else {
            let frame = try #require(try media.makeReader(ReaderOptions()).nextFrame())
            #expect(clip.worst(frame.bitmap) <= 3)
        }
    }

    private static func masteringDisplay(maximum: UInt32) -> [UInt8] {
        // Green, blue, red, white.
        let points: [UInt16] = [8500, 39850, 6550, 2300, 35400, 14600, 15635, 16450]
        return ISOBox.make(
            "mdcv", points.flatMap(bigEndian) + bigEndian(maximum * 10_000) + bigEndian(UInt32(50)))
    }

    private static func contentLight(_ maximum: UInt16, _ average: UInt16) -> [UInt8] {
        ISOBox.make("clli", bigEndian(maximum) + bigEndian(average))
    }

    private static func dolbyVision(profile: Int, id: Int) -> [UInt8] {
        // Version 1.0; profile, level 4, metadata and base layer present.
        let bits = profile << 9 | 4 << 3 | 0b101
        return ISOBox.make(
            profile > 7 ? "dvvC" : "dvcC",
            [1, 0, UInt8(bits >> 8), UInt8(bits & 255), UInt8(id << 4)]
                + [UInt8](repeating: 0, count: 19))
    }
}

private func bigEndian(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
}
