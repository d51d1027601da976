import LazyBase
import LazyLoading
import LazyMedia
import LazyPipeline
import Support
import Testing

@Suite struct DownloadDelayTests {
    let clock = ManualClock()
    let loader = Given.loader()

    func pipeline(
        _ loader: (any DataLoading)? = nil,
        _ configure: (inout ImagePipeline.Configuration) -> Void = { _ in }
    ) -> ImagePipeline {
        Given.pipeline(loader ?? self.loader) {
            $0.clocks = clock.clocks
            configure(&$0)
        }
    }

    static var patient: ImageRequest {
        var request = ImageRequest(url: Given.url())
        request.returnStoreElseLoad()
        return request
    }

    @Test func `a delayed download starts after a quarter of a second`() async throws {
        let task = pipeline().imageTask(with: Self.patient)
        await clock.waitForSleepers()
        clock.advance(by: .milliseconds(249))
        #expect(loader.requests.isEmpty)
        clock.advance(by: .milliseconds(1))
        _ = try await task.image
        #expect(loader.requests.map(\.policy) == [.cacheElseLoad])
    }

    @Test func `a load cancelled within the delay causes no network traffic`() async {
        let pipeline = pipeline()
        let tasks = (0..<20).map { number in
            var request = ImageRequest(url: Given.url("\(number)"))
            request.downloadDelay = .milliseconds(250)
            return pipeline.imageTask(with: request)
        }
        // More wait than may load: they wait outside that queue.
        await clock.waitForSleepers(20)
        for task in tasks { task.cancel() }
        clock.advance(by: .seconds(1))
        for task in tasks { #expect(await word { _ = try await task.image } == "cancelled") }
        #expect(loader.requests.isEmpty)
    }

    @Test func `a request without a delay is not held up by one with a delay`() async throws {
        let pipeline = pipeline()
        let patient = pipeline.imageTask(with: Self.patient)
        await clock.waitForSleepers()
        var hurried = Self.patient
        hurried.downloadDelay = .zero
        _ = try await pipeline.image(for: hurried)
        _ = try await patient.image
        #expect(loader.requests.count == 1)
    }

    @Test func `a shorter delay counts from its own start`() async throws {
        let pipeline = pipeline()
        let first = pipeline.imageTask(with: Self.patient)
        await clock.waitForSleepers()
        clock.advance(by: .milliseconds(100))
        var second = Self.patient
        second.downloadDelay = .milliseconds(50)
        let bytes = pipeline.dataTask(with: second)
        await clock.waitForSleepers()
        clock.advance(by: .milliseconds(49))
        #expect(loader.requests.isEmpty)
        // Whether it sleeps anew by now or not, this is the instant.
        clock.advance(by: .milliseconds(1))
        _ = try await first.image
        _ = try await bytes.response
        #expect(loader.requests.count == 1)
    }

    @Test func `a stored response is returned at once`() async throws {
        let folder = Scratch()
        let network = ScriptedLoader { request in
            .init(
                [Given.gif()],
                head: ResponseHead(
                    url: request.url, headers: ["Cache-Control": "max-age=60", "ETag": "\"a\""],
                    expectedCount: Given.gif().count, origin: .network))
        }
        let store = try DiskStore(folder: folder.path, clocks: clock.clocks)
        let loader = LocalLoader(
            next: ConditionalLoader(
                CachingLoader(network, store: store, clocks: clock.clocks),
                conditions: NetworkConditions()))
        let pipeline = pipeline(loader)
        _ = try await pipeline.image(for: Given.url())
        // Stale by now, and taken all the same.
        clock.advance(by: .seconds(3600))
        let response = try await pipeline.response(for: Self.patient)
        #expect(response.cacheType == .disk)
        #expect(network.requests.count == 1)
    }

    @Test func `a cached image is returned at once`() async throws {
        let data = PlainDataCache()
        let pipeline = pipeline {
            $0.imageCache = PlainImageCache()
            $0.dataCache = data
        }
        _ = try await pipeline.image(for: Given.url())
        #expect(try await pipeline.response(for: Self.patient).cacheType == .memory)
        pipeline.cache.removeAll(caches: .memory)
        #expect(try await pipeline.response(for: Self.patient).cacheType == .disk)
        #expect(loader.requests.count == 1)
    }

    @Test func `files and offline loads are not delayed`() async throws {
        var local = ImageRequest(string: "data:image/gif;base64,AAAA")
        local.downloadDelay = .seconds(1)
        let pipeline = pipeline()
        #expect(await word { _ = try await pipeline.image(for: local) } == "decoderNotRegistered")
        var offline = Self.patient
        offline.returnStoreDontLoad()
        offline.downloadDelay = .seconds(1)
        #expect(await word { _ = try await pipeline.image(for: offline) } == "dataMissingInCache")
        #expect(loader.requests.isEmpty)
    }
}
