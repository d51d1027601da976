import FoundationEssentials
import LazyBase
import LazyLoading
import LazyMedia
import Observation
import Support
import Testing

@testable import LazyPipeline

/// What models tell of a load: state, callbacks, waiting, phases.
@MainActor struct ModelStateTests {
    let gate = Gate()

    func gated(_ frames: Int = 1) -> ImagePipeline {
        let gate = gate
        return pipeline(
            ScriptedLoader { _ in .init([gif(frames: frames)], gate: { _ in await gate.pass() }) })
    }

    func broken() -> ImagePipeline {
        pipeline(ScriptedLoader { _ in .init(failure: .init(.dns, "No such host.")) })
    }

    /// A pipeline whose memory cache has the picture.
    func filled() async throws -> ImagePipeline {
        let cache = ShelfCache()
        let pipeline = pipeline(ScriptedLoader { _ in .init([gif(frames: 2)]) }, cache: cache)
        let request = ImageRequest(url: address)
        cache[ImageCacheKey(request)] = try await pipeline.response(for: request).container
        return pipeline
    }

    @Test func `a lazy image reports progress and errors`() async {
        let image = LazyImage(url: address, pipeline: gated())
        #expect(!image.isLoading)
        image.load()
        #expect(image.isLoading)
        #expect(image.progress.completed == 0)
        gate.open()
        await waiting { !image.isLoading }
        #expect(image.progress.fraction == 1)
        #expect(image.error == nil)
        let failing = LazyImage(url: address, pipeline: broken())
        failing.load()
        await waiting { !failing.isLoading }
        #expect(failing.error?.name == "dataLoadingFailed")
    }

    // MARK: - Waiting

    @Test func `waiting for the image starts its load`() async throws {
        gate.open()
        let image = LazyImage(url: address, pipeline: gated(2))
        #expect(try await image.loaded().container.isAnimated)
        #expect(image.playback != nil)
        let fetch = FetchImage(pipeline: gated())
        await #expect(throws: PipelineError.self) { try await fetch.loaded() }
        fetch.load(address)
        #expect(try await fetch.loaded().image.size.width == 4)
        #expect(try await fetch.loaded().image.size.width == 4)
    }

    @Test func `an error is thrown and retried only on request`() async {
        let image = LazyImage(url: address, pipeline: broken())
        for _ in 1...2 {
            do throws(PipelineError) {
                try await image.loaded()
                Issue.record("loaded")
            } catch {
                #expect(error.name == "dataLoadingFailed")
            }
        }
        #expect(!image.isLoading)
    }

    @Test(arguments: ["cancel", "replace", "disappear", "waiter"])
    func `cancellation is a distinct outcome`(way: String) async {
        let image = LazyImage(url: address, pipeline: gated())
        image.onAppear()
        let waiter = Task { () -> String in
            do throws(PipelineError) {
                try await image.loaded()
                return "loaded"
            } catch .cancelled {
                return "cancelled"
            } catch {
                return error.name
            }
        }
        while image.fetch.waiters.isEmpty { await Task.yield() }
        switch way {
        case "cancel": image.fetch.cancel()
        case "replace": image.setSource(ImageRequest(url: lowAddress))
        case "disappear": image.onDisappear()
        default: waiter.cancel()
        }
        #expect(await waiter.value == "cancelled")
        #expect(image.isLoading == ["replace", "waiter"].contains(way))
        gate.open()
    }

    // MARK: - Phases

    @Test func `the sequence of phases never loses the last one`() async {
        let image = LazyImage(url: address, pipeline: gated())
        var names: [String] = []
        image.load()
        let phases = image.phases
        for await phase in phases {
            names.append(phase.name)
            gate.open()
            if phase.name == "success" { break }
        }
        #expect(names.first == "inProgress")
        #expect(names.last == "success")
        for await phase in image.phases {
            #expect(phase.name == "success")
            break
        }
    }

    @Test func `the sequence of phases ends with the model`() async {
        var image: LazyImage? = LazyImage(url: address, pipeline: gated())
        let phases = image?.phases
        image = nil
        var names: [String] = []
        if let phases { for await phase in phases { names.append(phase.name) } }
        #expect(names == ["empty"])
    }

    @Test func `phases can be read by other actors`() async {
        gate.open()
        let image = LazyImage(url: address, pipeline: gated())
        image.load()
        let phases = image.phases
        let name = await Task.detached { () -> String? in
            for await phase in phases where phase.container != nil { return phase.name }
            return nil
        }.value
        #expect(name == "success")
    }

    @Test func `changes can be observed as a sequence`() async {
        let image = LazyImage(url: address, pipeline: gated()).placeholder(nil)
        image.load()
        gate.open()
        let sizes = Observations { image.image?.size.width }
        for await width in sizes where width != nil {
            #expect(width == 4)
            break
        }
    }

    // MARK: - Callbacks

