#if OpenCombine
import FoundationEssentials
import LazyBase
import LazyCodecs
import LazyLoading
import LazyMedia
import LazyPipeline
import LazyPublishers
import Observation
import Support
import Testing

let address = URL(string: "http://example.test/a.gif").unsafelyUnwrapped

func gif(width: Int = 4) -> [UInt8] {
    var forge = GIFForge(width: width, height: 3, palette: [0x000000, 0xFF0000])
    forge.image(width: width, height: 3, indices: Array(repeating: 1, count: width * 3))
    forge.trailer()
    return forge.bytes
}

func pipeline(_ loader: ScriptedLoader) -> ImagePipeline {
    ImagePipeline(
        configuration: .init(dataLoader: loader, decoders: DecoderRegistry(formats: [.gif])))
}

/// Writes down what it gets, and demands as much as the test says.
final class Recorder<Input: Sendable, Failure: Error>: Subscriber, Sendable {
    private struct State {
        var values: [Input] = []
        nonisolated(unsafe) var completion: Subscribers.Completion<Failure>?
        var watchers: [(wanted: Int?, continuation: CheckedContinuation<Void, Never>)] = []
    }
    private let state = Locked(State())
    private let first: Subscribers.Demand
    // Written once, before anything else happens.
    nonisolated(unsafe) private var subscription: (any Subscription)?

    init(demand: Subscribers.Demand = .unlimited) { first = demand }

    var values: [Input] { state.withLock { $0.values } }
    var failure: Failure? {
        state.withLock { state in
            guard case .failure(let error) = state.completion else { return nil }
            return error
        }
    }
    var isFinished: Bool { state.withLock { $0.completion != nil } }

    func receive(subscription: any Subscription) {
        self.subscription = subscription
        if first > .none { subscription.request(first) }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        wake { $0.values.append(input) }
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        wake { $0.completion = completion }
    }

    func request(_ count: Int) { subscription?.request(.max(count)) }
    func cancel() { subscription?.cancel() }

    /// Waits for the end, or for so many values.
    func wait(for count: Int? = nil) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if Self.isReached(state, count) { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    private static func isReached(_ state: State, _ count: Int?) -> Bool {
        state.completion != nil || count.map { state.values.count >= $0 } ?? false
    }

    private func wake(_ change: (inout State) -> Void) {
        nonisolated(unsafe) let change = change
        let woken = state.withLock { state in
            change(&state)
            let watchers = state.watchers
            state.watchers = watchers.filter { !Self.isReached(state, $0.wanted) }
            return watchers.filter { Self.isReached(state, $0.wanted) }.map(\.continuation)
        }
        for continuation in woken { continuation.resume() }
    }
}

struct ImagePublisherTests {
    @Test func `the publisher publishes the image and completes`() async {
        let loader = ScriptedLoader { _ in .init([gif()]) }
        let recorder = Recorder<ImageResponse, PipelineError>()
        pipeline(loader).imagePublisher(with: address).subscribe(recorder)
        await recorder.wait()
        #expect(recorder.values.map(\.image.size.width) == [4])
        #expect(recorder.values.last?.isPreview == false)
        #expect(recorder.failure == nil)
    }

    @Test func `nothing is loaded without demand`() async {
        let loader = ScriptedLoader { _ in .init([gif()]) }
        let recorder = Recorder<ImageResponse, PipelineError>(demand: .none)
        pipeline(loader).imagePublisher(with: address).subscribe(recorder)
        #expect(loader.requests.isEmpty)
        recorder.request(1)
        await recorder.wait()
        #expect(loader.requests.count == 1)
        #expect(recorder.values.count == 1)
    }

    @Test func `failures are typed`() async {
        let loader = ScriptedLoader { _ in .init(failure: .init(.tls, "No trust.")) }
        let recorder = Recorder<ImageResponse, PipelineError>()
        pipeline(loader).imagePublisher(with: address).subscribe(recorder)
        await recorder.wait()
        guard case .dataLoadingFailed(let error) = recorder.failure else {
            Issue.record("\(String(describing: recorder.failure))")
            return
        }
        #expect(error.code == .tls)
        #expect(recorder.values.isEmpty)
    }

    @Test func `cancelling ends the load and delivers nothing`() async {
        let begun = AsyncStream<Void>.makeStream()
        let ended = AsyncStream<Void>.makeStream()
        let loader = ScriptedLoader { _ in
            .init(
                [gif()],
                gate: { _ in
                    begun.continuation.finish()
                    await withTaskCancellationHandler {
                        for await _ in ended.stream {}
                    } onCancel: {
                        ended.continuation.finish()
                    }
                })
        }
        let recorder = Recorder<ImageResponse, PipelineError>()
        pipeline(loader).imagePublisher(with: address).subscribe(recorder)
        for await _ in begun.stream {}
        recorder.cancel()
        for await _ in ended.stream {}
        #expect(recorder.values.isEmpty)
        #expect(!recorder.isFinished)
    }

    @Test func `bytes are published too`() async {
        let loader = ScriptedLoader { _ in .init([Array("abc".utf8), Array("de".utf8)]) }
        let recorder = Recorder<(data: Blob, head: ResponseHead?), PipelineError>()
        pipeline(loader).dataPublisher(with: ImageRequest(url: address)).subscribe(recorder)
        await recorder.wait()
        #expect(recorder.values.first?.data.bytesInMemory == Array("abcde".utf8))
    }

