import FoundationEssentials
import LazyBase
import LazyLoading
import LazyMedia
import LazyPipeline
import Testing

/// What is printed of requests, tasks, responses and containers.
@Suite struct DescriptionTests {
    @Test func `a request prints its source and what is not the default`() {
        #expect("\(ImageRequest(url: Given.url()))" == "ImageRequest(http://example.test/a.gif)")
        var request = ImageRequest(
            url: Given.url(), processors: [.circle()], priority: .high,
            options: [.progressive, .skipDecompression])
        request.thumbnail = .init(maxPixelSize: 9)
        request.imageID = "cat"
        #expect(
            "\(request)"
                == "ImageRequest(http://example.test/a.gif, id: cat, thumbnail: 9x9/scale-down, lazyimg/circle, priority: high, options: [skipDecompression, progressive])"
        )
        #expect("\(ImageRequest(url: nil))" == "ImageRequest(no URL)")
    }

    @Test func `neither secrets nor a megabyte are printed`() {
        let secret = ImageRequest(string: "https://ann:secret@example.test/a.gif")
        #expect(!"\(secret)".contains("secret") && !"\(secret)".contains("ann"))
        let data = ImageRequest(
            string: "data:image/gif;base64," + String(repeating: "A", count: 100_000))
        #expect("\(data)".count < 300)
    }

    @Test func `tasks, responses and containers print their state`() async throws {
        let gate = Gate()
        let pipeline = Given.pipeline(Given.loader(gate: { _ in await gate.pass() }))
        let task = pipeline.imageTask(with: ImageRequest(url: Given.url(), priority: .low))
        #expect("\(task)" == "ImageTask(\(task.id), http://example.test/a.gif, low, 0 %)")
        gate.open()
        let response = try await task.response
        #expect("\(task)" == "ImageTask(\(task.id), http://example.test/a.gif, finished)")
        #expect("\(response)" == "ImageResponse(4x4 gif, http://example.test/a.gif)")
        #expect("\(response.container)" == "ImageContainer(4x4 gif)")
        let other = pipeline.imageTask(with: Given.url("b.gif"))
        other.cancel()
        #expect(other.isCancelled && !task.isCancelled)
        #expect("\(other)".hasSuffix("cancelled)"))
        let data = pipeline.dataTask(with: ImageRequest(url: Given.url()))
        let count = try await data.response.data.count
        #expect("\(data)" == "DataTask(\(data.id), http://example.test/a.gif, \(count) bytes)")
    }

    @Test func `tasks of all pipelines have numbers of their own`() async {
        let tasks = (0..<4).map { _ in Given.pipeline(Given.loader()).imageTask(with: Given.url()) }
        #expect(Set(tasks.map(\.id)).count == 4)
    }
}
