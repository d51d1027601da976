import FoundationEssentials
import LazyBase
import LazyLoading
import LazyMedia
import Support
import Testing

@testable import LazyPipeline

@MainActor struct LazyImageTests {
    let clock = ManualClock()
    let pool = FramePool(budget: 1 << 20)

    func image(
        _ pipeline: ImagePipeline, _ request: ImageRequest? = ImageRequest(url: address),
        _ change: (inout LazyImageOptions) -> Void = { _ in }
    ) -> LazyImage {
        var options = LazyImageOptions()
        change(&options)
        return LazyImage(
            request: request, options: options, pipeline: pipeline, pool: pool, clock: clock,
            drive: .manual)
    }

    func picture(_ red: UInt8) throws -> Bitmap {
        try Bitmap(size: PixelSize(width: 1, height: 1), isOpaque: true) { rows in
            rows.copyBytes(from: [red, 0, 0, 255])
        }
    }

    @Test func `the model goes through its phases and plays`() async throws {
        let gate = Gate()
        let loader = ScriptedLoader { _ in
            .init([gif(frames: 3)], gate: { _ in await gate.pass() })
        }
        // A preview would be news of its own.
        let image = image(pipeline(loader)) { $0.showsPreviews = false }
        let placeholder = try picture(7)
        image.options.placeholder = placeholder
        var infos: [ImageInfo] = []
        image.onInfo = {
            infos.append($0)
            #expect(image.playback == nil)
        }
        #expect(image.phase.name == "empty")
        #expect(image.image == placeholder)
        #expect(loader.requests.isEmpty)
        image.onAppear()
        #expect(image.phase.name == "inProgress")
        gate.open()
        await waiting { image.phase.name == "success" }
        #expect(infos.count == 1)
        #expect(infos.first?.frameCount == 3)
        #expect(infos.first?.isAnimated == true)
        #expect(infos.first?.duration == .milliseconds(300))
        #expect(infos.first?.frameBytes == 48)
        let playback = try #require(image.playback)
        #expect(image.image == image.phase.image)
        for red in [0, 255, 0] {
            await playback.update()
            #expect(image.image?[0, 0].x == UInt8(red))
            clock.advance(by: .milliseconds(100))
        }
        #expect(image.content { $0.name } == "success")
    }

    @Test func `a failure shows its image and can be retried`() async throws {
        let isBroken = Locked(true)
        let loader = ScriptedLoader { _ in
            isBroken.withLock { $0 }
                ? .init(failure: .init(.dns, "No such host.")) : .init([gif(frames: 1)])
        }
        let image = image(pipeline(loader))
        image.options.failureImage = try picture(9)
        image.onAppear()
        await waiting { image.phase.name == "failure" }
        #expect(image.image?[0, 0].x == 9)
        isBroken.withLock { $0 = false }
        guard case .failure(_, let retry) = image.phase else { return }
        retry()
        await waiting { image.phase.name == "success" }
        #expect(image.image?.size.width == 4)
        #expect(image.playback == nil)
    }

    @Test func `an invalid URL string fails when it is loaded`() async {
        let image = LazyImage("", pipeline: pipeline(ScriptedLoader { _ in .init() }))
        image.load()
        await waiting { image.phase.error != nil }
        guard case .requestMissing = image.phase.error else {
            Issue.record("\(String(describing: image.phase.error))")
            return
        }
    }

    @Test func `the load is cancelled on disappear and restarted on appear`() async {
        let gate = Gate()
        let loader = ScriptedLoader { _ in
            .init([gif(frames: 2)], gate: { _ in await gate.pass() })
        }
        let image = image(pipeline(loader))
        image.onAppear()
        image.onDisappear()
        #expect(image.phase.name == "empty")
        gate.open()
        image.onAppear()
        await waiting { image.phase.name == "success" }
        image.onDisappear()
        #expect(image.playback?.state == .paused)
        #expect(image.phase.name == "success")
        image.onAppear()
        #expect(image.playback?.isOnScreen == true)
    }

