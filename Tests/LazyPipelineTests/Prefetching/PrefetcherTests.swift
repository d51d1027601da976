import FoundationEssentials
import LazyBase
import LazyLoading
import LazyPipeline
import Support
import Testing

@Suite(.timeLimit(.minutes(1))) struct PrefetcherTests {
    @Test(arguments: [ImagePrefetcher.Destination.memoryCache, .diskCache])
    func `requests are prefetched once, two at a time, and completion is reported`(
        destination: ImagePrefetcher.Destination
    ) async {
        let loader = Given.loader()
        let cache = PlainImageCache()
        let pipeline = Given.pipeline(loader) { $0.imageCache = cache }
        let prefetcher = ImagePrefetcher(pipeline: pipeline, destination: destination)
        let end = Gate()
        prefetcher.didComplete = { end.open() }
        prefetcher.isPaused = true
        let urls = (0..<6).map { Given.url("\($0)") }
        prefetcher.startPrefetching(with: urls + urls)
        #expect(loader.requests.isEmpty)
        prefetcher.isPaused = false
        await end.pass()
        #expect(loader.requests.count == 6)
        #expect(loader.maxLive <= 2)
        #expect(cache.count == (destination == .memoryCache ? 6 : 0))
    }

    @Test func `a stopped or released prefetcher loads nothing`() async {
        let gate = Gate()
        let loader = Given.loader { _ in await gate.pass() }
        weak var gone: ImagePipeline?
        do {
            let pipeline = Given.pipeline(loader)
            gone = pipeline
            let prefetcher = ImagePrefetcher(pipeline: pipeline, maxConcurrentRequestCount: 1)
            prefetcher.startPrefetching(with: ["a", "b", "c"].map { Given.url($0) })
            await gate.waitForArrivals(1)
            prefetcher.stopPrefetching(with: [Given.url("b")])
            prefetcher.priority = .high
            #expect(prefetcher.priority == .high)
        }
        gate.open()
        while gone != nil { await Task.yield() }
        #expect(loader.requests.count == 1 && loader.live == 0)
    }

    @Test func `thousands of loads that end at once do not recurse`() async {
        let pipeline = Given.pipeline(Given.loader())
        pipeline.invalidate()
        let prefetcher = ImagePrefetcher(pipeline: pipeline)
        let end = Gate()
        prefetcher.didComplete = { end.open() }
        prefetcher.startPrefetching(with: (0..<50_000).map { Given.url("\($0)") })
        await end.pass()
        #expect(pipeline.activeTaskCount == 0)
    }

    @Test func `a preview in memory does not count as the image`() async throws {
        let loader = Given.loader()
        let cache = PlainImageCache()
        let pipeline = Given.pipeline(loader) { $0.imageCache = cache }
        let request = ImageRequest(url: Given.url())
        var preview = ImageContainer(still: try Picture.plain(1, 1, SIMD4(1, 2, 3, 255)))
        preview.isPreview = true
        pipeline.cache[request] = preview
        let prefetcher = ImagePrefetcher(pipeline: pipeline)
        let end = Gate()
        prefetcher.didComplete = { end.open() }
        prefetcher.startPrefetching(with: [request])
        await end.pass()
        #expect(loader.requests.count == 1)
        #expect(pipeline.cache[request]?.isPreview == false)
    }

    @Test func `prefetching to disk downloads once for all variants`() async {
        let loader = Given.loader()
        let pipeline = Given.pipeline(loader)
        let prefetcher = ImagePrefetcher(
            pipeline: pipeline, destination: .diskCache, maxConcurrentRequestCount: 1)
        let end = Gate()
        prefetcher.didComplete = { end.open() }
        prefetcher.isPaused = true
        prefetcher.startPrefetching(
            with: [10, 20, 30].map {
                ImageRequest(url: Given.url(), processors: [.resize(width: $0)])
            })
        prefetcher.isPaused = false
        await end.pass()
        #expect(loader.requests.count == 1)
    }
}
