import FoundationEssentials
import LazyBase
import LazyLoading
import Support
import Testing

@Suite struct ConditionalLoaderTests {
    private let conditions = NetworkConditions()

    private func sparing(_ url: URL = address("http://host/a.gif")) -> LoadRequest {
        var request = LoadRequest(url: url)
        request.isConstrainedNetworkAllowed = false
        return request
    }

    @Test func `a constrained network refuses requests that do not allow it`() async throws {
        let network = ScriptedLoader { _ in .init([[1]]) }
        let loader = ConditionalLoader(network, conditions: conditions)
        #expect(try await loader.load(sparing()).body.collect() == [1])
        conditions.isConstrained = true
        #expect(await failure { try await loader.load(sparing()) }?.code == .constrained)
        #expect(network.requests.count == 1)
        _ = try await loader.load(LoadRequest(url: address("http://host/b")))
        _ = try await loader.load(sparing(address("file:///a")))
        #expect(network.requests.count == 3)
        conditions.isConstrained = false
        _ = try await loader.load(sparing())
    }

    @Test func `a fresh stored response is served on a constrained network`() async throws {
        let rig = CachingRig(["Cache-Control": "max-age=60"])
        let loader = ConditionalLoader(rig.loader, conditions: conditions)
        try await rig.load()
        conditions.isConstrained = true
        #expect(try await loader.load(sparing()).head.origin == .store)
        rig.clock.advance(by: .seconds(61))
        #expect(await failure { try await loader.load(sparing()) }?.code == .constrained)
        var old = sparing()
        old.policy = .cacheElseLoad
        #expect(try await loader.load(old).head.origin == .store)
        #expect(rig.network.requests.count == 1)
    }

    @Test func `a load without a head ends when the condition changes`() async throws {
        let gate = Gate()
        let network = ScriptedLoader { _ in .init([[1]]) { _ in await gate.wait() } }
        let loader = ConditionalLoader(network, conditions: conditions)
        let request = sparing()
        let task = Task { try await loader.load(request) }
        await gate.waitForArrival()
        conditions.isConstrained = true
        #expect(await failure { try await task.value }?.code == .constrained)
        #expect(network.live == 0)
    }

    @Test func `a body ends when the condition changes, and its bytes are kept`() async throws {
        let rig = CachingRig()
        let loader = ConditionalLoader(rig.loader, conditions: conditions)
        let answer = try await loader.load(sparing())
        _ = try await answer.body.next()
        conditions.isConstrained = true
        #expect(await failure { try await answer.body.next() }?.code == .constrained)
        #expect(rig.network.live == 0)
        #expect(rig.store.suspendedKeys.count == 1)
        conditions.isConstrained = false
        let second = try await loader.load(sparing())
        #expect(second.head.origin == .resumed)
        #expect(try await second.body.collect() == rig.body)
    }

    @Test func `a waiting body ends when the condition changes`() async throws {
        let gate = Gate()
        let network = ScriptedLoader { _ in .init([[1]]) { if $0 == 0 { await gate.wait() } } }
        let loader = ConditionalLoader(network, conditions: conditions)
        let answer = try await loader.load(sparing())
        let task = Task { try await answer.body.next() }
        await gate.waitForArrival()
        conditions.isConstrained = true
        #expect(await failure { try await task.value }?.code == .constrained)
        #expect(network.live == 0)
    }

    @Test func `changes begin with the current state`() async throws {
        var changes = conditions.changes.makeAsyncIterator()
        #expect(await changes.next() == false)
        conditions.isConstrained = true
        #expect(await changes.next() == true)
        conditions.isConstrained = true
        conditions.isConstrained = false
        #expect(await changes.next() == false)
        try await conditions.waitUntilUnconstrained()
        conditions.isConstrained = true
        let conditions = conditions
        let waiting = Task { try await conditions.waitUntilUnconstrained() }
        conditions.isConstrained = false
        try await waiting.value
    }

    @Test func `cancelling the task ends the wait`() async throws {
        conditions.isConstrained = true
        let conditions = conditions
        let waiting = Task { try await conditions.waitUntilUnconstrained() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }
}
