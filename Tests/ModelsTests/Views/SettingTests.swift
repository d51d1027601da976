import FoundationEssentials
import LazyBase
import LazyLoading
import LazyMedia
import Support
import Testing

@testable import LazyPipeline

/// How a place is set up, and what a caller makes of its state.
@MainActor struct SettingTests {
    let loader = ScriptedLoader { _ in .init([gif(frames: 2)]) }

    @Test func `chained settings change the options`() async throws {
        let picture = try Bitmap(size: PixelSize(width: 1, height: 1), isOpaque: true) { rows in
            rows.copyBytes(from: [9, 0, 0, 255])
        }
        var told: [String] = []
        let image = LazyImage(address.absoluteString, pipeline: pipeline(loader))
            .placeholder(picture)
            .failureImage(picture)
            .transition(.fadeIn())
            .contentMode(.center)
            .looping(.once)
            .priority(.high)
            .onStart { told.append("start \($0.priority)") }
            .onProgress { _ in told.append("progress") }
            .onSuccess { told.append("success \($0.image.size.width)") }
            .onFailure { _ in told.append("failure") }
            .onCompletion { _ in told.append("completion") }
        #expect(image.image == picture)
        #expect(image.options.failureImage == picture)
        #expect(image.options.transition.duration == .milliseconds(330))
        #expect(image.options.contentMode == .center)
        #expect(image.options.looping == .once)
        image.onAppear()
        await waiting { image.phase.name == "success" }
        #expect(told.first == "start high")
        #expect(told.suffix(2) == ["success 4", "completion"])
        #expect(!told.contains("failure"))
    }

    @Test func `by default the image fills its bounds and keeps its aspect ratio`() async {
        let image = LazyImage(address.absoluteString, pipeline: pipeline(loader))
        image.load()
        await waiting { image.phase.name == "success" }
        let rect = image.frame(in: (8, 12))
        #expect(rect == LayoutRect(x: -4, y: 0, width: 16, height: 12))
    }

    @Test func `a gray rectangle is shown while loading and after a failure`() async throws {
        let gate = Gate()
        let loader = ScriptedLoader { _ in
            .init(failure: .init(.dns, "No such host."), gate: { _ in await gate.pass() })
        }
        let image = LazyImage(url: address, pipeline: pipeline(loader)).contentMode(.aspectFit)
        let gray = try #require(LazyImageOptions.grayRectangle)
        image.load()
        #expect(image.phase.name == "inProgress" && image.image == gray)
        #expect(image.frame(in: (30, 10)) == LayoutRect(x: 0, y: 0, width: 30, height: 10))
        gate.open()
        await waiting { image.phase.name == "failure" }
        #expect(image.image == gray)
        image.placeholder(nil)
        #expect(image.image == nil && image.frame(in: (30, 10)) == nil)
    }

    @Test func `each of the four states has its closure`() async {
        let isBroken = Locked(true)
        let gate = Gate()
        let loader = ScriptedLoader { _ in
            isBroken.withLock { $0 }
                ? .init(failure: .init(.dns, "No such host."), gate: { _ in await gate.pass() })
                : .init([gif(frames: 2)])
        }
        let image = LazyImage(address.absoluteString, pipeline: pipeline(loader))
        var again: (@MainActor () -> Void)?
        func page() -> String {
            image.content {
                "empty"
            } inProgress: { progress in
                "\(progress.completed) bytes"
            } failure: { error, retry in
                again = retry
                return error.name
            } content: { picture, info in
                "\(info.size.width)x\(info.size.height) \(info.frameCount ?? 0)"
            }
        }
        #expect(page() == "empty")
        image.onAppear()
        #expect(page() == "0 bytes")
        gate.open()
        await waiting { image.phase.error != nil }
        #expect(page() == "dataLoadingFailed")
        isBroken.withLock { $0 = false }
        again?()
        await waiting { image.phase.name == "success" }
        #expect(page() == "4x3 2")
    }

    @Test func `task-local options apply to models created there`() async {
        func make() -> LazyImage { LazyImage(url: address, pipeline: pipeline(loader)) }
        let inside = LazyImageOptions.changing {
            $0.maxPixelSize = 600
        } in: {
            LazyImageOptions.changing({ $0.contentMode = .fill }, in: make)
        }
        #expect(inside.options.maxPixelSize == 600)
        #expect(inside.options.contentMode == .fill)
        #expect(make().options.maxPixelSize == nil)
        let later = await LazyImageOptions.changing {
            $0.priority = .low
        } in: {
            await Task { make() }.value
        }
        #expect(later.options.priority == .low)
    }

