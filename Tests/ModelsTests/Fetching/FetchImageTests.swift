import FoundationEssentials
import Glibc
import LazyBase
import LazyCodecs
import LazyLoading
import LazyMedia
import LazyPipeline
import Observation
import Support
import Testing

/// A GIF of frames that are all of one color, each shown 100 ms.
func gif(frames: Int, width: Int = 4, height: Int = 3) -> [UInt8] {
    var forge = GIFForge(
        width: width, height: height, palette: [0x000000, 0xFF0000, 0x00FF00, 0x0000FF])
    if frames > 1 { forge.loop(0) }
    for frame in 0..<frames {
        forge.control(delay: 10)
        forge.image(
            width: width, height: height,
            indices: Array(repeating: UInt8(frame % 4), count: width * height))
    }
    forge.trailer()
    return forge.bytes
}

let address = URL(string: "http://example.test/a.gif").unsafelyUnwrapped
let lowAddress = URL(string: "http://example.test/low.gif").unsafelyUnwrapped

func pipeline(
    _ loader: ScriptedLoader, cache: (any ImageCaching)? = nil,
    conditions: NetworkConditions = NetworkConditions()
) -> ImagePipeline {
    var configuration = ImagePipeline.Configuration(
        dataLoader: loader, decoders: DecoderRegistry(formats: [.gif]))
    configuration.imageCache = cache
    configuration.networkConditions = conditions
    return ImagePipeline(configuration: configuration)
}

/// A cache without limits.
final class ShelfCache: ImageCaching {
    private let shelf = Locked<[ImageCacheKey: ImageContainer]>([:])
    subscript(key: ImageCacheKey) -> ImageContainer? {
        get { shelf.withLock { $0[key] } }
        set { shelf.withLock { $0[key] = newValue } }
    }
    func removeVariants(of identifier: String) -> Int {
        shelf.withLock { shelf in
            let keys = shelf.keys.filter { $0.isVariant(of: identifier) }
            for key in keys { shelf[key] = nil }
            return keys.count
        }
    }
    func removeAll() -> Int {
        shelf.withLock { shelf in
            defer { shelf = [:] }
            return shelf.count
        }
    }
}

/// Waits until an observed claim holds.
@MainActor
func waiting(until claim: @escaping @MainActor () -> Bool) async {
    while true {
        var isTrue = false
        let change = AsyncStream<Void>.makeStream()
        withObservationTracking {
            isTrue = claim()
        } onChange: {
            change.continuation.yield()
            change.continuation.finish()
        }
        if isTrue { return }
        for await _ in change.stream {}
        // The change is made when the main actor is free again.
        await Task.yield()
    }
}

/// A gate that loads wait at.
final class Gate: Sendable {
    private let stream = AsyncStream<Void>.makeStream()
    func open() { stream.continuation.finish() }
    func pass() async { for await _ in stream.stream {} }
}

@MainActor struct FetchImageTests {
    @Test func `the model loads at once and publishes its state`() async {
        let bytes = gif(frames: 2)
        let loader = ScriptedLoader { _ in .init([bytes]) }
        let image = FetchImage(url: address, pipeline: pipeline(loader))
        #expect(image.isLoading)
        #expect(image.image == nil)
        await waiting { image.result != nil }
        #expect(!image.isLoading)
        #expect(image.image?.size == PixelSize(width: 4, height: 3))
        #expect(image.container?.isAnimated == true)
        #expect(image.error == nil)
        #expect(image.progress.completed == Int64(bytes.count))
        #expect(image.progress.total == Int64(bytes.count))
    }

    @Test func `a failed load is reported and can be retried`() async {
        let isBroken = Locked(true)
        let loader = ScriptedLoader { _ in
            isBroken.withLock { $0 }
                ? .init(failure: .init(.dns, "No such host.")) : .init([gif(frames: 1)])
        }
        let image = FetchImage(pipeline: pipeline(loader))
        var calls: [String] = []
        image.onStart = { _ in calls.append("start") }
        image.onSuccess = { _ in calls.append("success") }
        image.onFailure = { _ in calls.append("failure") }
        image.onCompletion = { _ in calls.append("completion") }
        image.load(address)
        await waiting { image.result != nil }
        guard case .dataLoadingFailed(let error) = image.error else {
            Issue.record("not failed")
            return
        }
        #expect(error.code == .dns)
        isBroken.withLock { $0 = false }
        image.fetch()
        #expect(image.error == nil)
        #expect(image.isLoading)
        await waiting { image.result != nil }
        #expect(image.image != nil)
        image.fetch()
        #expect(!image.isLoading)
        #expect(loader.requests.count == 2)
        #expect(calls == ["start", "failure", "completion", "start", "success", "completion"])
    }

