#if OpenCombine
import Dispatch
import FoundationEssentials
import LazyBase
import LazyCodecs
import LazyLoading
import LazyMedia
import LazyPipeline
import LazyPublishers
import Support
import Testing

/// Subscriptions from the main actor, with nothing but the one import that the guide names.
///
/// Closures that are written here belong to the main actor: called elsewhere, they end the process.
@MainActor struct MainActorDeliveryTests {
    let loader = ScriptedLoader { _ in .init([gif()]) }

    @Test func `operators and subscribers run on the main actor`() async {
        var widths: [Int] = []
        let end = AsyncStream<Bool>.makeStream()
        let cancellable = pipeline(loader).imagePublisher(with: address)
            .map { $0.image.size.width }
            .sink { completion in
                MainActor.assertIsolated()
                if case .finished = completion { end.continuation.yield(true) }
                end.continuation.finish()
            } receiveValue: { width in
                MainActor.assertIsolated()
                widths.append(width)
            }
        var isFinished = false
        for await value in end.stream { isFinished = value }
        #expect(isFinished)
        #expect(widths == [4])
        cancellable.cancel()
    }

    @Test func `bytes and failures are delivered there too`() async {
        let end = AsyncStream<Int>.makeStream()
        let bytes = pipeline(loader).dataPublisher(with: ImageRequest(url: address))
            .map { $0.data.count }
            .catch { _ in Just(0) }
            .sink { end.continuation.yield($0) }
        let failing = pipeline(ScriptedLoader { _ in .init(failure: .init(.dns, "No host.")) })
        let failure = failing.imagePublisher(with: address)
            .map { $0.image.size.width }
            .catch { _ in Just(-1) }
            .sink { end.continuation.yield($0) }
        var counts: [Int] = []
        for await count in end.stream {
            counts.append(count)
            if counts.count == 2 { break }
        }
        #expect(counts.sorted() == [-1, gif().count])
        withExtendedLifetime((bytes, failure)) {}
    }

    @Test func `model properties are delivered there too`() async {
        let model = FetchImage(url: address, pipeline: pipeline(loader))
        let view = LazyImage(url: address, pipeline: pipeline(loader))
        view.load()
        let end = AsyncStream<String>.makeStream()
        let cancellables = [
            model.imagePublisher.map { $0 == nil ? "" : "image" }
                .sink { end.continuation.yield($0) },
            view.phasePublisher.map { $0.name }.sink { end.continuation.yield($0) },
            view.imagePublisher.map { $0 == nil ? "" : "picture" }
                .sink { end.continuation.yield($0) },
        ]
        var seen: Set<String> = []
        for await text in end.stream {
            seen.insert(text)
            if seen.isSuperset(of: ["image", "success", "picture"]) { break }
        }
        #expect(seen.isSuperset(of: ["image", "success", "picture"]))
        withExtendedLifetime(cancellables) {}
    }

    @Test func `dispatch queues are schedulers with the one import`() async {
        let end = AsyncStream<Bool>.makeStream()
        let cancellable = pipeline(loader).imagePublisher(with: address, on: .immediate)
            .receive(on: DispatchQueue.main)
            .map { $0.image.size.width }
            .sink { _ in
                end.continuation.finish()
            } receiveValue: { width in
                MainActor.assertIsolated()
                end.continuation.yield(width == 4)
            }
        for await isRight in end.stream { #expect(isRight) }
        cancellable.cancel()
    }

    @Test func `the guide to publishers, where they call`() async {
        let pipeline = pipeline(loader)
        let url = address
        let cancellable = pipeline.imagePublisher(with: url)
            .map { $0.image.size }
            .sink { completion in
                print(completion)
            } receiveValue: { size in
                print(size)
            }
        let sizes = pipeline.imagePublisher(with: url, on: .immediate)
            .map { @Sendable response in response.image.size }
            .receive(on: DispatchQueue.main)
        let recorder = Recorder<PixelSize, PipelineError>()
        sizes.subscribe(recorder)
        await recorder.wait()
        #expect(recorder.values.map(\.width) == [4])
        let model = FetchImage(url: url, pipeline: pipeline)
        let names = model.phasePublisher.map(\.name).removeDuplicates()
        let named = Recorder<String, Never>()
        names.subscribe(named)
        await named.wait(for: 2)
        #expect(named.values.first == "inProgress")
        cancellable.cancel()
    }

    @Test func `a sequence of a publisher's values can be awaited`() async throws {
        var widths: [Int] = []
        for try await response in pipeline(loader).imagePublisher(with: address).values {
            widths.append(response.image.size.width)
        }
        #expect(widths == [4])
    }
}

/// Subscriptions from elsewhere.
struct DeliveryTests {
    let loader = ScriptedLoader { _ in .init([gif()]) }

    /// An actor whose closures belong to it.
    actor Shelf {
        private(set) var widths: [Int] = []
        private var cancellable: AnyCancellable?

        func fill(from pipeline: ImagePipeline, telling end: AsyncStream<Void>.Continuation) {
            cancellable = pipeline.imagePublisher(with: address, on: .actor(self))
                .map { $0.image.size.width }
                .sink { _ in
                    end.finish()
                } receiveValue: { [unowned self] width in
                    self.assumeIsolated { $0.widths.append(width) }
                }
        }
    }

    @Test func `values are delivered on another actor`() async {
        let shelf = Shelf()
        let end = AsyncStream<Void>.makeStream()
        await shelf.fill(from: pipeline(loader), telling: end.continuation)
        for await _ in end.stream {}
        #expect(await shelf.widths == [4])
    }

    static let key = DispatchSpecificKey<Bool>()

    @Test(arguments: ["queue", "executor", "immediate"])
    func `other contexts are used as specified`(name: String) async {
        let queue = DispatchQueue(label: "tests")
        queue.setSpecific(key: Self.key, value: true)
        let place: PublisherDelivery =
            switch name {
            case "queue": .queue(queue)
            case "executor": .executor(BlockingPool.shared)
            default: .immediate
            }
        let end = AsyncStream<Bool>.makeStream()
        let cancellable = pipeline(loader).imagePublisher(with: address, on: place)
            .map { @Sendable _ in DispatchQueue.getSpecific(key: Self.key) ?? false }
            .sink { @Sendable _ in
                end.continuation.finish()
            } receiveValue: { @Sendable in
                end.continuation.yield($0)
            }
        var places: [Bool] = []
        for await place in end.stream { places.append(place) }
        #expect(places == [name == "queue"])
        cancellable.cancel()
    }

    @Test func `nothing is delivered after a cancel`() async {
        let scheduled = AsyncStream<Void>.makeStream()
        let turn = Turns(scheduled: scheduled.continuation)
        let recorder = Recorder<ImageResponse, PipelineError>()
        pipeline(loader).imagePublisher(with: address, on: turn.delivery).subscribe(recorder)
        for await _ in scheduled.stream { break }
        recorder.cancel()
        turn.run()
        #expect(recorder.values.isEmpty)
        #expect(!recorder.isFinished)
    }
}

/// Turns of a loop that runs when a test says so.
final class Turns: Sendable {
    private let turns = Locked<[@Sendable () -> Void]>([])
    private let scheduled: AsyncStream<Void>.Continuation

    init(scheduled: AsyncStream<Void>.Continuation) { self.scheduled = scheduled }

    var delivery: PublisherDelivery {
        PublisherDelivery { [self] body in
            turns.withLock { $0.append(body) }
            scheduled.yield()
        }
    }

    func run() {
        let due = turns.withLock { turns in
            defer { turns = [] }
            return turns
        }
        for body in due { body() }
    }
}
#endif
