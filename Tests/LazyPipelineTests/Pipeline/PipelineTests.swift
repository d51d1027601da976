import FoundationEssentials
import LazyBase
import LazyLoading
import LazyMedia
import LazyPipeline
import Support
import Testing

/// What a load can be told, and how it can fail.
@Suite struct PipelineTests {
    @Test func `a URL is loaded to frames and a poster`() async throws {
        let loader = ScriptedLoader { _ in .init(Given.split(Given.gif(frames: 3), 4)) }
        let pipeline = Given.pipeline(loader)
        let response = try await pipeline.response(for: ImageRequest(url: Given.url()))
        #expect(response.image[0, 0] == SIMD4(255, 0, 0, 255))
        #expect(response.container.type == .gif)
        #expect(response.container.isAnimated)
        #expect(response.cacheType == nil)
        var count = 0
        for try await _ in response.frames.frames() { count += 1 }
        #expect(count == 3)
    }

    struct Failure: Sendable, CustomTestStringConvertible {
        let name: String
        let answer: ScriptedLoader.Answer
        let word: String
        var testDescription: String { name }
    }

    static let failures: [Failure] = [
        Failure(
            name: "no connection",
            answer: .init(failure: LoadingError(.connect, "Nobody is there.")),
            word: "dataLoadingFailed"),
        Failure(name: "no bytes", answer: .init([]), word: "dataIsEmpty"),
        Failure(
            name: "cut", answer: .init([[1]], bodyFailure: LoadingError(.truncated, "Cut.")),
            word: "dataLoadingFailed"),
        Failure(
            name: "not stored", answer: .init(failure: LoadingError(.notCached, "Offline.")),
            word: "dataMissingInCache"),
        Failure(
            name: "no media", answer: .init([Array("hello, this is text".utf8)]),
            word: "decoderNotRegistered"),
        Failure(
            name: "a broken GIF", answer: .init([Array("GIF89a".utf8) + [1, 0]]),
            word: "decodingFailed"),
        Failure(
            name: "too many bytes", answer: .init([[UInt8](repeating: 1, count: 200_000)]),
            word: "dataDownloadExceededMaximumSize"),
        Failure(
            name: "too large by the loader's count",
            answer: .init(failure: LoadingError(.tooLarge, "Too large.")),
            word: "dataDownloadExceededMaximumSize"),
    ]

