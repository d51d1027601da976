import LazyMedia
import Support
import Testing

@testable import LazyVideo

@Suite(.needs("ffmpeg", "ffprobe")) struct WrittenAlphaTests {
    static let size = PixelSize(width: 128, height: 96)

    @Test func `VP9 keeps transparency`() async throws {
        let pictures = try movingPictures(6, Self.size, isOpaque: false)
        let clip = try await WrittenClip(
            .webm, pictures, micros: Array(repeating: 50_000, count: 6), hasAlpha: true,
            .init(quality: 90))
        let rows = clip.pixels("rgba", decoder: "-c:v libvpx-vp9")
        try #require(rows.count == Self.size.rgbaByteCount * 6)
        for y in stride(from: 0, to: Self.size.height, by: 7) {
            for x in stride(from: 0, to: Self.size.width, by: 5) {
                let alpha = Int(rows[(y * Self.size.width + x) * 4 + 3])
                #expect(abs(alpha - Int(pictures[0][x, y].w)) <= 8, "at \(x),\(y)")
            }
        }
        let frames = try clip.readBack()
        #expect(frames.count == 6)
        #expect(frames.allSatisfy { !$0.bitmap.isOpaque })
        #expect(abs(Int(frames[5].bitmap[64, 48].w) - 128) <= 8)
        #expect(frames.last?.timing.duration.microseconds == 50_000)
    }

    @Test(arguments: [(MediaType.mp4, VideoCodecChoice.h264), (.webm, .av1)])
    func `transparency is composited over the background`(
        type: MediaType, codec: VideoCodecChoice
    ) async throws {
        let clear = try Bitmap(size: Self.size, isOpaque: false) { (rows) throws(MediaError) in
            for place in rows.indices { rows[place] = 0 }
        }
        let white = try await WrittenClip(
            type, [clear], micros: [100_000], hasAlpha: true, .init(codec: codec))
        let green = try await WrittenClip(
            type, [clear], micros: [100_000], hasAlpha: true,
            .init(background: PixelColor(0x20C040), codec: codec))
        for (clip, wanted) in [(white, (255, 255, 255)), (green, (0x20, 0xC0, 0x40))] {
            let pixel = try clip.readBack()[0].bitmap[60, 40]
            #expect(abs(Int(pixel.x) - wanted.0) <= 4)
            #expect(abs(Int(pixel.y) - wanted.1) <= 4)
            #expect(abs(Int(pixel.z) - wanted.2) <= 4)
        }
    }

    @Test func `lossless VP9 preserves the pixels`() async throws {
        let pictures = try movingPictures(4, Self.size)
        let clip = try await WrittenClip(
            .webm, pictures, micros: Array(repeating: 50_000, count: 4), .init(lossless: true))
        let frames = try clip.readBack()
        #expect(frames.map(\.bitmap) == pictures)
    }

    /// Options, and the error for them.
    @Test(arguments: [
        (MediaType.mp4, EncodingOptions(codec: .vp9)), (.webm, EncodingOptions(codec: .h264)),
        (.mp4, EncodingOptions(lossless: true)),
        (.webm, EncodingOptions(lossless: true, codec: .av1)),
    ]) func `options that a container cannot store are rejected`(
        type: MediaType, options: EncodingOptions
    ) throws {
        let registry = FormatRegistry(MediaFormat.video).encoders
        let error = #expect(throws: MediaError.self) { try registry.encoder(for: type, options) }
        #expect(error?.code == .notWritable)
        #expect(error?.message.hasSuffix(".") == true)
    }

    @Test(arguments: [MediaType.mp4, .webm]) func `a frame of another size ends encoding`(
        type: MediaType
    ) async throws {
        let pictures = try movingPictures(1, Self.size) + movingPictures(1, Self.size.transposed)
        do {
            _ = try await WrittenClip(type, pictures, micros: [40_000, 40_000])
            Issue.record("It went through.")
        } catch {
            #expect(error.code == .notWritable)
            #expect(error.message.contains("96x128"))
        }
    }

    @Test func `cancelled encoding ends and releases everything`() async throws {
        let pictures = try movingPictures(40, Self.size)
        let task = Task {
            try await WrittenClip(.mp4, pictures, micros: Array(repeating: 40_000, count: 40))
        }
        task.cancel()
        switch await task.result {
        case .success: Issue.record("It went through.")
        case .failure(let error): #expect((error as? MediaError)?.code == .cancelled)
        }
    }

    @Test func `a failed write ends encoding`() async throws {
        let pictures = try movingPictures(3, Self.size)
        let media = ListedMedia(
            pictures.enumerated().map { number, picture in
                Frame(
                    bitmap: picture,
                    timing: FrameTiming(
                        index: number,
                        presentation: MediaTime(microseconds: Int64(number) * 40_000),
                        duration: MediaTime(microseconds: 40_000), isKeyframe: true))
            })
        let sequence = FrameSequence(media)
        do throws(MediaError) {
            try await ClipEncoder(.mp4).encode(
                sequence.frames(), info: sequence.info, loop: .video
            ) { (_) throws(MediaError) in throw MediaError(.environment, "The disk is full.") }
            Issue.record("It went through.")
        } catch {
            #expect(error.message == "The disk is full.")
        }
    }

    @Test func `installed encoders are listed`() {
        let encoders = FFmpegLibrary.installed().flatMap(\.codecs).compactMap(\.encodes)
        #expect(encoders == ["h264", "vp9", "av1", "av1"])
    }
}
