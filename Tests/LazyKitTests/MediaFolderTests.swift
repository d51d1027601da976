import LazyKit
import LazyMedia
import Support
import Testing

/// Every clip of `media/`, through the same door.
@Suite struct MediaFolderTests {
    /// Name, type, size, frames, number of the first frame.
    static let clips:
        [(name: String, type: MediaType, width: Int, height: Int, numbers: Range<Int>)] =
            [
                ("clip.mp4", .mp4, 640, 360, 0..<125), ("small.mp4", .mp4, 160, 96, 0..<24),
                ("moov-last.mp4", .mp4, 160, 96, 0..<24), ("fragmented.mp4", .mp4, 160, 96, 0..<24),
                ("h264.mkv", .matroska, 160, 96, 0..<24), ("h264.mov", .mov, 160, 96, 0..<24),
                ("h264.ts", .mpegTS, 160, 96, 0..<24), ("h264.flv", .flv, 160, 96, 0..<24),
                ("edit-list.mp4", .mp4, 160, 96, 6..<24), ("rotated-90.mp4", .mp4, 160, 96, 0..<24),
                ("rotated-180.mp4", .mp4, 160, 96, 0..<24),
                ("rotated-270.mp4", .mp4, 160, 96, 0..<24),
                ("mirrored.mp4", .mp4, 160, 96, 0..<24), ("vfr.mp4", .mp4, 160, 96, 0..<24),
                ("vfr.mkv", .matroska, 160, 96, 0..<24),
                ("wide-pixels.mp4", .mp4, 320, 192, 0..<12),
                ("odd.mp4", .mp4, 161, 91, 0..<12), ("odd.webm", .webm, 161, 91, 0..<12),
                ("interlaced.mp4", .mp4, 160, 96, 0..<12),
                ("cover-art.mp4", .mp4, 160, 96, 0..<24), ("h264-422.mp4", .mp4, 160, 96, 0..<24),
                ("h264-444.mp4", .mp4, 160, 96, 0..<24),
                ("h264-full-range.mp4", .mp4, 160, 96, 0..<24),
                ("hevc.mp4", .mp4, 160, 96, 0..<24), ("hevc-10bit.mp4", .mp4, 160, 96, 0..<24),
                ("av1.mp4", .mp4, 160, 96, 0..<24), ("vp8.webm", .webm, 160, 96, 0..<24),
                ("av1-layers.mp4", .mp4, 160, 96, 0..<72),
                ("vp9.webm", .webm, 160, 96, 0..<24), ("vp9-10bit.webm", .webm, 160, 96, 0..<24),
                ("hdr10.mp4", .mp4, 160, 96, 0..<12), ("hdr10.webm", .webm, 160, 96, 0..<12),
                ("dolby-vision.mp4", .mp4, 160, 96, 0..<12),
                ("mpeg4.avi", .avi, 160, 96, 0..<24), ("mjpeg.avi", .avi, 160, 96, 0..<24),
                ("sound.mp4", .mp4, 160, 96, 0..<24), ("sound.webm", .webm, 160, 96, 0..<24),
                ("theora.ogv", .ogg, 160, 96, 0..<24), ("prores.mov", .mov, 96, 64, 0..<6),
                ("vp8-alpha.webm", .webm, 160, 96, 0..<24),
                ("vp9-alpha.webm", .webm, 160, 96, 0..<24),
                ("counter.gif", .gif, 160, 96, 0..<30), ("animation.png", .apng, 96, 64, 0..<6),
                ("animation.avif", .avifSequence, 96, 64, 0..<6),
                ("animation.jxl", .jpegXLAnimation, 96, 64, 0..<6),
                ("animation.webp", .webpAnimation, 96, 64, 0..<6),
                ("still.jpg", .jpeg, 160, 96, 7..<8),
                ("still-progressive.jpg", .jpeg, 160, 96, 7..<8),
                ("still.bmp", .bmp, 160, 96, 7..<8), ("still.ico", .ico, 160, 96, 7..<8),
                ("still.tiff", .tiff, 160, 96, 7..<8), ("still.webp", .webp, 160, 96, 7..<8),
                ("still.qoi", .qoi, 160, 96, 7..<8), ("still.pgm", .pnm, 160, 96, 7..<8),
                ("still-lossless.webp", .webp, 160, 96, 7..<8),
                ("still.avif", .avif, 160, 96, 7..<8), ("still.jxl", .jpegXL, 160, 96, 7..<8),
                ("still.heic", .heic, 160, 96, 7..<8), ("photo.heic", .heic, 160, 96, 7..<8),
                ("still-orientation-6.jpg", .jpeg, 160, 96, 7..<8),
            ]

    @Test(arguments: clips) func `every frame comes out once, upright and in order`(
        clip: (name: String, type: MediaType, width: Int, height: Int, numbers: Range<Int>)
    ) async throws {
        let sequence = try FrameSequence(path: Media.path(clip.name))
        #expect(sequence.info.type == clip.type)
        #expect(sequence.info.size == PixelSize(width: clip.width, height: clip.height))
        var numbers: [Int?] = []
        var timings: [FrameTiming] = []
        for try await frame in sequence.frames() {
            #expect(frame.bitmap.size == sequence.info.size)
            numbers.append(frame.bitmap.barcode)
            timings.append(frame.timing)
        }
        #expect(numbers == Array(clip.numbers))
        #expect(try await sequence.frameIndex().timings == timings)
        // The muxer has moved all by the samples of Opus that are not heard.
        let start = clip.name == "sound.webm" ? 7000 : 0
        #expect(timings.first?.presentation.microseconds == Int64(start))
        #expect(timings.map(\.index) == Array(0..<clip.numbers.count))
    }

