import LazyMedia
import LazyPipeline
import Support
import Testing

@Suite struct CoalescingTests {
    @Test func `five thousand requests for one clip cause one download and one decoding`()
        async throws
    {
        let gate = Gate()
        let loader = Given.loader { index in if index == -1 { await gate.pass() } }
        let decodes = Counter()
        let delegate = CountingDelegate(decodes)
        let pipeline = Given.pipeline(loader, delegate: delegate)
        let tasks = (0..<5000).map { _ in pipeline.imageTask(with: Given.url()) }
        gate.open()
        for task in tasks { #expect(try await task.image.size == PixelSize(width: 4, height: 4)) }
        #expect(loader.requests.count == 1)
        #expect(decodes.value == 1)
        #expect(pipeline.activeTaskCount == 0)
        #expect(tasks.count { $0.summary?.isCoalesced == true } == 4999)
    }

    @Test func `each prefix of processors is processed once`() async throws {
        let gate = Gate()
        let loader = Given.loader { index in if index == -1 { await gate.pass() } }
        let pipeline = Given.pipeline(loader)
        let one = CountingProcessor(identifier: "one")
        let two = CountingProcessor(identifier: "two")
        let three = CountingProcessor(identifier: "three")
        let lists: [[any ImageProcessing]] = [[], [one], [one, two], [one, three], [one, two]]
        let tasks = lists.map {
            pipeline.imageTask(with: ImageRequest(url: Given.url(), processors: $0))
        }
        gate.open()
        for task in tasks { _ = try await task.image }
        #expect(loader.requests.count == 1)
        #expect([one, two, three].map(\.count.value) == [1, 1, 1])
    }

    @Test func `without coalescing every task has its own chain`() async throws {
        let gate = Gate()
        let loader = Given.loader { index in if index == -1 { await gate.pass() } }
        let pipeline = Given.pipeline(loader) { $0.isTaskCoalescingEnabled = false }
        let tasks = (0..<3).map { _ in pipeline.imageTask(with: Given.url()) }
        gate.open()
        for task in tasks { _ = try await task.image }
        #expect(loader.requests.count == 3)
    }

    @Test func `bytes and images share a download`() async throws {
        let gate = Gate()
        let loader = Given.loader { index in if index == -1 { await gate.pass() } }
        let pipeline = Given.pipeline(loader)
        let picture = pipeline.imageTask(with: Given.url())
        let bytes = pipeline.dataTask(with: ImageRequest(url: Given.url()))
        gate.open()
        #expect(try await bytes.response.data.bytes() == Given.gif())
        _ = try await picture.image
        #expect(loader.requests.count == 1)
    }
}

/// Counts decoders that were asked for.
final class CountingDelegate: ImagePipelineDelegate {
    private let decodes: Counter
    init(_ decodes: Counter) { self.decodes = decodes }

    func imageDecoder(
        for type: MediaType, request: ImageRequest, pipeline: ImagePipeline
    ) -> (any MediaDecoding)? {
        decodes.add()
        return nil
    }
}
