import LazyMedia
import LazyPipeline
import Support
import Testing

@Suite struct ProcessedContainerTests {
    private func container(_ media: ScriptedMedia) async throws -> ImageContainer {
        let frames = FrameSequence(media)
        let poster = try await frames.poster()
        return ImageContainer(frames: frames, image: poster.bitmap, type: .gif, data: Blob([1]))
    }

    @Test func `a processed animation stays an animation`() async throws {
        let media = ScriptedMedia(
            count: 5, size: PixelSize(width: 16, height: 12), loop: .gif(3))
        let result = try await container(media).processed(by: .resize(width: 8))
        #expect(result.isAnimated)
        #expect(result.data == nil)
        #expect(result.frames.info.size == PixelSize(width: 8, height: 6))
        #expect(result.frames.info.loop == .gif(3))
        #expect(result.image.size == PixelSize(width: 8, height: 6))
        var indices: [Int] = []
        for try await frame in result.frames.frames() {
            indices.append(Int(frame.bitmap[0, 0].x))
            #expect(frame.bitmap.size == PixelSize(width: 8, height: 6))
            #expect(frame.timing == media.index.timings[frame.index])
        }
        #expect(indices == [0, 1, 2, 3, 4])
    }

    @Test func `seeking and sizes work with processors`() async throws {
        let media = ScriptedMedia(count: 5, size: PixelSize(width: 16, height: 12))
        let result = try await container(media)
            .processed(by: .circle()).processed(by: .resize(width: 6))
        #expect(result.frames.info.hasAlpha)
        let frame = try await result.frames.frame(3)
        #expect(frame.bitmap.size == PixelSize(width: 6, height: 6))
        #expect(frame.bitmap[3, 3].x == 3)
        #expect(frame.bitmap[0, 0].w < 20)
        let small = try await result.frames.frame(at: .milliseconds(250), size: .init(width: 3))
        #expect(small.index == 2)
        #expect(small.bitmap.size == PixelSize(width: 3, height: 3))
        #expect(try await result.frames.frameIndex().count == 5)
    }

    @Test func `a still is processed once and shared`() async throws {
        let counter = Locked(0)
        let media = ScriptedMedia(count: 1, size: PixelSize(width: 4, height: 4))
        let result = try await container(media).processed(
            by: Counting(counter: { counter.withLock { $0 += 1 } }))
        for _ in 0..<3 {
            let frame = try await result.frames.frame(0)
            #expect(frame.bitmap == result.image)
        }
        #expect(counter.withLock { $0 } == 1)
        #expect(!result.isAnimated)
    }

    @Test func `frames are processed when they are decoded`() async throws {
        let counter = Locked(0)
        let media = ScriptedMedia(count: 100, size: PixelSize(width: 4, height: 4))
        let result = try await container(media).processed(
            by: Counting(counter: { counter.withLock { $0 += 1 } }))
        #expect(counter.withLock { $0 } == 1)
        _ = try await result.frames.frame(50)
        #expect(counter.withLock { $0 } == 2)
    }

    @Test func `an error in the middle carries the processor's error`() async throws {
        let media = ScriptedMedia(count: 3, size: PixelSize(width: 4, height: 4))
        let result = try await container(media).processed(by: Failing(index: 2))
        _ = try await result.frames.frame(1)
        let error = await #expect(throws: MediaError.self) { try await result.frames.frame(2) }
        #expect(error?.code == .processingFailed)
        #expect(error?.underlying is ProcessingError)
    }

    @Test func `a size over the limit of the sequence is rejected`() async throws {
        let media = ScriptedMedia(count: 3, size: PixelSize(width: 4, height: 4))
        let frames = FrameSequence(media, limits: DecodingLimits(pixelsPerFrame: 100))
        let poster = try await frames.poster().bitmap
        let picture = ImageContainer(frames: frames, image: poster)
        #expect(throws: ProcessingError.self) {
            try picture.processed(by: .resize(width: 50, upscale: true))
        }
    }

    @Test func `a bitmap alone makes a container`() async throws {
        let picture = try Picture.chart(7, 5)
        let container = ImageContainer(still: picture, type: .png)
        #expect(!container.isAnimated)
        #expect(container.frames.info.type == .png)
        #expect(try await container.frames.poster().bitmap == picture)
        #expect(try await container.frames.frame(0, size: .init(width: 3)).bitmap.size.width == 3)
        await #expect(throws: MediaError.self) { try await container.frames.frame(1) }
    }
}

private struct Counting: ImageProcessing {
    let counter: @Sendable () -> Void
    let identifier = "counting"
    func outputSize(for size: PixelSize) -> PixelSize { size }
    func process(_ bitmap: Bitmap, context: ProcessingContext) throws(ProcessingError) -> Bitmap {
        counter()
        return bitmap
    }
}

private struct Failing: ImageProcessing {
    let index: Int
    let identifier = "failing"
    func outputSize(for size: PixelSize) -> PixelSize { size }
    func process(_ bitmap: Bitmap, context: ProcessingContext) throws(ProcessingError) -> Bitmap {
        if context.timing?.index == index { throw ProcessingError("No.") }
        return bitmap
    }
}
