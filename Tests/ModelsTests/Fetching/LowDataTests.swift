import FoundationEssentials
import LazyBase
import LazyLoading
import LazyMedia
import Support
import Testing

@testable import LazyPipeline

/// A picture of 8 pixels at `address` and one of 2 at `lowAddress`, on a network that may be constrained.
@MainActor struct LowDataTests {
    let conditions = NetworkConditions(isConstrained: true)
    let outage = Outage()
    let loader: ScriptedLoader
    let pipeline: ImagePipeline

    init() {
        let (conditions, outage) = (conditions, outage)
        loader = ScriptedLoader { request in
            if !request.isConstrainedNetworkAllowed, conditions.isConstrained {
                return .init(failure: .init(.constrained, "The network is constrained."))
            }
            if outage.isOn.withLock({ $0 }) { return .init(failure: .init(.dns, "No such host.")) }
            return .init([gif(frames: 1, width: request.url == lowAddress ? 2 : 8)])
        }
        pipeline = ModelsTests.pipeline(loader, conditions: conditions)
    }

    var request: ImageRequest {
        var request = ImageRequest(url: address)
        request.lowDataURL = lowAddress
        return request
    }

    @Test func `two URLs make a request with a low-data URL`() async throws {
        let image = FetchImage(
            regularURL: address, lowDataURL: lowAddress, pipeline: pipeline)
        let response = try await image.loaded()
        #expect(response.isLowData)
        #expect(image.isLowData)
        #expect(image.image?.size.width == 2)
        conditions.isConstrained = false
        await waiting { !image.isLowData }
        #expect(image.image?.size.width == 8)
        #expect(loader.requests.map(\.url) == [address, lowAddress, address])
    }

    @Test(arguments: [true, false])
    func `a lazy image is upgraded when the constraint ends`(isOption: Bool) async throws {
        let plain = ImageRequest(url: address)
        let image = LazyImage(request: isOption ? plain : request, pipeline: pipeline)
        if isOption { image.lowData(lowAddress) }
        image.onAppear()
        try await image.loaded()
        #expect(image.isLowData)
        #expect(image.image?.size.width == 2)
        conditions.isConstrained = false
        await waiting { !image.isLowData }
        #expect(image.image?.size.width == 8)
        #expect(image.info?.size.width == 8)
    }

    @Test func `the low-data image stays while the full one is loaded`() async throws {
        let image = LazyImage(request: request, pipeline: pipeline)
        image.load()
        try await image.loaded()
        var names: Set<String> = []
        let phases = image.phases
        conditions.isConstrained = false
        for await phase in phases {
            names.insert(phase.name)
            if !image.isLowData { break }
        }
        #expect(names == ["success"])
    }

    @Test func `a failed upgrade keeps the image and can be retried`()
        async throws
    {
        let image = FetchImage(request: request, pipeline: pipeline)
        try await image.loaded()
        outage.isOn.withLock { $0 = true }
        conditions.isConstrained = false
        while loader.requests.count < 3 { await Task.yield() }
        await waiting { !image.isLoading }
        #expect(image.error == nil)
        #expect(image.image?.size.width == 2)
        #expect(image.isLowData)
        outage.isOn.withLock { $0 = false }
        image.fetch()
        await waiting { !image.isLowData }
        #expect(image.image?.size.width == 8)
    }

    @Test func `a loader that refuses more than the conditions is not asked forever`() async throws
    {
        let loader = ScriptedLoader { request in
            request.isConstrainedNetworkAllowed
                ? .init([gif(frames: 1, width: 2)])
                : .init(failure: .init(.constrained, "Always."))
        }
        let free = NetworkConditions()
        let image = FetchImage(
            request: request, pipeline: ModelsTests.pipeline(loader, conditions: free))
        try await image.loaded()
        while loader.requests.count < 4 { await Task.yield() }
        await waiting { !image.isLoading }
        // The one upgrade is over; nothing else is under way or awaited.
        #expect(image.task == nil && image.isLowData)
        #expect(loader.requests.count == 4)
    }

    @Test func `an invisible model is not upgraded until it appears`() async throws {
        let image = LazyImage(request: request, pipeline: pipeline)
        image.onAppear()
        try await image.loaded()
        image.onDisappear()
        conditions.isConstrained = false
        #expect(image.fetch.watch == nil)
        #expect(loader.requests.count == 2)
        image.onAppear()
        await waiting { !image.isLowData }
        #expect(image.image?.size.width == 8)
    }

    @Test func `other errors do not load the low-data image`() async {
        outage.isOn.withLock { $0 = true }
        conditions.isConstrained = false
        let image = FetchImage(request: request, pipeline: pipeline)
        await waiting { image.result != nil }
        #expect(image.error != nil)
        #expect(loader.requests.count == 1)
    }
}

/// Whether the server cannot be found.
final class Outage: Sendable {
    let isOn = Locked(false)
}