    @Test func `many are merged and collected`() async {
        let loader = ScriptedLoader { request in
            .init([gif(width: Int(request.url.lastPathComponent) ?? 1)])
        }
        let pipeline = pipeline(loader)
        let publishers = (1...20).compactMap { URL(string: "http://example.test/\($0)") }
            .map { pipeline.imagePublisher(with: $0) }
        let recorder = Recorder<[Int], PipelineError>()
        Publishers.MergeMany(publishers).map(\.image.size.width).collect().subscribe(recorder)
        await recorder.wait()
        #expect(recorder.values.first?.sorted() == Array(1...20))
        let empty = Recorder<ImageResponse, PipelineError>()
        Publishers.MergeMany([ImagePublisher]()).subscribe(empty)
        #expect(empty.isFinished)
    }

    @Test func `the guide to publishers`() async {
        let pipeline = pipeline(ScriptedLoader { _ in .init([gif()]) })
        let urls = (1...3).compactMap { URL(string: "http://example.test/\($0)") }
        let pictures = Publishers.MergeMany(urls.map { pipeline.imagePublisher(with: $0) })
            .filter { !$0.isPreview }
            .map(\.image)
            .collect()
        let recorder = Recorder<[Bitmap], PipelineError>()
        pictures.subscribe(recorder)
        await recorder.wait()
        #expect(recorder.values.first?.count == 3)
    }

    @Test func `a failure can be replaced with an empty publisher`() async {
        let loader = ScriptedLoader { request in
            request.url.lastPathComponent == "2"
                ? .init(failure: .init(.dns, "No such host.")) : .init([gif()])
        }
        let pipeline = pipeline(loader)
        let publishers = (1...3).compactMap { URL(string: "http://example.test/\($0)") }
            .map { pipeline.imagePublisher(with: $0).map(\.image).map(Optional.some) }
            .map { $0.catch { _ in Just<Bitmap?>(nil) } }
        let recorder = Recorder<[Bitmap?], Never>()
        Publishers.MergeMany(publishers).collect().subscribe(recorder)
        await recorder.wait()
        #expect(recorder.values.first?.count == 3)
        #expect(recorder.values.first?.count { $0 == nil } == 1)
    }
}

@MainActor struct FetchImagePublisherTests {
    @Test func `the properties of a model are published until it is released`() async {
        let gate = AsyncStream<Void>.makeStream()
        let loader = ScriptedLoader { _ in
            .init([gif()], gate: { _ in for await _ in gate.stream {} })
        }
        var model: FetchImage? = FetchImage(url: address, pipeline: pipeline(loader))
        let isLoading = Recorder<Bool, Never>()
        let images = Recorder<Bitmap?, Never>()
        model?.isLoadingPublisher.removeDuplicates().subscribe(isLoading)
        model?.imagePublisher.subscribe(images)
        await isLoading.wait(for: 1)
        await images.wait(for: 1)
        #expect(isLoading.values == [true])
        #expect(images.values == [nil])
        gate.continuation.finish()
        await isLoading.wait(for: 2)
        await images.wait(for: 2)
        #expect(isLoading.values == [true, false])
        #expect(images.values.last??.size.width == 4)
        model = nil
        await isLoading.wait()
        await images.wait()
        #expect(images.isFinished && isLoading.isFinished)
    }

    @Test func `values not demanded in time are skipped, except the last`() async {
        let source = Source()
        let recorder = Recorder<Int, Never>(demand: .max(1))
        ObservedPublisher { [weak source] in source?.number }.subscribe(recorder)
        await recorder.wait(for: 1)
        #expect(recorder.values == [0])
        for number in 1...3 {
            source.number = number
            await source.wait(untilReadAs: number)
        }
        #expect(recorder.values == [0])
        recorder.request(1)
        await recorder.wait(for: 2)
        #expect(recorder.values == [0, 3])
        recorder.request(2)
        source.number = 4
        await recorder.wait(for: 3)
        #expect(recorder.values == [0, 3, 4])
    }

    @Test(arguments: [true, false])
    func `a completed subscription releases its subscriber`(isCancelled: Bool) async {
        weak var gone: Recorder<Int, Never>?
        do {
            let recorder = Recorder<Int, Never>()
            gone = recorder
            ObservedPublisher<Int> { isCancelled ? 1 : nil }.subscribe(recorder)
            await recorder.wait(for: 1)
            if isCancelled { recorder.cancel() }
        }
        while gone != nil { await Task.yield() }
        #expect(gone == nil)
    }
}

/// A model that tells when its number was read.
@MainActor @Observable final class Source {
    private var shown = 0
    @ObservationIgnored private var reads: [Int] = []
    @ObservationIgnored private var waiter:
        (number: Int, continuation: CheckedContinuation<Void, Never>)?

    var number: Int {
        get {
            reads.append(shown)
            if let waiter, waiter.number == shown {
                self.waiter = nil
                // The value is handed on before this actor does anything else.
                waiter.continuation.resume()
            }
            return shown
        }
        set { shown = newValue }
    }

    func wait(untilReadAs number: Int) async {
        if reads.contains(number) { return }
        await withCheckedContinuation { waiter = (number, $0) }
    }

    @Test func `an image in memory arrives while it is subscribed to`() async throws {
        var configuration = pipeline(ScriptedLoader { _ in .init([gif()]) }).configuration
        configuration.imageCache = ImageCache(costLimit: 1 << 20)
        let cached = ImagePipeline(configuration: configuration)
        _ = try await cached.image(for: address)
        let recorder = Recorder<ImageResponse, PipelineError>()
        cached.imagePublisher(with: address, on: .immediate).subscribe(recorder)
        #expect(recorder.values.count == 1)
        #expect(recorder.values.first?.cacheType == .memory)
        #expect(recorder.isFinished)
        // Without demand there is none.
        let patient = Recorder<ImageResponse, PipelineError>(demand: .none)
        cached.imagePublisher(with: address, on: .immediate).subscribe(patient)
        #expect(patient.values.isEmpty && !patient.isFinished)
    }
}
#endif
