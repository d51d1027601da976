import LazyMedia
import LazyVideo
import Support
import Testing

@Suite struct VideoDecoderTests {
    /// Clip, codec, coded streams, frames, duration in milliseconds.
    static let clips: [(name: String, codec: String, count: Int, milliseconds: Int)] = [
        ("small.mp4", "h264", 24, 2000), ("fragmented.mp4", "h264", 24, 2000),
        ("h264.mkv", "h264", 24, 2000), ("h264.ts", "h264", 24, 2000),
        ("edit-list.mp4", "h264", 18, 1500), ("hevc.mp4", "hevc", 24, 2000),
        ("av1.mp4", "av1", 24, 2000), ("vp8.webm", "vp8", 24, 2000),
        ("vp9.webm", "vp9", 24, 2000), ("mpeg4.avi", "mpeg4", 24, 2000),
        ("mjpeg.avi", "mjpeg", 24, 2000), ("theora.ogv", "theora", 24, 2000),
        ("prores.mov", "prores", 6, 500), ("raw.y4m", "rawvideo", 4, 333),
        ("animation.png", "apng", 6, 600),
    ]

    @Test(arguments: clips) func `header and frame count are correct`(
        clip: (name: String, codec: String, count: Int, milliseconds: Int)
    ) throws {
        let media = try opened(clip.name)
        #expect(media.info.codec == clip.codec)
        #expect(media.info.frameCount ?? clip.count == clip.count)
        let index = try media.frameIndex(CancellationFlag())
        #expect(index.count == clip.count)
        #expect(media.info.frameCount == clip.count)
        // Matroska stores milliseconds, so each end may be off by a half.
        let length = index.duration.components
        let milliseconds =
            Double(length.seconds) * 1000 + Double(length.attoseconds) / 1_000_000_000_000_000
        #expect(abs(milliseconds - Double(clip.milliseconds)) < 3)
    }

    @Test func `all streams are reported and one is chosen`() throws {
        let streams = try opened("clip.mp4").info.streams
        #expect(streams.map(\.kind) == [.video, .audio])
        #expect(streams.map(\.codec) == ["h264", "aac"])
        #expect(streams.map(\.isChosen) == [true, false])
        #expect(streams[0].codedSize == PixelSize(width: 640, height: 360))
    }

    /// Clip, degrees clockwise, mirrored, coded size.
    @Test(arguments: [
        ("small.mp4", 0, false), ("rotated-90.mp4", 90, false), ("rotated-180.mp4", 180, false),
        ("rotated-270.mp4", 270, false), ("mirrored.mp4", 0, true),
        ("still-orientation-6.jpg", 90, false),
    ]) func `the display matrix is reported`(name: String, degrees: Int, isMirrored: Bool) throws {
        let info = try opened(name).info
        #expect(info.rotation == degrees)
        #expect(info.isMirrored == isMirrored)
        #expect(info.size == PixelSize(width: 160, height: 96))
    }

    @Test func `non-square pixels enlarge the longer side`() throws {
        let info = try opened("wide-pixels.mp4").info
        #expect(info.pixelAspect == Rational(2, 1))
        #expect(info.size == PixelSize(width: 320, height: 192))
    }

    /// FFmpeg's scaling to an even size leaves such aspects behind.
    @Test(
        .needs("ffmpeg"),
        arguments: [
            ("854x480", "853/854", PixelSize(width: 854, height: 480)),
            ("426x240", "640/639", PixelSize(width: 426, height: 240)),
            ("854x480", "423/427", PixelSize(width: 854, height: 485)),
            ("100x80", "101/100", PixelSize(width: 101, height: 80)),
        ]) func `an aspect that adds less than a pixel changes nothing`(
            coded: String, aspect: String, shown: PixelSize
        ) throws
    {
        func clip(_ aspect: String) throws -> MemoryBytes {
            let source = "-f lavfi -i testsrc2=s=\(coded):r=5:d=0.4 -vf setsar=\(aspect):max=1000"
            let output = "-c:v libx264 -preset ultrafast -movflags empty_moov+frag_keyframe"
            return try MemoryBytes(
                Peer.output(
                    of: "ffmpeg -v error \(source) -pix_fmt yuv420p \(output) -f mp4 - </dev/null"))
        }
        let media = try opened(clip(aspect))
        #expect(media.info.size == shown)
        #expect(media.info.pixelAspect != Rational(1, 1))
        let plain = try frames(of: opened(clip("1"))).map(\.bitmap)
        let isSame = try frames(of: media).map(\.bitmap) == plain
        #expect(isSame == (plain.first?.size == shown))
    }

