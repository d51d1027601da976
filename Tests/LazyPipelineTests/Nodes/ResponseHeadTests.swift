import FoundationEssentials
import LazyBase
import LazyLoading
import LazyMedia
import LazyPipeline
import Support
import Testing

/// The status and the header fields of a response, with its image, for decoders and with errors.
@Suite(.timeLimit(.minutes(1))) struct ResponseHeadTests {
    private static let fields: HTTPHeaders = ["ETag": "\"v1\"", "X-Mood": "calm"]

    private static func loader(_ bytes: [UInt8], pieces: Int = 1) -> ScriptedLoader {
        ScriptedLoader { request in
            .init(
                Given.split(bytes, pieces),
                head: ResponseHead(
                    url: request.url, headers: fields, expectedCount: bytes.count,
                    origin: .network))
        }
    }

    @Test func `an image has the fields of its response, processed and coalesced too`()
        async throws
    {
        let pipeline = Given.pipeline(Self.loader(Given.gif())) {
            $0.imageCache = PlainImageCache()
        }
        let request = ImageRequest(url: Given.url(), processors: [.circle()])
        let tasks = [request, request, ImageRequest(url: Given.url())].map {
            pipeline.imageTask(with: $0)
        }
        for task in tasks {
            let head = try #require(try await task.response.head)
            #expect(head.status == 200)
            #expect(head.headers["etag"] == "\"v1\"")
            #expect(head.headers["x-mood"] == "calm")
        }
        #expect(try await pipeline.response(for: request).head == nil)
    }

    @Test func `previews have them`() async throws {
        let gate = Gate()
        let bytes = Given.gif(frames: 3, width: 90, height: 90)
        let loader = ScriptedLoader { request in
            .init(
                Given.split(bytes, 2),
                head: ResponseHead(
                    url: request.url, headers: Self.fields, expectedCount: bytes.count,
                    origin: .network),
                gate: { if $0 == 1 { await gate.pass() } })
        }
        let pipeline = Given.pipeline(loader) {
            $0.isProgressiveDecodingEnabled = true
            $0.progressiveDecodingInterval = .zero
        }
        let task = pipeline.imageTask(with: Given.url())
        for await preview in task.previews {
            #expect(preview.head?.headers["x-mood"] == "calm")
            break
        }
        gate.open()
        _ = try await task.response
    }

    @Test func `a decoder is chosen by them`() async throws {
        final class Choosing: ImagePipelineDelegate {
            let seen = Locked<[String]>([])
            func imageDecoder(
                for context: DecodingContext, pipeline: ImagePipeline
            ) -> (any MediaDecoding)? {
                seen.withLock {
                    $0.append("\(context.type.name) \(context.head?.headers["X-Mood"] ?? "-")")
                }
                return nil
            }
        }
        let delegate = Choosing()
        let pipeline = Given.pipeline(Self.loader(Given.gif()), delegate: delegate)
        _ = try await pipeline.image(for: Given.url())
        #expect(delegate.seen.withLock { $0 } == ["gif calm"])
    }

    private func failure(
        _ loader: ScriptedLoader, _ processors: [any ImageProcessing] = []
    ) async -> PipelineError? {
        let request = ImageRequest(url: Given.url(), processors: processors)
        do throws(PipelineError) {
            _ = try await Given.pipeline(loader).image(for: request)
            return nil
        } catch {
            return error
        }
    }

    @Test func `errors have them`() async throws {
        struct Never: ImageProcessing {
            let identifier = "test/never"
            func process(_ bitmap: Bitmap) throws -> Bitmap { throw ProcessingError("No.") }
        }
        let unknown = try #require(await failure(Self.loader(Array("hello".utf8))))
        #expect(unknown.name == "decoderNotRegistered")
        #expect(unknown.head?.headers["x-mood"] == "calm")
        let broken = try #require(await failure(Self.loader(Array(Given.gif().prefix(14)))))
        #expect(broken.name == "decodingFailed")
        #expect(broken.head?.headers["etag"] == "\"v1\"")
        let unprocessed = try #require(await failure(Self.loader(Given.gif()), [Never()]))
        #expect(unprocessed.name == "processingFailed")
        #expect(unprocessed.head?.status == 200)
        let refused = ScriptedLoader { request in
            let head = ResponseHead(
                url: request.url, status: 404, headers: Self.fields, origin: .network)
            return .init(failure: LoadingError(.status, "Not there.", status: 404, head: head))
        }
        let missing = try #require(await failure(refused))
        #expect(missing.head?.status == 404)
        #expect(missing.head?.headers["x-mood"] == "calm")
    }
}
