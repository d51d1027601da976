import LazyBase
import LazyLoading
import LazyMedia
import LazyPipeline
import Logging
import Support
import Testing

/// Pictures before the end of the download.
@Suite(.timeLimit(.minutes(1))) struct PreviewTests {
    private func loader(_ gate: Gate) -> ScriptedLoader {
        let bytes = Given.gif(frames: 4, width: 40, height: 40)
        let pieces = [
            Array(bytes[..<(bytes.count * 3 / 5)]), Array(bytes[(bytes.count * 3 / 5)...]),
        ]
        return ScriptedLoader { _ in
            .init(pieces, gate: { index in if index == 1 { await gate.pass() } })
        }
    }

    @Test func `a preview is processed and replayed to late listeners`()
        async throws
    {
        let gate = Gate()
        let cache = PlainImageCache()
        let pipeline = Given.pipeline(loader(gate)) {
            $0.isProgressiveDecodingEnabled = true
            $0.imageCache = cache
        }
        let processor = CountingProcessor(identifier: "one")
        let request = ImageRequest(url: Given.url(), processors: [processor])
        let task = pipeline.imageTask(with: request)
        var first: ImageResponse?
        for await preview in task.previews {
            first = preview
            break
        }
        #expect(first?.isPreview == true)
        #expect(first?.image.size == PixelSize(width: 40, height: 40))
        #expect(processor.count.value > 0)
        let late = pipeline.imageTask(with: request)
        var events = late.events.makeAsyncIterator()
        var hasPreview = false
        while !hasPreview, let event = await events.next() {
            if case .preview = event { hasPreview = true }
        }
        #expect(hasPreview)
        gate.open()
        for each in [task, late] { #expect(try await !each.response.isPreview) }
        #expect(pipeline.cache[request]?.isPreview == false)
    }

    @Test func `previews follow each other as bytes arrive`() async throws {
        let bytes = Given.gif(frames: 10, width: 40, height: 40)
        let gates = [Gate(), Gate()]
        let cuts = [0, bytes.count * 2 / 5, bytes.count * 4 / 5, bytes.count]
        let pieces = zip(cuts, cuts.dropFirst()).map { Array(bytes[$0..<$1]) }
        let loader = ScriptedLoader { _ in
            .init(pieces, gate: { index in if index > 0 { await gates[index - 1].pass() } })
        }
        let pipeline = Given.pipeline(loader) {
            $0.isProgressiveDecodingEnabled = true
            $0.progressiveDecodingInterval = .zero
        }
        let task = pipeline.imageTask(with: ImageRequest(url: Given.url()))
        var counts: [Int] = []
        for await preview in task.previews {
            counts.append(preview.frames.info.frameCount ?? 0)
            if counts.count <= gates.count { gates[counts.count - 1].open() }
        }
        #expect(counts.count >= 2)
        #expect(counts == counts.sorted())
        #expect(try await task.response.frames.info.frameCount == 10)
    }

    @Test func `a request can ask for previews if the pipeline makes none`() async throws {
        let gate = Gate()
        let pipeline = Given.pipeline(loader(gate))
        let plain = pipeline.imageTask(with: ImageRequest(url: Given.url()))
        let eager = pipeline.imageTask(
            with: ImageRequest(
                url: Given.url(), processors: [.resize(width: 20)], options: .progressive))
        for await preview in eager.previews {
            #expect(preview.isPreview && preview.image.size.width == 20)
            break
        }
        gate.open()
        var words: [String] = []
        for await event in plain.events {
            if case .preview = event { words.append("preview") }
        }
        #expect(try await !eager.response.isPreview)
        #expect(words.isEmpty)
    }

    @Test func `tasks with and without previews share the decoding`() async throws {
        let gate = Gate()
        let decodes = Counter()
        let pipeline = Given.pipeline(loader(gate), delegate: CountingDelegate(decodes))
        let processor = CountingProcessor(identifier: "one")
        var request = ImageRequest(url: Given.url(), processors: [processor])
        let plain = pipeline.imageTask(with: request)
        // The download stands still, and a later caller sees what there is of it.
        await gate.waitForArrivals(1)
        request.options = .progressive
        let eager = pipeline.imageTask(with: request)
        for await preview in eager.previews {
            #expect(preview.isPreview)
            break
        }
        var previews = 0
        gate.open()
        for await event in plain.events { if case .preview = event { previews += 1 } }
        #expect(previews == 0)
        #expect(try await !eager.response.isPreview)
        #expect(decodes.value == 1)
        #expect(eager.summary?.isCoalesced == true)
    }

    @Test func `the delegate can forbid previews and receives all events`() async throws {
        let gate = Gate()
        gate.open()
        let delegate = ListeningDelegate()
        let pipeline = Given.pipeline(loader(gate), delegate: delegate) {
            $0.isProgressiveDecodingEnabled = true
            $0.logger = Logger(label: "test") { _ in LineHandler(lines: delegate.lines) }
        }
        _ = try await pipeline.image(for: Given.url("secret?token=1"))
        // Who waits for the image may go on before the delegate is told of the end.
        while !delegate.words.contains("summary") { await Task.yield() }
        #expect(delegate.words.contains("created") && delegate.words.contains("started"))
        #expect(delegate.words.contains("progress") && !delegate.words.contains("preview"))
        #expect(delegate.words.suffix(2) == ["finished", "summary"])
        #expect(delegate.lines.withLock { $0.count } == 1)
    }
}

final class ListeningDelegate: ImagePipelineDelegate {
    private let told = Locked<[String]>([])
    let lines = SharedLines()

    var words: [String] { told.withLock { $0 } }

    private func tell(_ word: String) { told.withLock { $0.append(word) } }

    func previewPolicy(
        for type: MediaType, prefix: Blob, request: ImageRequest, pipeline: ImagePipeline
    ) -> PreviewPolicy? { .disabled }

    func cacheKey(for request: ImageRequest, pipeline: ImagePipeline) -> String? { "secret" }

    func willLoadData(
        _ loadRequest: LoadRequest, for request: ImageRequest, pipeline: ImagePipeline
    ) async throws -> LoadRequest {
        tell("will load \(request.imageID)")
        return loadRequest
    }

    func imageTaskCreated(_ task: ImageTask, pipeline: ImagePipeline) { tell("created") }

    func imageTaskDidStart(_ task: ImageTask, pipeline: ImagePipeline) { tell("started") }

    func imageTask(
        _ task: ImageTask, didReceive event: ImageTask.Event, pipeline: ImagePipeline
    ) {
        switch event {
        case .progress: tell("progress")
        case .preview: tell("preview")
        case .finished: tell("finished")
        }
    }

    func imageTask(
        _ task: ImageTask, didFinish summary: TaskSummary, pipeline: ImagePipeline
    ) { tell("summary") }
}

/// Lines that a log handler writes down.
final class SharedLines: Sendable {
    private let lines = Locked<[String]>([])
    func withLock<Value: Sendable>(_ body: (inout [String]) -> Value) -> Value {
        lines.withLock { body(&$0) }
    }
}

struct LineHandler: LogHandler {
    let lines: SharedLines
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.debug

    init(lines: SharedLines) { self.lines = lines }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { lines.withLock { $0.append("\(event.message)") } }
}
