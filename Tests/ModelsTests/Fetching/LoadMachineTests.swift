import FoundationEssentials
import LazyMedia
import Support
import Testing

@testable import LazyPipeline

/// What a load shows and requires, event by event.
struct LoadMachineTests {
    private var machine = LoadMachine()
    private var request = ImageRequest(url: address)

    init() { request.lowDataURL = lowAddress }

    private func picture(isPreview: Bool = false) -> ImageContainer {
        var container = ImageContainer(undecoded: FrameSequence(ScriptedMedia(count: 2)))
        container.isPreview = isPreview
        return container
    }

    private func response(isLowData: Bool = false) -> ImageResponse {
        ImageResponse(
            container: picture(), request: request, substitute: isLowData ? lowAddress : nil)
    }

    private mutating func load(cached: ImageContainer? = nil) -> String {
        machine.load(request, as: request, cached: cached).name
    }

    @Test mutating func `a load begins, reports and finishes`() {
        #expect(load() == "begin")
        #expect(machine.isLoading && machine.hasBegun)
        let progress = ImageTask.Progress(completed: 1, total: 2)
        #expect(machine.receive(.progress(progress)).name == "report")
        #expect(machine.progress == progress)
        #expect(machine.receive(.preview(response())).name == "preview")
        #expect(machine.result == nil && machine.container != nil)
        #expect(machine.receive(.finished(.success(response()))).name == "finish")
        #expect(!machine.isLoading && machine.result != nil)
        #expect(!machine.awaitsUpgrade)
    }

    @Test mutating func `an image in memory needs no task`() {
        _ = load()
        _ = machine.receive(.progress(.init(completed: 1, total: 2)))
        #expect(load(cached: picture()) == "hit")
        #expect(!machine.isLoading && machine.cacheType == .memory)
        #expect(machine.progress.completed == 0)
    }

    @Test mutating func `a preview in memory is shown while the rest is loaded`() {
        #expect(load(cached: picture(isPreview: true)) == "begin")
        #expect(machine.container?.isPreview == true && machine.isLoading)
        #expect(machine.result == nil)
    }

    @Test mutating func `another source clears the image, another load of the same does not`() {
        _ = load()
        _ = machine.receive(.finished(.success(response())))
        #expect(machine.start(request, cached: nil).name == "begin")
        #expect(machine.container != nil && machine.result == nil)
        #expect(load() == "begin")
        #expect(machine.container == nil)
    }

    @Test mutating func `a failure keeps the image`() {
        _ = load()
        _ = machine.receive(.finished(.success(response())))
        _ = machine.start(request, cached: nil)
        #expect(machine.receive(.finished(.failure(.requestMissing))).name == "finish")
        #expect(machine.container != nil && !machine.isLoading)
    }

    @Test mutating func `cancelling keeps what is shown, and a reset clears it`() {
        _ = load()
        _ = machine.receive(.preview(response()))
        #expect(machine.cancel().name == "end")
        #expect(machine.container != nil && machine.source != nil && !machine.hasBegun)
        #expect(machine.reset().name == "end")
        #expect(machine.container == nil && machine.source == nil)
    }

    @Test mutating func `each load and each end of one has its revision`() {
        var revisions: Set<Int> = [machine.revision]
        _ = load()
        revisions.insert(machine.revision)
        _ = machine.receive(.finished(.success(response())))
        #expect(revisions.contains(machine.revision))
        _ = machine.cancel()
        revisions.insert(machine.revision)
        _ = load(cached: picture())
        revisions.insert(machine.revision)
        #expect(revisions.count == 4)
    }

    // MARK: - Low data

    @Test mutating func `the end of the constraint starts an upgrade, or makes one due`() {
        var startsNow = machine.endConstraint()
        #expect(!startsNow)
        _ = load()
        _ = machine.receive(.finished(.success(response(isLowData: true))))
        startsNow = machine.endConstraint()
        #expect(startsNow && machine.awaitsUpgrade)
        #expect(machine.start(request, cached: nil, isUpgrade: true).name == "begin")
        #expect(machine.result != nil && machine.isLowData)
        startsNow = machine.endConstraint()
        #expect(!startsNow && machine.isUpgradeDue)
        _ = machine.receive(.finished(.success(response())))
        #expect(!machine.awaitsUpgrade)
    }

    @Test mutating func `an upgrade shows no previews, and its failure no error`() {
        _ = load()
        _ = machine.receive(.finished(.success(response(isLowData: true))))
        _ = machine.start(request, cached: nil, isUpgrade: true)
        #expect(machine.receive(.preview(response())).name == "nothing")
        #expect(machine.receive(.finished(.failure(.requestMissing))).name == "end")
        #expect(machine.awaitsUpgrade && !machine.isLoading)
    }
}

extension LoadMachine.Action {
    /// The name of the case.
    fileprivate var name: String {
        switch self {
        case .nothing: "nothing"
        case .begin: "begin"
        case .end: "end"
        case .report: "report"
        case .preview: "preview"
        case .hit: "hit"
        case .finish: "finish"
        }
    }
}