    @Test func `fetch policy and delay are options too`() async throws {
        var options = LazyImageOptions()
        options.returnStoreElseLoad()
        options.headers = ["Accept": "image/gif", "X-Own": "1"]
        options.thumbnail = .init(size: TargetSize(width: 2, height: 1))
        options.showsPreviews = false
        var load = LoadRequest(url: address, headers: ["accept": "*/*", "X-Old": "0"])
        load.readTimeout = .seconds(1)
        var request: ImageRequest?
        let image = LazyImage(
            request: ImageRequest(loadRequest: load), options: options,
            pipeline: pipeline(loader)
        ).onStart { request = $0.request }
        image.load()
        let asked = try #require(request)
        #expect(asked.downloadDelay == .milliseconds(250))
        #expect(asked.loadRequest?.policy == .cacheElseLoad)
        #expect(asked.loadRequest?.headers["Accept"] == "image/gif")
        #expect(asked.loadRequest?.headers["X-Own"] == "1")
        #expect(asked.loadRequest?.headers["X-Old"] == "0")
        #expect(asked.thumbnail?.size == TargetSize(width: 2, height: 1))
        #expect(!asked.options.contains(.progressive))
        image.fetch.cancel()
        #expect(loader.requests.isEmpty)
    }

    @Test func `previews are shown by default`() async {
        let gate = Gate()
        let bytes = gif(frames: 4)
        let cut = gif(frames: 2).count - 1
        let loader = ScriptedLoader { _ in
            .init([Array(bytes[..<cut]), Array(bytes[cut...])]) { index in
                if index == 1 { await gate.pass() }
            }
        }
        let image = LazyImage(address.absoluteString, pipeline: pipeline(loader))
        image.onAppear()
        await waiting { image.phase.name == "preview" }
        #expect(image.info?.isPreview == true)
        gate.open()
        await waiting { image.phase.name == "success" }
        #expect(image.info?.frameCount == 4)
    }
}

struct MagnificationTests {
    let rect = LayoutRect(x: 0, y: 25, width: 100, height: 50)
    let place = (width: 100.0, height: 100.0)

    @Test func `magnification starts at scale 1`() {
        #expect(Magnification().frame(of: rect, in: place) == rect)
        #expect(Magnification(range: 2...3).scale == 2)
    }

    @Test func `the point under the pointer stays in place`() {
        var magnification = Magnification()
        magnification.scale(by: 4, around: (25, 50), of: rect, in: place)
        let shown = magnification.frame(of: rect, in: place)
        #expect(shown == LayoutRect(x: -75, y: -50, width: 400, height: 200))
        // A quarter from the left, and half way down: as before.
        #expect((25 - shown.x) / shown.width == 0.25)
        #expect((50 - shown.y) / shown.height == 0.5)
    }

    @Test func `the scale stays in its range and recenters`() {
        var magnification = Magnification()
        magnification.scale(by: 100, around: (0, 0), of: rect, in: place)
        #expect(magnification.scale == 4)
        magnification.scale(by: 0.001, around: (90, 90), of: rect, in: place)
        #expect(magnification.scale == 1)
        #expect(magnification.frame(of: rect, in: place) == rect)
    }

    @Test func `edges stop a drag, and moving back starts at once`() {
        var magnification = Magnification()
        magnification.scale(by: 2, around: (50, 50), of: rect, in: place)
        magnification.move(by: (1000, 1000), of: rect, in: place)
        #expect(
            magnification.frame(of: rect, in: place)
                == LayoutRect(x: 0, y: 0, width: 200, height: 100))
        magnification.move(by: (-10, 0), of: rect, in: place)
        #expect(magnification.frame(of: rect, in: place).x == -10)
        magnification.reset()
        #expect(magnification == Magnification())
    }

    @Test(arguments: [0.0, -1, .nan, .infinity])
    func `an invalid factor changes nothing`(factor: Double) {
        var magnification = Magnification()
        magnification.scale(by: factor, around: (0, 0), of: rect, in: place)
        magnification.move(by: (factor / 0, 0), of: rect, in: place)
        #expect(magnification == Magnification())
    }
}
