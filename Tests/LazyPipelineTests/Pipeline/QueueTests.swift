import LazyBase
import LazyMedia
import LazyPipeline
import Support
import Testing

/// Limits and suspension of the queues while there is work in them.
@Suite(.timeLimit(.minutes(1))) struct QueueTests {
    private let gate = Gate()

    private func pipeline(limit: Int) -> (ImagePipeline, ScriptedLoader) {
        let gate = gate
        let loader = ScriptedLoader { _ in
            .init([Given.gif()], gate: { if $0 < 0 { await gate.pass() } })
        }
        return (Given.pipeline(loader) { $0.dataLoadingLimit = limit }, loader)
    }

    private func requests(_ count: Int) -> [ImageRequest] {
        (0..<count).map { ImageRequest(url: Given.url("\($0).gif")) }
    }

    @Test func `a higher limit lets more loads begin at once`() async throws {
        let (pipeline, loader) = pipeline(limit: 1)
        #expect(pipeline.queue(.loading).limit == 1)
        let tasks = requests(5).map { pipeline.imageTask(with: $0) }
        await gate.waitForArrivals(1)
        pipeline.queue(.loading).limit = 4
        await gate.waitForArrivals(4)
        #expect(pipeline.queue(.loading).runningCount == 4)
        gate.open()
        for task in tasks { _ = try await task.response }
        #expect(loader.maxLive <= 4)
    }

    @Test func `a lower limit interrupts nothing`() async throws {
        let (pipeline, loader) = pipeline(limit: 4)
        let tasks = requests(9).map { pipeline.imageTask(with: $0) }
        await gate.waitForArrivals(4)
        pipeline.queue(.loading).limit = 0
        #expect(pipeline.queue(.loading).limit == 1)
        gate.open()
        for task in tasks { _ = try await task.response }
        #expect(loader.requests.count == 9)
    }

    @Test func `a suspended queue holds back what waits, and nothing else`() async throws {
        let (pipeline, loader) = pipeline(limit: 2)
        let first = pipeline.imageTask(with: requests(1)[0])
        await gate.waitForArrivals(1)
        pipeline.queue(.loading).isSuspended = true
        gate.open()
        _ = try await first.response
        let waiting = requests(4).dropFirst().map { pipeline.imageTask(with: $0) }
        var urgent = ImageRequest(url: Given.url("urgent.gif"))
        urgent.options = .skipDataLoadingQueue
        _ = try await pipeline.image(for: urgent)
        while pipeline.queue(.loading).waitingCount < 3 { await Task.yield() }
        #expect(loader.requests.count == 2)
        waiting[0].cancel()
        pipeline.queue(.loading).isSuspended = false
        for task in waiting.dropFirst() { _ = try await task.response }
        #expect(loader.requests.count == 4)
    }

    @Test(arguments: [ImagePipeline.Stage.decoding, .processing, .encoding])
    func `every stage can be suspended`(stage: ImagePipeline.Stage) async throws {
        gate.open()
        let loader = Given.loader()
        let data = PlainDataCache()
        let pipeline = Given.pipeline(loader) {
            $0.dataCache = data
            $0.dataCachePolicy = .storeEncodedImages
            $0.encoders = [StubEncoder()]
        }
        pipeline.queue(stage).isSuspended = true
        var request = ImageRequest(url: Given.url(), processors: [.circle()])
        request.priority = .high
        let task = pipeline.imageTask(with: request)
        while pipeline.queue(stage).waitingCount == 0 { await Task.yield() }
        #expect((task.result != nil) == (stage == .encoding))
        pipeline.queue(stage).isSuspended = false
        _ = try await task.response
        await pipeline.flush()
        #expect(data.keys.count == 1)
    }
}

/// Writes a byte for each picture.
struct StubEncoder: MediaEncoding {
    var name = "stub"
    var canAnimate = true
    var canStoreAlpha = true

    func encode(
        _ frames: Frames, info: MediaInfo, loop: LoopCount,
        to write: @escaping @Sendable ([UInt8]) throws(MediaError) -> Void
    ) async throws(MediaError) { try write(Array(name.utf8)) }
}
