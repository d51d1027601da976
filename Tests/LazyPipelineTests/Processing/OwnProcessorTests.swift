import FoundationEssentials
import LazyBase
import LazyLoading
import LazyMedia
import LazyPipeline
import Testing

/// Processors and loaders of one's own in their short forms, and how processors compare.
@Suite struct OwnProcessorTests {
    private struct Halved: ImageProcessing {
        let identifier = "test/halved"

        func process(_ bitmap: Bitmap) throws -> Bitmap {
            try bitmap.scaled(
                to: PixelSize(width: bitmap.size.width / 2, height: bitmap.size.height / 2))
        }
    }

    private struct Broken: ImageProcessing {
        struct Fault: Error {}
        let identifier = "test/broken"

        func process(_ bitmap: Bitmap) throws -> Bitmap { throw Fault() }
    }

    private struct Empty: Error {}

    private static func shelf(_ bytes: [UInt8]) -> BlobLoader {
        BlobLoader { _ in
            if bytes.isEmpty { throw Empty() }
            return Blob(bytes)
        }
    }

    @Test func `an identifier and one method make a processor, of stills and animations`()
        async throws
    {
        for frames in [1, 3] {
            let loader = Self.shelf(Given.gif(frames: frames, width: 8, height: 6))
            let request = ImageRequest(url: Given.url(), processors: [Halved()])
            let image = try await Given.pipeline(loader).response(for: request)
            let size = PixelSize(width: 4, height: 3)
            #expect(image.image.size == size)
            #expect(image.frames.info.size == size)
            var count = 0
            for try await frame in image.frames.frames() {
                #expect(frame.bitmap.size == size)
                count += 1
            }
            #expect(count == frames)
        }
    }

    @Test func `an error of any type fails the processing`() async throws {
        let request = ImageRequest(url: Given.url(), processors: [Broken()])
        do {
            _ = try await Given.pipeline(Given.loader()).image(for: request)
            Issue.record("It cannot succeed.")
        } catch {
            guard case .processingFailed("test/broken", let cause) = error else { throw error }
            #expect(cause.underlying is Broken.Fault)
        }
    }

    @Test func `one method makes a loader, with ranges and limits`() async throws {
        let shelf = Self.shelf(Given.gif())
        _ = try await Given.pipeline(shelf).image(for: Given.url())
        var part = LoadRequest(url: Given.url())
        part.range = .bytes(0..<6)
        let response = try await shelf.load(part)
        #expect(response.head.status == 206)
        #expect(try await response.body.collect() == Array("GIF89a".utf8))
        let failure = await #expect(throws: PipelineError.self) {
            try await Given.pipeline(Self.shelf([])).image(for: Given.url())
        }
        guard case .dataLoadingFailed(let error) = failure else { return #expect(Bool(false)) }
        #expect(error.code == .environment)
        #expect(error.underlying is Empty)
        // The other way about: the bytes of any loader.
        #expect(
            try await Given.loader().data(for: LoadRequest(url: Given.url())).bytes() == Given.gif()
        )
    }

    @Test func `equal processors compare equal`() throws {
        func composed() -> ImageProcessors.Composition {
            .init([ImageProcessors.Circle(), ImageProcessors.GaussianBlur(radius: 2)])
        }
        #expect(composed() == composed())
        #expect(composed().hashValue == composed().hashValue)
        #expect(composed() != ImageProcessors.Composition([ImageProcessors.Circle()]))
        func anonymous(_ id: String) -> ImageProcessors.Anonymous {
            .init(id: id) { image, _ in image }
        }
        #expect(anonymous("a") == anonymous("a"))
        #expect(anonymous("a") != anonymous("b"))
        let mark = try Picture.plain(2, 2, [1, 2, 3, 255])
        let other = try Picture.plain(2, 2, [1, 2, 4, 255])
        func overlay(_ picture: Bitmap, x: Int = 1) -> ImageProcessors.Overlay {
            .init(picture, x: x, y: 0)
        }
        #expect(overlay(mark) == overlay(mark))
        #expect(overlay(mark) != overlay(other))
        #expect(overlay(mark) != overlay(mark, x: 2))
        #expect(Set([overlay(mark), overlay(mark)]).count == 1)
    }
}