    @Test(arguments: clips) func `random access is exact`(
        clip: (name: String, type: MediaType, width: Int, height: Int, numbers: Range<Int>)
    ) async throws {
        let sequence = try FrameSequence(path: Media.path(clip.name))
        var frames: [Frame] = []
        for try await frame in sequence.frames() { frames.append(frame) }
        let count = frames.count
        for index in [count - 1, 0, count / 2, count / 3, count / 3 + 1, 7, 1, count - 2]
        where frames.indices.contains(index) {
            let byIndex = try await sequence.frame(index)
            #expect(byIndex.timing == frames[index].timing)
            #expect(byIndex.bitmap == frames[index].bitmap, "frame \(index)")
            let middle = frames[index].presentationTime + frames[index].duration / 2
            let byTime = try await sequence.frame(at: middle)
            #expect(byTime.timing == frames[index].timing)
            #expect(byTime.bitmap == frames[index].bitmap, "frame \(index) by time")
        }
    }

    @Test(arguments: clips) func `a thumbnail is decoded at its size`(
        clip: (name: String, type: MediaType, width: Int, height: Int, numbers: Range<Int>)
    ) async throws {
        let sequence = try FrameSequence(path: Media.path(clip.name))
        let poster = try await sequence.poster(size: TargetSize(width: 80))
        let height = TargetSize(width: 80).scaledSize(of: sequence.info.size).height
        #expect(poster.bitmap.size == PixelSize(width: 80, height: height))
        #expect(poster.bitmap.barcode == clip.numbers.lowerBound)
    }

    @Test(arguments: ["black-first.mp4", "black-first.gif"])
    func `a black beginning does not give a black poster`(name: String) async throws {
        let sequence = try FrameSequence(path: Media.path(name))
        #expect(try await sequence.poster().bitmap.barcode == nil)
        #expect(try await sequence.poster(.auto).bitmap.barcode != nil)
    }

    @Test func `variable frame times are kept exactly`() async throws {
        for name in ["vfr.mp4", "vfr.mkv"] {
            let index = try await FrameSequence(path: Media.path(name)).frameIndex()
            let times = index.timings.map { $0.presentation.microseconds }
            let wanted = (0..<24).map { (number: Int64) in
                (40 * number + 3 * number * number) * 1000
            }
            #expect(times == wanted, "\(name)")
            for (timing, next) in zip(index.timings, index.timings.dropFirst()) {
                #expect(
                    timing.duration.microseconds
                        == next.presentation.microseconds - timing.presentation.microseconds)
            }
        }
    }

    @Test func `encrypted media is refused with that word`() {
        let error = #expect(throws: MediaError.self) {
            let sequence = try FrameSequence(path: Media.path("encrypted.mp4"))
            _ = try sequence.makeReader(ReaderOptions()).nextFrame()
        }
        #expect(error?.code == .encrypted)
        #expect(error?.message.contains("encrypted") == true)
    }

    @Test func `cover art is the embedded poster and never the video`() async throws {
        let sequence = try FrameSequence(path: Media.path("cover-art.mp4"))
        let poster = try await sequence.poster(.embedded)
        #expect(poster.bitmap.barcode == 4000)
        #expect(poster.timing == nil)
        // 64 x 48 in a video of 160 x 96: the picture keeps its own shape.
        let small = try await sequence.poster(.embedded, size: TargetSize(width: 48))
        #expect(small.bitmap.size == PixelSize(width: 48, height: 36))
        #expect(small.bitmap.barcode == 4000)
    }

    @Test func `sound with cover art has a poster and no frames`() async throws {
        let sequence = try FrameSequence(path: Media.path("cover-art.m4a"))
        #expect(try await sequence.poster(.embedded).bitmap.barcode == 4000)
        #expect(try await sequence.poster().bitmap.barcode == 4000)
        let error = await #expect(throws: MediaError.self) { try await sequence.frame(0) }
        #expect(error?.code == .coverOnly)
        #expect(sequence.info.frameCount == 0)
    }

    @Test(arguments: [
        ("hdr10.mp4", "HDR10", ContentLight(maximum: 4000, maximumAverage: 300), 1000.0),
        ("hdr10.webm", "HDR10", ContentLight(maximum: 4000, maximumAverage: 300), 1000.0),
        ("dolby-vision.mp4", "Dolby Vision 8.4", nil, nil),
    ])
    func `what a container says of HDR is seen`(
        name: String, format: String, light: ContentLight?, display: Double?
    ) throws {
        let info = try FrameSequence(path: Media.path(name)).info
        #expect(info.hdrFormat == format)
        #expect(info.color.contentLight == light)
        #expect(info.color.masteringDisplay?.maximumLuminance == display)
    }

    @Test(arguments: ["vp8-alpha.webm", "vp9-alpha.webm"])
    func `the alpha of WebM is kept`(name: String) async throws {
        let sequence = try FrameSequence(path: Media.path(name))
        #expect(sequence.info.hasAlpha)
        let bitmap = try await sequence.frame(5).bitmap
        for (column, alpha) in [255, 170, 85, 0].enumerated() {
            let found = Int(bitmap[20 + 40 * column, 70].w)
            #expect(abs(found - alpha) <= 8, "column \(column): \(found)")
        }
    }
}