    @Test(arguments: failures)
    func `each failure has its error`(failure: Failure) async {
        let pipeline = Given.pipeline(ScriptedLoader { _ in failure.answer }) {
            $0.maximumResponseDataSize = 100_000
        }
        let error = await #expect(throws: PipelineError.self) {
            try await pipeline.image(for: Given.url())
        }
        #expect(error?.name == failure.word)
        #expect(error?.description.isEmpty == false)
    }

    @Test func `a request without a URL fails, and so does a closure that throws`() async {
        let pipeline = Given.pipeline(Given.loader())
        var errors: [String?] = []
        errors.append(await word { _ = try await pipeline.image(for: ImageRequest(url: nil)) })
        errors.append(await word { _ = try await pipeline.data(for: ImageRequest(url: nil)) })
        let broken = ImageRequest(id: "x", data: { throw CancellationError() })
        errors.append(await word { _ = try await pipeline.image(for: broken) })
        let foreign = ImageRequest(id: "y", image: { throw SystemError(code: 2) })
        errors.append(await word { _ = try await pipeline.image(for: foreign) })
        let bad = ImageRequest(
            url: Given.url(), processors: [BusyProcessor(identifier: "bad", count: Counter())])
        errors.append(await word { _ = try await pipeline.image(for: bad) })
        #expect(
            errors == [
                "requestMissing", "requestMissing", "cancelled", "sourceFailed",
                "processingFailed",
            ])
    }

    @Test func `bytes and images can come from closures`() async throws {
        let loader = Given.loader()
        let pipeline = Given.pipeline(loader)
        let bytes = ImageRequest(id: "bytes", data: { Blob(Given.gif(color: 0x0000FF)) })
        let container = try await pipeline.response(for: bytes).container
        let picture = ImageRequest(id: "picture", image: { container })
        #expect(try await pipeline.image(for: picture)[0, 0] == SIMD4(0, 0, 255, 255))
        #expect(loader.requests.isEmpty)
    }

    @Test(arguments: [true, false])
    func `data URLs are read outside the queue of loads`(isLocalSupported: Bool) async {
        let gate = Gate()
        let loader = Given.loader { _ in await gate.pass() }
        let pipeline = Given.pipeline(loader) {
            $0.dataLoadingLimit = 1
            $0.isLocalResourcesSupportEnabled = isLocalSupported
        }
        let other = pipeline.imageTask(with: Given.url())
        await gate.waitForArrivals(1)
        let text = "data:image/gif;base64,R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs="
        let local = pipeline.imageTask(with: ImageRequest(string: text))
        if isLocalSupported {
            let image = try? await local.image
            #expect(image?.size == PixelSize(width: 1, height: 1))
            #expect(other.result == nil)
        }
        gate.open()
        _ = try? await other.image
        if !isLocalSupported {
            _ = try? await local.image
            #expect(loader.requests.count == 2)
        }
    }

    @Test func `a thumbnail, a poster and a range share one download`()
        async throws
    {
        let gate = Gate()
        let loader = ScriptedLoader { _ in
            .init([Given.gif(frames: 5, width: 8, height: 4)], gate: { _ in await gate.pass() })
        }
        let pipeline = Given.pipeline(loader)
        var requests = (0..<4).map { _ in ImageRequest(url: Given.url()) }
        requests[0].thumbnail = .init(size: TargetSize(width: 2, height: 2, fit: .cover))
        requests[1].thumbnail = .init(maxPixelSize: 4)
        requests[2].selection = .poster(.index(1))
        requests[3].selection = .range(.milliseconds(150)..<(.milliseconds(350)))
        let tasks = requests.map { pipeline.imageTask(with: $0) }
        gate.open()
        var images: [ImageResponse] = []
        for task in tasks { images.append(try await task.response) }
        #expect(loader.requests.count == 1)
        #expect(images[0].image.size == PixelSize(width: 2, height: 2))
        #expect(images[0].frames.info.frameCount == 5)
        #expect(images[1].image.size == PixelSize(width: 4, height: 2))
        #expect(!images[2].container.isAnimated)
        #expect(images[2].image[0, 0] == SIMD4(0, 255, 0, 255))
        let part = try await images[3].frames.frameIndex()
        #expect(part.timings.map(\.presentation.microseconds) == [0, 50_000, 150_000])
        var seen: [SIMD4<UInt8>] = []
        for try await frame in images[3].frames.frames() { seen.append(frame.bitmap[0, 0]) }
        #expect(
            seen == [1, 2, 3].map { $0 % 2 == 0 ? SIMD4(255, 0, 0, 255) : SIMD4(0, 255, 0, 255) })
    }

    @Test func `options and policies reach the loader`() async throws {
        let loader = Given.loader()
        let pipeline = Given.pipeline(loader) { $0.isResumableDataEnabled = false }
        let options: [ImageRequest.Options] = [[], .reloadIgnoringCachedData]
        for option in options {
            _ = try await pipeline.image(for: ImageRequest(url: Given.url(), options: option))
        }
        #expect(loader.requests.map(\.policy) == [.normal, .reload])
        #expect(loader.requests.allSatisfy { !$0.isResumable })
        #expect(loader.requests.allSatisfy { $0.maximumBytes == 200_000_000 })
    }

    @Test func `an image can be stored as a data URL and loaded from it`() async throws {
        let pipeline = Given.pipeline(Given.loader())
        let container = try await pipeline.response(for: ImageRequest(url: Given.url())).container
        let address = try #require(container.dataURL)
        #expect(address.hasPrefix("data:image/gif;base64,R0lGOD"))
        let again = try await pipeline.image(for: ImageRequest(string: address))
        #expect(again == container.image)
    }

    @Test func `a constrained network loads the low-data URL and does not cache it`()
        async throws
    {
        let loader = ScriptedLoader { request in
            request.isConstrainedNetworkAllowed
                ? .init([Given.gif(color: 0x0000FF)])
                : .init(failure: LoadingError(.constrained, "Low data."))
        }
        let cache = PlainImageCache()
        let pipeline = Given.pipeline(loader) { $0.imageCache = cache }
        var request = ImageRequest(url: Given.url("large"))
        request.lowDataURL = Given.url("small")
        #expect(try await pipeline.image(for: request)[0, 0] == SIMD4(0, 0, 255, 255))
        #expect(loader.requests.map { $0.url.lastPathComponent } == ["large", "small"])
        #expect(cache.count == 0)
    }

    @Test func `a skipped poster is decoded at the first access`() async throws {
        let pipeline = Given.pipeline(Given.loader())
        let request = ImageRequest(url: Given.url(), options: .skipDecompression)
        let container = try await pipeline.response(for: request).container
        #expect(container.decodedImage == nil)
        #expect(container.image[0, 0] == SIMD4(255, 0, 0, 255))
        #expect(container.decodedImage != nil)
    }

    @Test func `an invalidated pipeline fails present and later tasks`() async {
        let gate = Gate()
        let loader = Given.loader { _ in await gate.pass() }
        let pipeline = Given.pipeline(loader)
        let early = pipeline.imageTask(with: Given.url())
        pipeline.invalidate()
        let late = pipeline.imageTask(with: Given.url("b"))
        gate.open()
        for task in [early, late] {
            #expect(await word { _ = try await task.image } == "pipelineInvalidated")
        }
    }
}

/// The word of the pipeline's error that something throws.
func word(_ body: () async throws -> Void) async -> String? {
    do {
        try await body()
        return nil
    } catch {
        return (error as? PipelineError)?.name ?? "\(error)"
    }
}
