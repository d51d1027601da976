import FoundationEssentials
import Glibc
import LazyBase
import LazyLoading
import LazyMedia
import Support
import Testing

@testable import LazyPipeline

/// Waiting, watching, hurrying and cancelling.
@Suite(.timeLimit(.minutes(1))) struct TaskTests {
    @Test func `a download is cancelled only with its last subscriber`() async throws {
        let gate = Gate()
        let loader = Given.loader { index in if index == 0 { await gate.pass() } }
        let pipeline = Given.pipeline(loader)
        let first = pipeline.imageTask(with: Given.url())
        let second = pipeline.imageTask(with: Given.url())
        await gate.waitForArrivals(1)
        first.cancel()
        #expect(await word { _ = try await first.image } == "cancelled")
        #expect(first.status.isCancelled)
        gate.open()
        _ = try await second.image
        #expect(loader.requests.count == 1 && loader.abandoned == 0)
    }

    @Test func `without subscribers the download is cancelled`() async throws {
        let gate = Gate()
        let loader = Given.loader { index in if index == 0 { await gate.pass() } }
        weak var gone: ImagePipeline?
        do {
            let pipeline = Given.pipeline(loader)
            gone = pipeline
            let tasks = (0..<3).map { _ in pipeline.imageTask(with: Given.url()) }
            await gate.waitForArrivals(1)
            for task in tasks { task.cancel() }
            gate.open()
        }
        while gone != nil { await Task.yield() }
        #expect(loader.live == 0 && loader.abandoned == 1)
    }

    @Test func `cancelling the waiting task cancels the load`() async {
        let gate = Gate()
        let loader = Given.loader { _ in await gate.pass() }
        let pipeline = Given.pipeline(loader)
        let task = pipeline.imageTask(with: Given.url())
        let waiter = Task { await word { _ = try await task.image } }
        await gate.waitForArrivals(1)
        waiter.cancel()
        #expect(await waiter.value == "cancelled")
        #expect(task.result != nil)
        gate.open()
    }

    @Test func `a task of higher priority overtakes waiting ones`() async throws {
        let gate = Gate()
        let loader = Given.loader { index in if index == -1 { await gate.pass() } }
        let pipeline = Given.pipeline(loader) { $0.dataLoadingLimit = 1 }
        let tasks = ["a", "b", "c", "d"].map { pipeline.imageTask(with: Given.url($0)) }
        await gate.waitForArrivals(1)
        while pipeline.graph.waiterCount < 3 { await Task.yield() }
        tasks[3].priority = .high
        tasks[2].priority = .veryHigh
        tasks[0].priority = .low
        let running = loader.requests.first?.url
        gate.open()
        for task in tasks { _ = try await task.image }
        #expect(loader.maxLive == 1)
        let order = loader.requests.dropFirst().map(\.url)
        let expected = [tasks[2], tasks[3], tasks[1], tasks[0]].compactMap(\.request.url)
            .filter { $0 != running }
        #expect(order == expected)
    }

    @Test func `work that skips the queue does not wait`() async throws {
        let gate = Gate()
        let loader = ScriptedLoader { request in
            let isSlow = request.url == Given.url("slow")
            return .init([Given.gif()], gate: { _ in if isSlow { await gate.pass() } })
        }
        let pipeline = Given.pipeline(loader) { $0.dataLoadingLimit = 1 }
        let slow = pipeline.imageTask(with: Given.url("slow"))
        await gate.waitForArrivals(1)
        let request = ImageRequest(url: Given.url("quick"), options: .skipDataLoadingQueue)
        _ = try await pipeline.image(for: request)
        #expect(slow.result == nil)
        gate.open()
        _ = try await slow.image
    }

    @Test func `events report progress and end with the result, also for late listeners`()
        async throws
    {
        let gate = Gate()
        let loader = Given.loader(pieces: 4) { index in if index == -1 { await gate.pass() } }
        let pipeline = Given.pipeline(loader)
        let task = pipeline.imageTask(with: Given.url())
        let early = task.events
        let progress = task.progress
        gate.open()
        let count = Int64(Given.gif().count)
        var last: ImageTask.Progress?
        for await value in progress { last = value }
        #expect(last == .init(completed: count, total: count))
        for stream in [early, task.events] {
            var words: [String] = []
            for await event in stream {
                switch event {
                case .progress(let value): words.append(value.fraction == 1 ? "all" : "some")
                case .preview: words.append("preview")
                case .finished(.success): words.append("success")
                case .finished(.failure): words.append("failure")
                }
            }
            #expect(words.suffix(2) == ["all", "success"])
        }
        #expect(task.currentProgress.fraction == 1)
    }

    @Test func `closures are called once, and a summary has the origin of the bytes`()
        async throws
    {
        let pipeline = Given.pipeline(Given.loader(pieces: 2)) { $0.imageCache = PlainImageCache() }
        let request = ImageRequest(url: Given.url())
        let calls = Counter()
        for _ in 0..<2 {
            let gate = Gate()
            let task = pipeline.loadImage(
                with: request, progress: { _, _, _ in },
                completion: { _ in
                    calls.add()
                    gate.open()
                })
            await gate.pass()
            let summary = try #require(task.summary)
            let isFirst = calls.value == 1
            #expect(summary.networkBytes == (isFirst ? Given.gif().count : 0))
            #expect(summary.cacheType == (isFirst ? nil : .memory))
            #expect(summary.outcome == "success")
            #expect(summary.description.contains("example.test"))
        }
        #expect(calls.value == 2)
    }

    @Test(arguments: [ImagePipeline.BatchOrder.input, .completion])
    func `a batch returns results in the requested order`(
        order: ImagePipeline.BatchOrder
    ) async {
        let gate = Gate()
        let loader = ScriptedLoader { request in
            let isFirst = request.url == Given.url("0")
            return .init([Given.gif()], gate: { _ in if isFirst { await gate.pass() } })
        }
        let pipeline = Given.pipeline(loader)
        let requests = (0..<10).map { ImageRequest(url: Given.url("\($0)")) }
        var indices: [Int] = []
        if order == .input { gate.open() }
        for await element in pipeline.images(for: requests, order: order, maxConcurrentCount: 3) {
            indices.append(element.index)
            if indices.count == 9 { gate.open() }
        }
        #expect(indices.sorted() == Array(0..<10))
        if order == .input { #expect(indices == Array(0..<10)) }
        #expect(loader.maxLive <= 3)
    }

    @Test func `two tasks can read one batch, and both reach its end`() async {
        let requests = (0..<30).map { ImageRequest(url: Given.url("\($0)")) }
        let stream = Given.pipeline(Given.loader()).images(for: requests, maxConcurrentCount: 3)
        let takers = (0..<2).map { _ in
            Task {
                var indices: [Int] = []
                for await element in stream { indices.append(element.index) }
                return indices
            }
        }
        var all: [Int] = []
        for taker in takers { all += await taker.value }
        #expect(all.sorted() == Array(0..<30))
    }

    @Test func `a response comes after the closures of its task`() async throws {
        let pipeline = Given.pipeline(Given.loader())
        for number in 0..<50 {
            let called = Locked(false)
            let task = pipeline.loadImage(with: ImageRequest(url: Given.url("\(number)"))) { _ in
                usleep(300)
                called.withLock { $0 = true }
            }
            _ = try await task.response
            #expect(called.withLock { $0 })
            let isDone = Locked(false)
            let data = pipeline.loadData(with: ImageRequest(url: Given.url("d\(number)"))) { _ in
                usleep(300)
                isDone.withLock { $0 = true }
            }
            _ = try await data.response
            #expect(isDone.withLock { $0 })
        }
    }

    /// Without a suspension nothing else gets the main actor in between.
    @MainActor @Test func `an image in memory needs no change of threads`() async throws {
        let pipeline = Given.pipeline(Given.loader()) { $0.imageCache = PlainImageCache() }
        let request = ImageRequest(url: Given.url())
        _ = try await pipeline.image(for: request)
        var others = 0
        let other = Task { @MainActor in others += 1 }
        for _ in 0..<100 {
            _ = try await pipeline.image(for: request)
            _ = try await pipeline.image(for: Given.url())
            _ = try await pipeline.response(for: request)
            _ = try await pipeline.imageTask(with: request).response
            _ = try await pipeline.imageTask(with: request).image
        }
        #expect(others == 0)
        await other.value
        #expect(others == 1)
    }
}