    @Test func `the priority is lowered on disappear if wanted`() async {
        let gate = Gate()
        let loader = ScriptedLoader { _ in
            .init([gif(frames: 1)], gate: { _ in await gate.pass() })
        }
        let image = image(pipeline(loader)) {
            $0.load = [.loadImmediately, .lowerPriorityOnDisappear]
            $0.priority = .high
        }
        #expect(image.phase.name == "inProgress")
        image.onDisappear()
        #expect(image.fetch.priority == .veryLow)
        image.onAppear()
        #expect(image.fetch.priority == .high)
        gate.open()
        await waiting { image.phase.name == "success" }
    }

    @Test func `options are applied to the request`() async {
        let loader = ScriptedLoader { _ in .init([gif(frames: 1)]) }
        let image = image(pipeline(loader)) {
            $0.fetchPolicy = .cacheElseLoad
            $0.maxPixelSize = 2
            $0.identifier = "cat"
        }
        var task: ImageTask?
        image.onCreated { $0.fetch.onStart = { task = $0 } }
        image.load()
        await waiting { image.phase.name == "success" }
        #expect(task?.request.imageID == "cat")
        #expect(task?.request.loadRequest?.policy == .cacheElseLoad)
        #expect(
            task?.request.thumbnail?.size == TargetSize(width: 2, height: 2, fit: .scaleDown))
    }

    @Test func `the image fades in by its clock, but not from the memory cache`() async throws {
        let cache = ShelfCache()
        let pipeline = pipeline(ScriptedLoader { _ in .init([gif(frames: 1)]) }, cache: cache)
        let image = image(pipeline) { $0.transition = .fadeIn() }
        image.onAppear()
        await waiting { image.phase.name == "success" }
        #expect(image.opacity == 0)
        clock.advance(by: .milliseconds(165))
        #expect(abs(image.opacity - 0.5) < 0.001)
        clock.advance(by: .milliseconds(165))
        #expect(image.opacity == 1)
        let request = ImageRequest(url: address)
        cache[ImageCacheKey(request)] = image.phase.container
        let cached = try #require(
            LazyImage.cached(
                request, options: image.options, pipeline: pipeline))
        #expect(cached.phase.name == "success")
        #expect(cached.opacity == 1)
        #expect(
            LazyImage.cached(ImageRequest(url: lowAddress), pipeline: pipeline) == nil)
    }

    @Test func `a GIF plays while it is downloaded`() async throws {
        let gates = [Gate(), Gate()]
        let bytes = gif(frames: 4)
        let cut = gif(frames: 2).count - 1
        let loader = ScriptedLoader { _ in
            .init([Array(bytes[..<cut]), Array(bytes[cut...])]) { index in
                if index >= 0 { await gates[index].pass() }
            }
        }
        var configuration = pipeline(loader).configuration
        configuration.isProgressiveDecodingEnabled = true
        configuration.progressiveDecodingInterval = .zero
        let image = image(ImagePipeline(configuration: configuration))
        image.onAppear()
        gates[0].open()
        await waiting { image.phase.name == "preview" }
        let playback = try #require(image.playback)
        await playback.update()
        #expect(playback.frame?.index == 0)
        clock.advance(by: .milliseconds(100))
        await playback.update()
        #expect(playback.frame?.index == 1)
        clock.advance(by: .milliseconds(500))
        await playback.update()
        #expect(playback.state == .waiting)
        gates[1].open()
        await waiting { image.phase.name == "success" }
        await playback.update()
        #expect(image.playback === playback)
        #expect(playback.frame?.index == 2)
        #expect(playback.state == .playing)
    }

    @Test func `a new source replaces the previous one`() async {
        let loader = ScriptedLoader { request in
            .init([gif(frames: 2, width: request.url == address ? 4 : 8)])
        }
        let image = image(pipeline(loader))
        image.onAppear()
        await waiting { image.phase.name == "success" }
        image.setSource(ImageRequest(url: lowAddress))
        #expect(image.phase.name == "inProgress")
        await waiting { image.phase.name == "success" }
        #expect(image.info?.size.width == 8)
        image.setSource(nil)
        #expect(image.phase.name == "empty")
        #expect(image.playback == nil)
    }

    @Test func `a load cancelled after a preview restarts on appear`() async {
        let gates = [Gate(), Gate()]
        let bytes = gif(frames: 4)
        let cut = gif(frames: 2).count - 1
        let loader = ScriptedLoader { _ in
            .init([Array(bytes[..<cut]), Array(bytes[cut...])]) { index in
                if index >= 0 { await gates[index].pass() }
            }
        }
        var configuration = pipeline(loader).configuration
        configuration.isProgressiveDecodingEnabled = true
        let image = image(ImagePipeline(configuration: configuration))
        image.onAppear()
        gates[0].open()
        await waiting { image.phase.name == "preview" }
        image.onDisappear()
        #expect(image.phase.name == "preview")
        gates[1].open()
        image.onAppear()
        await waiting { image.phase.name == "success" }
        #expect(loader.requests.count == 2)
    }

    @Test func `a failed load is retried on appear`() async {
        let isBroken = Locked(true)
        let loader = ScriptedLoader { _ in
            isBroken.withLock { $0 }
                ? .init(failure: .init(.dns, "No such host.")) : .init([gif(frames: 1)])
        }
        let image = image(pipeline(loader))
        image.onAppear()
        await waiting { image.phase.name == "failure" }
        isBroken.withLock { $0 = false }
        image.onDisappear()
        image.onAppear()
        await waiting { image.phase.name == "success" }
        #expect(loader.requests.count == 2)
    }

    @Test func `a request keeps its priority if the options set none`() async {
        let gate = Gate()
        let loader = ScriptedLoader { _ in
            .init([gif(frames: 1)], gate: { _ in await gate.pass() })
        }
        let request = ImageRequest(url: address, priority: .high)
        let image = image(pipeline(loader), request) {
            $0.load = [.loadImmediately, .lowerPriorityOnDisappear]
        }
        var priorities: [Priority?] = []
        func note() { priorities.append(image.fetch.handlePriority) }
        note()
        image.onAppear()
        note()
        image.onDisappear()
        note()
        image.onAppear()
        note()
        #expect(priorities == [.high, .high, .veryLow, .high])
        gate.open()
    }
}