    @Test func `a memory hit calls callbacks that are set right after the initializer`()
        async throws
    {
        let pipeline = try await filled()
        var told: [String] = []
        let image = FetchImage(url: address, pipeline: pipeline)
        #expect(image.image != nil)
        image.onStart = { _ in told.append("start") }
        image.onSuccess = { told.append("success \($0.image.size.width)") }
        let done = AsyncStream<Void>.makeStream()
        image.onCompletion = { _ in
            told.append("completion")
            done.continuation.finish()
        }
        #expect(told.isEmpty)
        for await _ in done.stream {}
        #expect(told == ["success 4", "completion"])
    }

    @Test func `a load of the initializer calls callbacks that are set right after it`() async {
        var told: [String] = []
        let image = FetchImage(url: address, pipeline: gated())
        image.onStart = { told.append("start \($0.id > 0)") }
        image.onSuccess = { _ in told.append("success") }
        gate.open()
        await waiting { image.result != nil }
        #expect(told == ["start true", "success"])
    }

    @Test func `a lazy image reports a memory hit too`() async throws {
        let pipeline = try await filled()
        var told: [String] = []
        let done = AsyncStream<Void>.makeStream()
        let image = LazyImage(url: address, pipeline: pipeline)
            .onSuccess { _ in told.append("success") }
            .onCompletion { _ in done.continuation.finish() }
        image.onInfo = { told.append("info \($0.frameCount ?? 0)") }
        for await _ in done.stream {}
        #expect(told == ["info 2", "success"])
    }

    @Test func `callbacks of a cancelled load are not made`() async throws {
        let pipeline = try await filled()
        var told: [String] = []
        let image = FetchImage(url: address, pipeline: pipeline)
        image.onSuccess = { told.append("\($0.image.size.width)") }
        image.reset()
        image.load(address)
        let done = AsyncStream<Void>.makeStream()
        image.onCompletion = { _ in done.continuation.finish() }
        for await _ in done.stream {}
        #expect(told == ["4"])
    }

    @Test func `all published changes of a lazy image are made in the transaction`() async throws {
        let (depth, outside) = (Counter(), Counter())
        let image = LazyImage(url: address, pipeline: gated(2)).transaction { change in
            depth.count += 1
            change()
            depth.count -= 1
        }
        image.onInfo = { _ in #expect(depth.count == 0) }
        image.onSuccess { _ in #expect(depth.count == 0) }
        func watch() {
            withObservationTracking {
                _ = (image.phase.name, image.info?.size, image.playback, image.isVisible)
            } onChange: {
                MainActor.assumeIsolated {
                    if depth.count == 0 { outside.count += 1 }
                }
            }
        }
        watch()
        image.onAppear()
        watch()
        gate.open()
        while image.playback == nil {
            watch()
            await Task.yield()
        }
        #expect(outside.count == 0)
    }

    @Test func `a load that onSuccess starts does not suppress onCompletion`() async throws {
        let image = FetchImage(url: address, pipeline: try await filled())
        var told: [String] = []
        image.onSuccess = { [weak image] _ in
            told.append("success")
            if told.count == 1 { image?.load(lowAddress) }
        }
        image.onCompletion = { _ in told.append("completion") }
        while told.count < 4 { await Task.yield() }
        #expect(told == ["success", "completion", "success", "completion"])
    }

    @Test func `a released model calls nobody`() async throws {
        let pipeline = try await filled()
        var told: [String] = []
        var image: FetchImage? = FetchImage(url: address, pipeline: pipeline)
        image?.onSuccess = { _ in told.append("released") }
        image = nil
        let other = FetchImage(url: address, pipeline: pipeline)
        other.onSuccess = { _ in told.append("other") }
        while told.isEmpty { await Task.yield() }
        #expect(told == ["other"])
    }

    // MARK: - Observers

    @Test func `progress notifies the observers of progress alone`() {
        let image = FetchImage(url: address, pipeline: gated())
        let told = Locked<[String]>([])
        withObservationTracking {
            _ = (image.container, image.result, image.isLoading, image.phase)
        } onChange: {
            told.withLock { $0.append("phase") }
        }
        withObservationTracking {
            _ = (image.container, image.result, image.isLoading, image.cacheType)
        } onChange: {
            told.withLock { $0.append("result") }
        }
        image.apply { $0.receive(.progress(.init(completed: 1, total: 2))) }
        #expect(told.withLock { $0 } == ["phase"])
        image.cancel()
        #expect(told.withLock { $0 } == ["phase", "result"])
        gate.open()
    }

    // MARK: - Pictures that stand in

    @Test func `a poster can be a placeholder`() async throws {
        let poster = try await FrameSequence(ScriptedMedia(count: 2)).poster()
        let image = LazyImage(url: address, pipeline: broken())
            .placeholder(poster)
            .failureImage(poster)
        #expect(image.image == poster.bitmap)
        #expect(image.options.failureImage == poster.bitmap)
        image.placeholder(nil)
        #expect(image.image == nil)
    }
}

@MainActor final class Counter {
    var count = 0
}
