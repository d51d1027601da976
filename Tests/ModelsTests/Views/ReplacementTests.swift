import FoundationEssentials
import LazyBase
import LazyLoading
import LazyMedia
import Observation
import Support
import Testing

@testable import LazyPipeline

/// One image in place of another: what is shown in between, and when nothing is to be done.
@Suite(.timeLimit(.minutes(1))) @MainActor struct ReplacementTests {
    private let loader = ScriptedLoader { request in
        .init([gif(frames: request.url.lastPathComponent == "low.gif" ? 1 : 3)])
    }
    private let cache = ShelfCache()

    /// A pipeline with both images in memory.
    private func filled() async throws -> ImagePipeline {
        let pipeline = pipeline(loader, cache: cache)
        for url in [address, lowAddress] { _ = try await pipeline.image(for: url) }
        return pipeline
    }

    @Test func `FetchImage changes to an image in memory without passing through none`()
        async throws
    {
        let model = FetchImage(pipeline: try await filled())
        model.load(address)
        let first = try #require(model.container)
        var changes = 0
        model.transaction = { change in
            change()
            changes += 1
            #expect(model.container != nil)
            #expect(model.result != nil)
        }
        var ends = 0
        model.onCompletion = { _ in ends += 1 }
        model.load(lowAddress)
        #expect(model.container?.isAnimated != first.isAnimated)
        #expect(changes == 1)
        #expect(model.cacheType == .memory)
        #expect(model.progress.completed == 0)
        while ends == 0 { await Task.yield() }
    }

    @Test func `a load in progress ends when an image in memory replaces it`() async throws {
        let pipeline = try await filled()
        let model = FetchImage(pipeline: pipeline)
        let gate = Gate()
        let slow = ImageRequest(
            id: "slow",
            data: {
                await gate.pass()
                return Blob(gif(frames: 1))
            })
        model.load(slow)
        let waiter = Task { try await model.loaded() }
        while pipeline.activeTaskCount == 0 { await Task.yield() }
        await Task.yield()
        model.load(address)
        #expect(model.container?.isAnimated == true)
        await #expect(throws: PipelineError.self) { try await waiter.value }
        gate.open()
        #expect(!model.isLoading)
        while pipeline.activeTaskCount > 0 { await Task.yield() }
        #expect(model.container?.isAnimated == true)
    }

    @Test func `a preview in memory takes the place too`() async throws {
        let pipeline = try await filled()
        let model = FetchImage(pipeline: pipeline)
        model.load(address)
        var preview = try #require(pipeline.cache[ImageRequest(url: lowAddress)])
        preview.isPreview = true
        pipeline.cache[ImageRequest(url: lowAddress)] = preview
        model.transaction = { change in
            change()
            #expect(model.container != nil)
        }
        model.load(lowAddress)
        #expect(model.container?.isPreview == true)
        #expect(model.result == nil)
        await waiting { model.result != nil }
        #expect(model.container?.isPreview == false)
    }

    @Test func `a preview in memory has its info`() async throws {
        let pipeline = try await filled()
        let request = ImageRequest(url: address)
        var preview = try #require(pipeline.cache[request])
        preview.isPreview = true
        pipeline.cache[request] = preview
        let image = LazyImage(request: request, pipeline: pipeline)
        #expect(image.phase.name == "preview")
        #expect(image.info?.isPreview == true)
    }

    @Test func `a hit reads the cache once, and copies no request`() async throws {
        let cache = CountingCache()
        let pipeline = pipeline(loader, cache: cache)
        let request = ImageRequest(url: address)
        _ = try await pipeline.image(for: request)
        let before = cache.reads.withLock { $0 }
        let fetch = FetchImage(request: request, pipeline: pipeline)
        #expect(cache.reads.withLock { $0 } == before + 1)
        let image = LazyImage(request: request, pipeline: pipeline)
        #expect(cache.reads.withLock { $0 } == before + 2)
        for result in [fetch.result, image.fetch.result] {
            #expect(try result?.get().request.box === request.box)
        }
    }

    @Test func `LazyImage changes to an image in memory in one step`() async throws {
        let image = LazyImage(
            request: ImageRequest(url: address), pipeline: try await filled(), drive: .manual)
        image.onAppear()
        #expect(image.playback != nil)
        image.fetch.transaction = { change in
            change()
            #expect(image.phase.name == "success")
            #expect(image.info != nil)
        }
        image.setSource(ImageRequest(url: lowAddress))
        #expect(image.info?.isAnimated == false)
        #expect(image.playback == nil)
        #expect(image.opacity == 1)
        image.setSource(ImageRequest(url: address))
        #expect(image.playback != nil)
        #expect(image.info?.frameCount == 3)
    }

    @Test func `an equal source changes nothing`() async throws {
        let gate = Gate()
        let loader = ScriptedLoader { _ in
            .init([gif(frames: 1)], gate: { _ in await gate.pass() })
        }
        let pipeline = pipeline(loader)
        let image = LazyImage(request: ImageRequest(url: address), pipeline: pipeline)
        var ends = 0
        image.fetch.onCompletion = { _ in ends += 1 }
        image.onAppear()
        while loader.requests.isEmpty { await Task.yield() }
        image.setSource(ImageRequest(url: address))
        var urgent = ImageRequest(url: address)
        urgent.priority = .veryHigh
        image.setSource(urgent)
        #expect(image.source?.priority == .veryHigh)
        gate.open()
        await waiting { image.phase.name == "success" }
        image.setSource(ImageRequest(url: address))
        #expect(image.phase.name == "success")
        #expect(loader.requests.count == 1)
        #expect(ends == 1)
        // Another header field is another request.
        var other = ImageRequest(url: address)
        other.loadRequest?.headers["Accept-Language"] = "de"
        image.setSource(other)
        await waiting { image.phase.name == "success" }
        #expect(loader.requests.count == 2)
    }
}

/// A cache that counts how often it is read.
private final class CountingCache: ImageCaching {
    let reads = Locked(0)
    private let base = ShelfCache()

    subscript(key: ImageCacheKey) -> ImageContainer? {
        get {
            reads.withLock { $0 += 1 }
            return base[key]
        }
        set { base[key] = newValue }
    }

    func removeVariants(of identifier: String) -> Int { base.removeVariants(of: identifier) }

    func removeAll() -> Int { base.removeAll() }
}
