import FoundationEssentials
import LazyBase
import LazyLoading
import LazyMedia
import Support
import Testing

@testable import LazyPipeline

@Suite struct AlternativePlanTests {
    typealias Step = AlternativePlan.Step

    @Test func `the first URL within the budget is tried, and the next one if it fails`() {
        var plan = AlternativePlan(sizes: [900, 400, nil, 50], budget: 500)
        #expect(plan.next() == Step(place: 1, budget: 500))
        #expect(plan.next() == Step(place: 2, budget: 500))
        #expect(plan.next() == Step(place: 3, budget: 500))
        #expect(plan.next() == Step(place: 0, budget: nil))
        #expect(plan.next() == nil)
    }

    @Test func `if none fits, the smallest is tried, and of unknown sizes the last`() {
        var plan = AlternativePlan(sizes: [nil, 700, nil, nil], budget: 100)
        for size in [800, nil, nil] {
            guard let step = plan.next() else { break }
            plan.wasTooLarge(step.place, size: size)
        }
        let places = (0..<5).map { _ in plan.next()?.place }
        #expect(places == [1, 0, 3, 2, nil])
    }

    @Test func `without a budget sizes do not matter`() {
        var plan = AlternativePlan(sizes: [900, 10], budget: nil)
        #expect(plan.next() == Step(place: 0, budget: nil))
        #expect(plan.next() == Step(place: 1, budget: nil))
        #expect(plan.next() == nil)
    }
}

@Suite struct AlternativeTests {
    /// Three pictures of one color each, of falling size: what a name answers.
    static func answer(_ name: String) -> ScriptedLoader.Answer {
        switch name {
        case "large": .init([Given.gif(frames: 40)])
        case "medium": .init([Given.gif(frames: 8, color: 0x00FFFF)])
        case "small": .init([Given.gif(color: 0x0000FF)])
        default: .init(failure: LoadingError(.status, "Gone.", status: 500))
        }
    }

    static func loader() -> ScriptedLoader {
        ScriptedLoader { answer($0.url.lastPathComponent) }
    }

    static func request(_ names: [String], budget: Int? = nil) -> ImageRequest {
        var request = ImageRequest(url: Given.url(names[0]))
        request.alternatives = names.dropFirst().map { .init(url: Given.url($0)) }
        request.byteBudget = budget
        return request
    }

    static let sizes = [40, 8, 1].map { Given.gif(frames: $0).count }

    @Test(
        arguments: [
            (["large", "medium", "small"], nil, ["large"]),
            (["large", "medium", "small"], sizes[0], ["large"]),
            (["large", "medium", "small"], sizes[0] - 1, ["large", "medium"]),
            (["large", "medium", "small"], sizes[1] - 1, ["large", "medium", "small"]),
            (["large", "medium", "small"], 1, ["large", "medium", "small", "small"]),
            (["lost", "small"], nil, ["lost", "small"]),
            (["lost", "large"], 1, ["lost", "large", "large"]),
            (["large"], 1, ["large"]),
        ] as [([String], Int?, [String])])
    func `the best URL within the budget is loaded`(
        names: [String], budget: Int?, asked: [String]
    ) async throws {
        let loader = Self.loader()
        let cache = PlainImageCache()
        let pipeline = Given.pipeline(loader) { $0.imageCache = cache }
        let response = try await pipeline.response(for: Self.request(names, budget: budget))
        #expect(loader.requests.map { $0.url.lastPathComponent } == asked)
        let answered = asked.last == names[0] ? nil : asked.last
        #expect(response.substitute?.lastPathComponent == answered)
        // What stands for another picture is not kept as that one.
        #expect(cache.count == (answered == nil ? 1 : 0))
        #expect(loader.live == 0)
    }

    @Test func `header fields for one host are not sent to the host of an alternative`()
        async throws
    {
        let loader = Self.loader()
        var request = Self.request(["gone", "alsoGone"])
        let elsewhere = try #require(URL(string: "http://elsewhere.test/small"))
        request.alternatives.append(.init(url: elsewhere))
        request.loadRequest?.headers = ["Authorization": "1", "X-Own": "2", "Accept": "3"]
        _ = try await Given.pipeline(loader).image(for: request)
        let names = loader.requests.map { $0.headers.fields.map(\.name) }
        let all = ["Authorization", "X-Own", "Accept"]
        #expect(names == [all, all, ["Accept"]])
    }

    @Test func `a URL known to be too large is not requested`() async throws {
        let loader = Self.loader()
        let pipeline = Given.pipeline(loader)
        var request = Self.request(["large", "medium", "small"], budget: Self.sizes[2])
        request.alternatives[0].byteCount = Self.sizes[1]
        _ = try await pipeline.image(for: request)
        #expect(loader.requests.map { $0.url.lastPathComponent } == ["large", "small"])
        _ = try await pipeline.image(for: request)
        #expect(loader.requests.map { $0.url.lastPathComponent } == ["large", "small", "small"])
    }