    @Test func `alpha is known from the header`() throws {
        for name in ["vp8-alpha.webm", "vp9-alpha.webm"] {
            #expect(try opened(name).info.hasAlpha, "\(name)")
        }
        for name in ["vp8.webm", "small.mp4", "still.jpg", "prores.mov"] {
            #expect(try !opened(name).info.hasAlpha, "\(name)")
        }
    }

    @Test func `stills play once, video forever`() throws {
        let still = try opened("still.jpg").info
        #expect(still.loop == .still)
        #expect(still.frameCount == 1)
        #expect(still.duration == nil)
        #expect(try opened("small.mp4").info.loop == .video)
    }

    @Test func `encrypted tracks throw encrypted`() {
        let error = #expect(throws: MediaError.self) { try opened("encrypted.mp4") }
        #expect(error?.code == .encrypted)
        #expect(error?.message.contains("encrypted") == true)
    }

    @Test func `cover art is not the video but is available`() throws {
        let media = try opened("cover-art.mp4")
        #expect(media.info.streams.map(\.kind) == [.video, .attachedPicture])
        let poster = try #require(try media.embeddedPoster(ReaderOptions()))
        #expect(poster.barcode == 4000)
        #expect(poster.size == PixelSize(width: 64, height: 48))
        let small = ReaderOptions(size: PixelSize(width: 48, height: 36))
        #expect(try media.embeddedPoster(small)?.size == PixelSize(width: 48, height: 36))
        #expect(try opened("small.mp4").embeddedPoster(ReaderOptions()) == nil)
    }

    @Test func `an audio file has no video`() throws {
        let sound = try opened("cover-art.m4a")
        #expect(sound.info.streams.map(\.kind) == [.audio, .attachedPicture])
        #expect(sound.info.streams.allSatisfy { !$0.isChosen })
        let error = #expect(throws: MediaError.self) { try sound.makeReader(ReaderOptions()) }
        #expect(error?.code == .coverOnly)
    }

    @Test func `types that FFmpeg does not read are rejected by name`() throws {
        let decoder = VideoDecoder()
        #expect(!decoder.canOpen(.gif))
        #expect(!decoder.canOpen(.png))
        #expect(!decoder.canOpen(.webpAnimation))
        let error = #expect(throws: MediaError.self) {
            try decoder.open(MemoryBytes([1, 2, 3]), type: .webpAnimation, limits: .web)
        }
        #expect(error?.code == .unsupported)
        #expect(error?.message == "FFmpeg cannot read webp-animation.")
    }

    /// Limits that a clip of 160 × 96, 2 s and some kilobytes exceeds, and the limit's name.
    @Test(arguments: [
        (DecodingLimits(pixelsPerFrame: 15_359), "pixelsPerFrame"),
        (DecodingLimits(memory: 61_439), "memory"),
        (DecodingLimits(inputBytes: 1000), "inputBytes"),
    ]) func `limits are checked when a file is opened`(limits: DecodingLimits, name: String) {
        let error = #expect(throws: MediaError.self) { try opened("small.mp4", limits: limits) }
        #expect(error?.code == .limitExceeded)
        #expect(error?.excess?.limit == name)
    }

    @Test func `a limit on pixels holds for stills`() {
        for name in ["still.jpg", "still.webp"] {
            let error = #expect(throws: MediaError.self, "\(name)") {
                try opened(name, limits: DecodingLimits(pixelsPerFrame: 15_359))
            }
            let excess = error?.excess
            let wanted = MediaError.Excess(limit: "pixelsPerFrame", allowed: 15_359, actual: 15_360)
            #expect(excess == wanted, "\(name): \(error?.message ?? "no error")")
        }
    }

    @Test func `a poster does not read the whole file`() throws {
        let bytes = CountingBytes(try Media.bytes("clip.mp4"))
        let media = try VideoDecoder().open(bytes, type: .mp4, limits: .web)
        let reader = try media.makeReader(ReaderOptions(isSingleFrame: true))
        #expect(try reader.nextFrame()?.bitmap.barcode == 0)
        #expect(bytes.bytesRead < bytes.count * 2 / 3)
    }

    @Test func `a failed read is reported`() throws {
        let bytes = try Media.bytes("clip.mp4")
        let failing = FailingBytes(bytes, after: bytes.count / 2 + 70_000)
        let error = #expect(throws: MediaError.self) {
            let media = try VideoDecoder().open(failing, type: .mp4, limits: .web)
            _ = try frames(of: media)
        }
        #expect(error?.code == .environment)
        #expect(error?.message == "The disk is broken.")
    }

    @Test func `a file cannot open other files`() throws {
        // FFmpeg's concat and HLS demuxers are never used: the bytes decide the type.
        let script = Array("ffconcat version 1.0\nfile /etc/hostname\n".utf8)
        let error = #expect(throws: MediaError.self) { try opened(MemoryBytes(script)) }
        #expect(error?.code == .unsupported)
    }
}
