import FoundationEssentials
import LazyBase
import LazyLoading
import LazyMedia
import LazyPipeline
import Support
import Testing

/// What an answer tells about itself: which cache, which size, and why there is none.
@Suite(.timeLimit(.minutes(1))) struct AnswerFactsTests {
    @Test(arguments: ImagePipeline.DataCachePolicy.allCases, ["plain", "processed", "thumbnail"])
    func `a response and the summary of its task have the same cache type`(
        policy: ImagePipeline.DataCachePolicy, kind: String
    ) async throws {
        let pipeline = Given.pipeline(Given.loader()) {
            $0.dataCache = PlainDataCache()
            $0.dataCachePolicy = policy
            $0.encoders = [ForgingEncoder()]
        }
        let request = RemovalTests.request(kind)
        for expected in [nil, CacheType.disk] {
            let task = pipeline.imageTask(with: request)
            #expect(try await task.response.cacheType == expected)
            #expect(task.summary?.cacheType == expected)
            await pipeline.flush()
        }
    }

    @Test func `an image processed from one in memory has the memory cache type`() async throws {
        let pipeline = Given.pipeline(Given.loader()) { $0.imageCache = PlainImageCache() }
        _ = try await pipeline.image(for: Given.url())
        let request = ImageRequest(url: Given.url(), processors: [.resize(width: 2)])
        let task = pipeline.imageTask(with: request)
        #expect(try await task.response.cacheType == .memory)
        #expect(task.summary?.cacheType == .memory)
        #expect(pipeline.cache[request] != nil)
    }

    @Test(arguments: ["plain", "processed", "thumbnail", "poster"])
    func `the source size is kept by all processing and caches`(
        kind: String
    ) async throws {
        let loader = ScriptedLoader { _ in .init([Given.gif(frames: 2, width: 16, height: 12)]) }
        let cache = PlainDataCache()
        for _ in 0..<2 {
            let pipeline = Given.pipeline(loader) {
                $0.dataCache = cache
                $0.dataCachePolicy = .automatic
                $0.encoders = [ForgingEncoder()]
            }
            let request = RemovalTests.request(kind)
            let container = try await pipeline.response(for: request).container
            #expect(container.sourceSize == PixelSize(width: 16, height: 12))
            await pipeline.flush()
        }
    }

    struct Refused: Sendable, CustomTestStringConvertible {
        let kind: UnsupportedContent.Kind
        let text: String
        var testDescription: String { "\(kind.rawValue): \(text.prefix(20))" }
    }

    static let refused: [Refused] = [
        .init(kind: .html, text: "\n<!DOCTYPE html><title>Log in</title>"),
        .init(kind: .html, text: "<html><body>Gone</body></html>"),
        .init(kind: .html, text: "<?xml version=\"1.0\"?><html xmlns=\"x\">"),
        .init(kind: .svg, text: "<svg xmlns=\"http://www.w3.org/2000/svg\"/>"),
        .init(kind: .svg, text: "\u{FEFF}<?xml version=\"1.0\"?>\n<!-- a -->\n<svg/>"),
        .init(kind: .xml, text: "<?xml version=\"1.0\"?><Error><Code>AccessDenied</Code></Error>"),
        .init(kind: .json, text: "{\"error\": \"no such picture\"}"),
        .init(kind: .pdf, text: "%PDF-1.7\n"),
        .init(kind: .archive, text: "PK\u{3}\u{4}\u{14}\u{0}"),
        .init(kind: .text, text: "Größe unbekannt — не картинка"),
        .init(kind: .text, text: String(repeating: "ä", count: 700)),
        .init(kind: .binary, text: "\u{0}\u{1}\u{2}"),
    ]

    @Test(arguments: refused)
    func `content that is not an image is named, with its Content-Type`(
        item: Refused
    ) async throws {
        let loader = ScriptedLoader { request in
            let bytes = Array(item.text.utf8)
            let head = ResponseHead(
                url: request.url, headers: ["Content-Type": "image/x-\u{7}\(item.kind)"],
                expectedCount: bytes.count, origin: .network)
            return .init([bytes], head: head)
        }
        let pipeline = Given.pipeline(loader)
        let error = await #expect(throws: PipelineError.self) {
            try await pipeline.image(for: Given.url())
        }
        guard case .decoderNotRegistered(let content)? = error else {
            Issue.record("\(item.kind) failed as \(String(describing: error))")
            return
        }
        #expect(content.kind == item.kind)
        #expect(content.type == .unknown)
        #expect(content.description.hasSuffix("(the server calls it image/x-\(item.kind))."))
    }

    @Test func `a type without a decoder is named`() {
        let content = UnsupportedContent(type: .webpAnimation)
        #expect(content.description == "There is no decoder for webp-animation.")
        #expect(
            PipelineError.decoderNotRegistered(.init(type: .unknown, head: Array("hi".utf8)))
                .description == "It is text, not an image.")
    }

    @Test func `a width and a height resize like a size`() {
        let resize: ImageProcessors.Resize = .resize(width: 30, height: 20)
        #expect(resize == .resize(size: PixelSize(width: 30, height: 20)))
        #expect(
            resize.outputSize(for: PixelSize(width: 120, height: 60))
                == PixelSize(width: 40, height: 20))
        let cut: ImageProcessors.Resize = .resize(width: 30, height: 20, crop: true)
        #expect(
            cut.outputSize(for: PixelSize(width: 120, height: 60))
                == PixelSize(width: 30, height: 20))
    }
}