struct LayoutTests {
    @Test(arguments: [
        (ContentMode.aspectFit, LayoutRect(x: 0, y: 25, width: 100, height: 50)),
        (.aspectFill, LayoutRect(x: -50, y: 0, width: 200, height: 100)),
        (.fill, LayoutRect(x: 0, y: 0, width: 100, height: 100)),
        (.center, LayoutRect(x: 40, y: 45, width: 20, height: 10)),
    ])
    func `an image of 20 by 10 is laid out in a square of 100`(mode: ContentMode, rect: LayoutRect)
    {
        #expect(mode.frame(for: (20, 10), in: (100, 100)) == rect)
    }

    @Test(arguments: [(0.0, 10.0), (10, 0), (-1, 5), (.infinity, 5), (.nan, 1)])
    func `an empty size has an empty frame`(width: Double, height: Double) {
        #expect(
            ContentMode.aspectFit.frame(for: (20, 10), in: (width, height))
                == LayoutRect(x: 0, y: 0, width: 0, height: 0))
    }

    @Test(arguments: [(-5, 0.0), (0, 0), (50, 0.25), (99, 0.9801), (100, 1), (900, 1)])
    func `opacity follows its curve`(milliseconds: Int, opacity: Double) {
        let transition = ImageTransition(duration: .milliseconds(100)) { $0 * $0 }
        #expect(abs(transition.opacity(after: .milliseconds(milliseconds)) - opacity) < 1e-9)
        #expect(ImageTransition.none.opacity(after: .milliseconds(milliseconds)) == 1)
    }
}

extension FetchImage {
    /// That of the load under way.
    var handlePriority: Priority? { task?.priority }
}
