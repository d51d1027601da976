import FoundationEssentials
import LazyBase
import LazyLoading
import LazyMedia
import Support
import Testing

@testable import LazyPipeline

/// Each option that changes behind a load: it applies at once, or the picture is loaded anew.
@MainActor struct OptionChangeTests {
    let loader = ScriptedLoader { request in
        .init([gif(frames: 2, width: request.headers["X-Wide"] == nil ? 4 : 6)])
    }

    func loaded(
        _ change: (inout LazyImageOptions) -> Void = { _ in }
    ) async throws -> LazyImage {
        var options = LazyImageOptions()
        change(&options)
        let image = LazyImage(
            request: ImageRequest(url: address), options: options,
            pipeline: ModelsTests.pipeline(loader), pool: FramePool(budget: 1 << 20),
            clock: ManualClock(), drive: .manual)
        image.onAppear()
        try await image.loaded()
        return image
    }

    nonisolated static let reloading: [(String, @Sendable (inout LazyImageOptions) -> Void, Int)] =
        [
            ("processors", { $0.processors = [.resize(width: 2)] }, 2),
            ("maxPixelSize", { $0.maxPixelSize = 2 }, 2),
            ("thumbnail", { $0.thumbnail = .init(maxPixelSize: 1) }, 1),
            ("headers", { $0.headers = ["X-Wide": "1"] }, 6),
            ("identifier", { $0.identifier = "other" }, 4),
            (
                "pipeline",
                {
                    $0.pipeline = ModelsTests.pipeline(
                        ScriptedLoader { _ in .init([gif(frames: 1, width: 9)]) })
                }, 9
            ),
        ]

    @Test(arguments: reloading)
    func `options that change the image reload it`(
        name: String, change: @Sendable (inout LazyImageOptions) -> Void, width: Int
    ) async throws {
        let image = try await loaded()
        let playback = image.playback
        change(&image.options)
        #expect(image.isLoading)
        // What was shown stays.
        #expect(image.image?.size.width == 4)
        #expect(try await image.loaded().image.size.width == width)
        #expect(image.image?.size.width == width)
        #expect(image.playback !== playback || image.playback == nil)
    }

    @Test(arguments: reloading)
    func `options alone start no load`(
        name: String, change: @Sendable (inout LazyImageOptions) -> Void, width: Int
    ) async throws {
        let image = LazyImage(url: address, pipeline: ModelsTests.pipeline(loader))
        change(&image.options)
        #expect(!image.isLoading)
        #expect(loader.requests.isEmpty)
        #expect(try await image.loaded().image.size.width == width)
    }

    @Test(arguments: reloading)
    func `an invisible image is reloaded only when it is wanted`(
        name: String, change: @Sendable (inout LazyImageOptions) -> Void, width: Int
    ) async throws {
        let image = try await loaded()
        image.onDisappear()
        change(&image.options)
        #expect(!image.isLoading)
        #expect(image.phase.name == "empty")
        image.onAppear()
        #expect(try await image.loaded().image.size.width == width)
    }

    @Test func `chained settings after the start of a load apply`() async throws {
        let gate = Gate()
        let loader = ScriptedLoader { _ in
            .init([gif(frames: 2, width: 4)], gate: { _ in await gate.pass() })
        }
        var options = LazyImageOptions()
        options.load = .loadImmediately
        let image = LazyImage(
            url: address, options: options, pipeline: ModelsTests.pipeline(loader)
        )
        .processors([.resize(width: 2)])
        image.load()
        gate.open()
        #expect(try await image.loaded().image.size.width == 2)
        // The download that had begun was shared, not begun twice.
        #expect(loader.requests.count == 1)
    }

    @Test func `equal options change nothing`() async throws {
        let image = try await loaded { $0.processors = [.resize(width: 2)] }
        image.processors([.resize(width: 2)])
        image.options = image.options
        image.options.pipeline = nil
        #expect(!image.isLoading)
    }

    @Test func `fetch options apply to the next load`() async throws {
        let image = try await loaded()
        image.options.fetchPolicy = .reload
        image.options.downloadDelay = .zero
        image.options.showsPreviews = false
        #expect(!image.isLoading)
        var request: ImageRequest?
        image.onStart { request = $0.request }
        image.reload()
        try await image.loaded()
        #expect(request?.loadRequest?.policy == .reload)
        #expect(request?.options.contains(.progressive) == false)
    }

    @Test func `the priority applies to the load in progress`() async throws {
        let gate = Gate()
        let loader = ScriptedLoader { _ in .init([gif(frames: 1)], gate: { _ in await gate.pass() })
        }
        let image = LazyImage(url: address, pipeline: ModelsTests.pipeline(loader))
        image.load()
        image.options.priority = .veryHigh
        #expect(image.fetch.handlePriority == .veryHigh)
        gate.open()
        try await image.loaded()
    }

    @Test func `display options apply at once`() async throws {
        let image = try await loaded()
        image.options.looping = .once
        #expect(image.playback?.looping == .once)
        image.options.isAnimationEnabled = false
        #expect(image.playback == nil)
        image.options.isAnimationEnabled = true
        #expect(image.playback != nil)
        image.options.contentMode = .fill
        #expect(image.frame(in: (10, 10)) == LayoutRect(x: 0, y: 0, width: 10, height: 10))
        image.options.transition = .fadeIn()
        #expect(image.opacity == 0)
        #expect(!image.isLoading)
    }

    @Test func `load options apply when the view appears`() async throws {
        let image = try await loaded()
        image.options.load = [.loadOnAppear, .lowerPriorityOnDisappear]
        image.reload()
        image.onDisappear()
        #expect(image.isLoading)
        #expect(image.fetch.priority == .veryLow)
    }

    @Test func `processors and pipeline of a fetch image restart its load`() async throws {
        let image = FetchImage(url: address, pipeline: ModelsTests.pipeline(loader))
        image.processors = [.resize(width: 2)]
        #expect(try await image.loaded().image.size.width == 2)
        image.processors = [.resize(width: 1)]
        #expect(image.image?.size.width == 2)
        #expect(try await image.loaded().image.size.width == 1)
        image.processors = [.resize(width: 1)]
        #expect(!image.isLoading)
        image.pipeline = ModelsTests.pipeline(
            ScriptedLoader { _ in .init([gif(frames: 1, width: 9, height: 27)]) })
        #expect(try await image.loaded().image.size.height == 3)
    }

    @Test func `models use the pipeline of the task's options`() async throws {
        let mine = ModelsTests.pipeline(loader)
        let image = LazyImageOptions.changing {
            $0.pipeline = mine
        } in: {
            LazyImageOptions.current.pipeline.map { LazyImage(url: address, pipeline: $0) }
        }
        #expect(image?.fetch.pipeline === mine)
        #expect(image?.options.pipeline === mine)
    }
}