    @Test func `a cancelled load can be started again`() async {
        let gate = Gate()
        let loader = ScriptedLoader { _ in .init([gif(frames: 1)], gate: { _ in await gate.pass() })
        }
        let image = FetchImage(url: address, pipeline: pipeline(loader))
        image.cancel()
        #expect(!image.isLoading)
        #expect(image.result == nil)
        gate.open()
        image.fetch()
        await waiting { image.result != nil }
        #expect(image.image != nil)
    }

    @Test func `releasing the model cancels the load`() async {
        let gate = Gate()
        let loader = ScriptedLoader { _ in .init([gif(frames: 1)], gate: { _ in await gate.pass() })
        }
        var task: ImageTask?
        var image: FetchImage? = FetchImage(pipeline: pipeline(loader))
        image?.onStart = { task = $0 }
        image?.load(address)
        weak let released = image
        image = nil
        #expect(released == nil)
        var result: FetchImage.Outcome?
        if let task {
            for await event in task.events {
                if case .finished(let outcome) = event { result = outcome }
            }
        }
        guard case .failure(.cancelled) = result else {
            Issue.record("not cancelled: \(String(describing: result))")
            return
        }
        gate.open()
    }

    @Test func `an image in memory is there at once`() async throws {
        let cache = ShelfCache()
        let loader = ScriptedLoader { _ in .init([gif(frames: 2)]) }
        let pipeline = pipeline(loader, cache: cache)
        let request = ImageRequest(url: address)
        let container = try await pipeline.response(for: request).container
        cache[ImageCacheKey(request)] = container
        let before = loader.requests.count
        let image = FetchImage(request: request, pipeline: pipeline)
        #expect(image.image == container.image)
        #expect(image.cacheType == .memory)
        #expect(!image.isLoading)
        #expect(loader.requests.count == before)
        var reloading = request
        reloading.options = [.reloadIgnoringCachedData]
        #expect(FetchImage(request: reloading, pipeline: pipeline).image == nil)
    }

    @Test func `the priority is that of the running load`() async {
        let gate = Gate()
        let loader = ScriptedLoader { _ in .init([gif(frames: 1)], gate: { _ in await gate.pass() })
        }
        let image = FetchImage(pipeline: pipeline(loader))
        var task: ImageTask?
        image.onStart = { task = $0 }
        image.priority = .high
        image.load(address)
        #expect(task?.priority == .high)
        image.priority = .veryLow
        #expect(task?.priority == .veryLow)
        gate.open()
        await waiting { image.result != nil }
    }

    @Test func `reset clears the state, and a new load replaces the previous one`() async {
        let loader = ScriptedLoader { request in
            .init([gif(frames: 1, width: request.url == address ? 4 : 8)])
        }
        let image = FetchImage(url: address, pipeline: pipeline(loader))
        image.load(lowAddress)
        await waiting { image.result != nil }
        #expect(image.image?.size.width == 8)
        image.reset()
        #expect(image.image == nil)
        #expect(image.result == nil)
        image.fetch()
        #expect(!image.isLoading)
    }

    @Test func `changes are made in the transaction`() async {
        let loader = ScriptedLoader { _ in .init([gif(frames: 1)]) }
        let image = FetchImage(pipeline: pipeline(loader))
        var depth = 0
        var changes = 0
        image.transaction = { change in
            depth += 1
            change()
            depth -= 1
            changes += 1
        }
        image.onSuccess = { _ in #expect(depth == 0) }
        image.load(address)
        await waiting { image.result != nil }
        #expect(changes >= 3)
    }

    @Test func `a deferred poster is decoded off the main thread`() async throws {
        let threads = Locked<[Bool]>([])
        let main = pthread_self()
        var media = ScriptedMedia(count: 2)
        media.willDecode = { _ in threads.withLock { $0.append(pthread_self() == main) } }
        let frames = FrameSequence(media)
        let request = ImageRequest(id: "late") { ImageContainer(undecoded: frames) }
        let fetch = FetchImage(
            request: request, pipeline: pipeline(ScriptedLoader { _ in .init([]) }))
        await waiting { fetch.result != nil }
        #expect(threads.withLock { $0 }.isEmpty)
        await waiting { fetch.image != nil }
        #expect(fetch.image?.size == PixelSize(width: 8, height: 6))
        #expect(threads.withLock { $0 } == [false])
    }
}