    @Test func `a response of unknown size is cancelled when it exceeds the budget`() async throws {
        let loader = ScriptedLoader { request in
            var answer = Self.answer(request.url.lastPathComponent)
            answer.pieces = Given.split(answer.pieces.flatMap { $0 }, 20)
            answer.head = ResponseHead(url: request.url, origin: .network)
            return answer
        }
        let pipeline = Given.pipeline(loader)
        let request = Self.request(["large", "small"], budget: Self.sizes[2])
        let response = try await pipeline.response(for: request)
        #expect(response.substitute == Given.url("small"))
        #expect(loader.abandoned == 1)
    }

    @Test func `a stored response is outside the budget`() async throws {
        let loader = ScriptedLoader { request in
            var answer = Self.answer(request.url.lastPathComponent)
            answer.head = ResponseHead(
                url: request.url, expectedCount: answer.pieces[0].count, origin: .store)
            return answer
        }
        let request = Self.request(["large", "small"], budget: 1)
        let response = try await Given.pipeline(loader).response(for: request)
        #expect(response.substitute == nil)
    }

    @Test func `if all URLs fail, the error is that of the request's own`() async {
        let loader = ScriptedLoader {
            let code: LoadingError.Code = $0.url.lastPathComponent == "a" ? .timeout : .notFound
            return .init(failure: LoadingError(code, "No."))
        }
        let pipeline = Given.pipeline(loader)
        var code: LoadingError.Code?
        do throws(PipelineError) {
            _ = try await pipeline.image(for: Self.request(["a", "b", "c"]))
        } catch {
            if case .dataLoadingFailed(let reason) = error { code = reason.code }
        }
        #expect(code == .timeout)
        #expect(loader.requests.count == 3)
    }

    @Test func `a cancelled load tries no other URL`() async {
        let gate = Gate()
        let loader = ScriptedLoader { _ in .init([Given.gif()]) { _ in await gate.pass() } }
        let pipeline = Given.pipeline(loader)
        let task = pipeline.imageTask(with: Self.request(["large", "small"]))
        await gate.waitForArrivals(1)
        task.cancel()
        gate.open()
        #expect(await word { _ = try await task.image } == "cancelled")
        await pipeline.flush()
        #expect(loader.requests.count == 1)
    }

    @Test func `bytes and processed images have the URL that answered`() async throws {
        let pipeline = Given.pipeline(Self.loader())
        var request = Self.request(["lost", "small"])
        let bytes = try await pipeline.dataTask(with: request).response
        #expect(bytes.substitute == Given.url("small"))
        request.processors = [.resize(width: 2)]
        let response = try await pipeline.response(for: request)
        #expect(response.substitute == Given.url("small"))
        #expect(response.image.size.width == 2)
    }

    @Test func `previews of a failed URL are not mixed with those of the next`()
        async throws
    {
        let gate = Gate()
        let long = Given.gif(frames: 40)
        let loader = ScriptedLoader { request in
            guard request.url.lastPathComponent == "a" else {
                return .init(Given.split(Given.gif(frames: 3, color: 0x0000FF), 3)) { place in
                    if place == 2 { await gate.pass() }
                }
            }
            return .init(
                [Array(long.prefix(long.count / 2))],
                head: ResponseHead(url: request.url, origin: .network),
                bodyFailure: LoadingError(.reset, "Broken."))
        }
        let pipeline = Given.pipeline(loader) {
            $0.isProgressiveDecodingEnabled = true
            $0.progressiveDecodingInterval = .zero
        }
        let task = pipeline.imageTask(with: Self.request(["a", "b"]))
        for await preview in task.previews where preview.image[0, 0] == SIMD4(0, 0, 255, 255) {
            gate.open()
        }
        #expect(try await task.image[0, 0] == SIMD4(0, 0, 255, 255))
    }

    @Test func `a stored response is not taken for that of an alternative`() async throws {
        let pipeline = Given.pipeline(StoringLoader(next: Self.loader()))
        var request = Self.request(["large", "small"], budget: Self.sizes[2])
        // Learns that the request's own URL exceeds the budget.
        _ = try await pipeline.image(for: request)
        // The store answers during the delay, so that nothing waits.
        request.downloadDelay = .seconds(60)
        let response = try await pipeline.response(for: request)
        #expect(response.substitute?.lastPathComponent == "small")
        #expect(response.image[0, 0] == SIMD4(0, 0, 255, 255))
    }
}

/// A loader that has the response of one URL in store.
private struct StoringLoader: StoredResponseLoading {
    let next: ScriptedLoader

    func load(_ request: LoadRequest) async throws(LoadingError) -> LoadResponse {
        try await next.load(request)
    }

    func storedResponse(
        to request: LoadRequest
    ) async throws(LoadingError) -> LoadResponse? {
        request.url.lastPathComponent == "large" ? try await next.load(request) : nil
    }
}
