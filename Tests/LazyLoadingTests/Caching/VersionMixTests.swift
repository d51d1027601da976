import FoundationEssentials
import LazyBase
import LazyLoading
import Support
import Testing

/// A server whose resource changes at random, with randomly interrupted connections.
@Suite struct VersionMixTests {
    // Each byte says its version and its place, so that a mixture shows.
    private static func body(_ version: Int, count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: ($0 / 3) &* 7 &+ version &* 31) }
    }

    private static func isBeginning(_ got: [UInt8], of body: [UInt8]) -> Bool {
        got.count <= body.count && body[..<got.count] == got[...]
    }

    @Test(arguments: 0..<12) func `a load returns one whole version or an error`(
        seed: Int
    ) async throws {
        let random = Locked(SplitMix(UInt64(seed)))
        let roll: @Sendable (Int) -> Int = { count in
            random.withLock { .random(in: 0..<count, using: &$0) }
        }
        let rig = CachingRig(["Cache-Control": "max-age=5, stale-while-revalidate=5"])
        let counts = (0..<100).map { _ in 1 + roll(3_000) }
        let bodies = counts.indices.map { Self.body($0, count: counts[$0]) }
        rig.origin.change { state in
            state.pieceSize = 250
            state.body = bodies[1]
            state.edit = { answer, _ in
                // Some servers misbehave: no ranges, lost tags, cuts without a word.
                let isCut = roll(3) == 0
                if isCut {
                    let kept = roll(answer.pieces.count + 1)
                    answer.pieces = Array(answer.pieces.prefix(kept))
                    answer.bodyFailure = roll(4) > 0 ? LoadingError(.reset, "Lost.") : nil
                }
                if roll(10) == 0 { answer.head?.headers["ETag"] = nil }
                // Without a length nobody can tell a cut without a word.
                if !isCut, roll(10) == 0 { answer.head?.expectedCount = nil }
                if roll(12) == 0 { answer.failure = LoadingError(.status, "Busy.", status: 503) }
            }
        }
        let retrying = RetryingLoader(
            rig.network, policy: RetryPolicy(maximumRetries: 2, firstDelay: .zero),
            clocks: rig.clock.clocks)
        let folder = Scratch()
        let store: any EntryStoring =
            seed.isMultiple(of: 2)
            ? rig.store : try DiskStore(folder: folder.path, clocks: rig.clock.clocks)
        let loader = CachingLoader(retrying, store: store, clocks: rig.clock.clocks)
        var version = 1
        var wholes = 0
        for _ in 0..<150 {
            if roll(6) == 0 {
                version += 1
                let (version, body) = (version, bodies[version])
                rig.origin.change {
                    $0.version = version
                    $0.body = body
                    $0.hasRanges = roll(5) > 0
                }
            }
            rig.clock.advance(by: .seconds(roll(4)))
            let policy: FetchPolicy = roll(8) == 0 ? .reload : .normal
            guard let response = try? await loader.load(rig.request(policy)) else { continue }
            let stopAfter = roll(3) == 0 ? roll(12) : .max
            var got: [UInt8] = []
            var pieces = 0
            var isWhole = false
            do {
                while pieces < stopAfter {
                    guard let piece = try await response.body.next() else {
                        isWhole = true
                        break
                    }
                    #expect(!piece.isEmpty)
                    got += piece
                    pieces += 1
                }
            } catch {}
            let isOneVersion = bodies[1...version].contains { Self.isBeginning(got, of: $0) }
            #expect(isOneVersion, "a mixture of versions")
            if let stored = response.body.stored {
                #expect(Self.isBeginning(got, of: try stored.bytes()))
            }
            guard isWhole else { continue }
            let isWholeVersion = bodies[1...version].contains(got)
            #expect(isWholeVersion)
            wholes += 1
        }
        await loader.waitForRevalidations()
        #expect(wholes > 20)
    }
}
