import FoundationEssentials
import LazyBase
import LazyLoading
import Support
import Testing

/// Concurrent loads, cancelled, dropped, failed and constrained at random.
@Suite struct RandomLoadsTests {
    private static func body(_ name: String) -> [UInt8] {
        let seed = Int(name.utf8.last ?? 0)
        return (0..<(2_000 + seed * 10)).map { UInt8(truncatingIfNeeded: $0 &* seed / 5) }
    }

    @Test(arguments: [true, false]) func `each load ends once and leaks nothing`(
        isOnDisk: Bool
    ) async throws {
        let clock = ManualClock()
        let random = Locked(SplitMix(isOnDisk ? 1 : 2))
        let roll: @Sendable (Int) -> Int = { count in
            random.withLock { .random(in: 0..<count, using: &$0) }
        }
        let names = (0..<6).map { "/\($0)" }
        let bodies = Dictionary(uniqueKeysWithValues: names.map { ($0, Self.body($0)) })
        let origins = bodies.mapValues { body in
            let origin = Origin(
                body, headers: ["Cache-Control": "max-age=2, stale-while-revalidate=2"],
                wall: { clock.wall })
            origin.change { state in
                state.pieceSize = 500
                state.edit = { answer, _ in
                    if roll(4) == 0 {
                        answer.pieces = Array(answer.pieces.prefix(roll(answer.pieces.count + 1)))
                        answer.bodyFailure = LoadingError(.reset, "Lost.")
                    }
                    answer.gate = { _ in if roll(3) == 0 { await Task.yield() } }
                }
            }
            return origin
        }
        let network = ScriptedLoader { request in
            origins[request.url.path()]?.answer(to: request) ?? .init()
        }
        let memory = MemoryStore()
        let folder = Scratch()
        let store: any EntryStoring =
            isOnDisk ? try DiskStore(folder: folder.path, clocks: clock.clocks) : memory
        let conditions = NetworkConditions()
        let retrying = RetryingLoader(
            network, policy: RetryPolicy(firstDelay: .zero), clocks: clock.clocks)
        let caching = CachingLoader(retrying, store: store, clocks: clock.clocks)
        let loader = LocalLoader(next: ConditionalLoader(caching, conditions: conditions))

        let ends = await withTaskGroup(of: [String].self) { group in
            for _ in 0..<8 {
                group.addTask { @Sendable () async -> [String] in
                    var ends: [String] = []
                    for _ in 0..<80 {
                        let name = names[roll(names.count)]
                        let end = await Self.load(name, loader, roll) { got in
                            bodies[name]?.starts(with: got) == true
                        }
                        ends.append(end)
                        if roll(10) == 0 { clock.advance(by: .seconds(roll(4))) }
                        if roll(20) == 0 { conditions.isConstrained.toggle() }
                    }
                    return ends
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        await caching.waitForRevalidations()
        #expect(network.live == 0)
        #expect(memory.liveWriters == 0)
        let counts = Dictionary(grouping: ends) { $0 }.mapValues(\.count)
        #expect(ends.count == 640)
        #expect(counts["wrong"] == nil)
        #expect(counts["whole", default: 0] > 50)
        #expect(counts["cancelled", default: 0] > 0)
    }

    /// A load that may be cancelled or dropped; returns how it ended.
    private static func load(
        _ name: String, _ loader: any DataLoading, _ roll: @escaping @Sendable (Int) -> Int,
        isRight: @escaping @Sendable ([UInt8]) -> Bool
    ) async -> String {
        var request = LoadRequest(
            url: address("http://host\(name)"),
            policy: [.normal, .normal, .normal, .reload, .cacheElseLoad, .cacheOnly][roll(6)])
        request.isConstrainedNetworkAllowed = roll(2) == 0
        let stopAfter = roll(4) == 0 ? roll(8) : .max
        let task = Task { [request] in
            let response = try await loader.load(request)
            var got: [UInt8] = []
            for _ in 0..<stopAfter {
                guard let piece = try await response.body.next() else {
                    return isRight(got) && got.count == response.head.expectedCount
                        ? "whole" : "wrong"
                }
                got += piece
            }
            return isRight(got) ? "dropped" : "wrong"
        }
        if roll(4) == 0 {
            for _ in 0..<roll(6) { await Task.yield() }
            task.cancel()
        }
        do { return try await task.value } catch {
            return (error as? LoadingError)?.code.rawValue ?? "\(error)"
        }
    }
}
