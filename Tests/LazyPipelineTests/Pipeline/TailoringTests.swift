import FoundationEssentials
import LazyBase
import LazyLoading
import LazyMedia
import Support
import Testing

@testable import LazyPipeline

/// Parts, sizes and posters of what was loaded, and what becomes of wild wishes.
@Suite(.timeLimit(.minutes(1))) struct TailoringTests {
    private func made(_ change: (inout ImageRequest) -> Void) -> ImageRequest {
        var request = ImageRequest(id: "made") {
            let frames = FrameSequence(ScriptedMedia(count: 10))
            return ImageContainer(frames: frames, image: try await frames.poster().bitmap)
        }
        change(&request)
        return request
    }

    @Test func `an image from a closure is scaled and cut like any other`() async throws {
        let pipeline = Given.pipeline(Given.loader())
        let small = try await pipeline.response(
            for: made { $0.thumbnail = .init(maxPixelSize: 4) })
        #expect(small.image.size == PixelSize(width: 4, height: 3))
        #expect(small.frames.info.size == small.image.size)
        let poster = try await pipeline.response(
            for: made { $0.selection = .poster(.index(7)) })
        #expect(poster.image[0, 0].x == 7)
        #expect(!poster.container.isAnimated)
        let part = try await pipeline.response(
            for: made { $0.selection = .range(.milliseconds(200) ..< .milliseconds(500)) })
        #expect(part.frames.info.frameCount == 3)
        #expect(part.image[0, 0].x == 2)
    }

    @Test func `a range of a still is the still`() async throws {
        let pipeline = Given.pipeline(Given.loader())
        var request = ImageRequest(url: Given.url())
        request.selection = .range(.zero ..< .seconds(1))
        let response = try await pipeline.response(for: request)
        #expect(response.frames.info.frameCount == 1)
    }

    @Test(arguments: FitMode.allCases, [Int.min, -1, 0, 1, 1 << 40, .max])
    func `no target size traps`(fit: FitMode, side: Int) async {
        let pipeline = Given.pipeline(Given.loader())
        for size in [
            TargetSize(width: side, height: side, fit: fit), TargetSize(width: side, fit: fit),
            TargetSize(width: side, height: 1, fit: fit), TargetSize(height: side, fit: fit),
        ] {
            let request = ImageRequest(url: Given.url(), thumbnail: .init(size: size))
            do throws(PipelineError) {
                let picture = try await pipeline.image(for: request)
                #expect(max(picture.size.width, picture.size.height) <= 4)
            } catch {
                #expect(error.name == "decodingFailed")
            }
            let resize = ImageProcessors.Resize(size, upscale: true)
            let scaled = resize.outputSize(for: PixelSize(width: 4, height: 3))
            #expect(scaled.rgbaByteCount > 0)
        }
    }

    @Test func `a deferred poster is not decoded to be cached`() async throws {
        let cache = ImageCache(costLimit: 1 << 20)
        let pipeline = Given.pipeline(Given.loader()) { $0.imageCache = cache }
        let request = ImageRequest(url: Given.url(), options: .skipDecompression)
        let container = try await pipeline.response(for: request).container
        #expect(container.decodedImage == nil)
        #expect(cache[request]?.decodedImage == nil)
        #expect(ImageCache.cost(of: container) >= 4 * 4 * 4 + Given.gif().count)
        #expect(await container.poster.size == PixelSize(width: 4, height: 4))
        #expect(container.decodedImage != nil)
    }

    @Test func `a processed animation costs the bytes it is decoded from`() async throws {
        let bytes = Given.gif(frames: 30, width: 64, height: 64)
        let pipeline = Given.pipeline(ScriptedLoader { _ in .init([bytes]) })
        let request = ImageRequest(url: Given.url(), processors: [.resize(width: 8)])
        let container = try await pipeline.response(for: request).container
        #expect(container.isAnimated && container.data == nil)
        #expect(ImageCache.cost(of: container) >= bytes.count)
    }

    @Test func `an invalidated pipeline answers nothing, not even from memory`() async throws {
        let pipeline = Given.pipeline(Given.loader()) { $0.imageCache = PlainImageCache() }
        _ = try await pipeline.image(for: Given.url())
        _ = try await pipeline.image(for: Given.url())
        await pipeline.shutdown()
        #expect(
            await word { _ = try await pipeline.image(for: Given.url()) } == "pipelineInvalidated")
        #expect(
            await word { _ = try await pipeline.imageTask(with: Given.url()).frames }
                == "pipelineInvalidated")
    }
}
