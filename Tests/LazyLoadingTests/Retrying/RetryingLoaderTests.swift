import FoundationEssentials
import LazyBase
import LazyLoading
import Support
import Testing

@Suite struct RetryingLoaderTests {
    private static let url = address("http://host/a.gif")
    private let clock = ManualClock()

    private func loader(
        _ network: ScriptedLoader, _ policy: RetryPolicy = .standard, random: Double = 1
    ) -> RetryingLoader {
        RetryingLoader(network, policy: policy, clocks: clock.clocks, random: { random })
    }

    /// Responds with failures and then with bytes.
    private func network(failing failures: [LoadingError]) -> ScriptedLoader {
        let rest = Locked(failures)
        return ScriptedLoader { _ in
            let failure = rest.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            return failure.map { .init(failure: $0) } ?? .init([[1, 2]])
        }
    }

    static let busy = LoadingError(.status, "Busy.", status: 503)

    @Test func `transient errors are retried with growing delays`() async throws {
        let network = network(failing: [Self.busy, LoadingError(.reset, "Lost.")])
        let loader = loader(network)
        async let answer = loader.load(LoadRequest(url: Self.url)).body.collect()
        await clock.waitForSleepers()
        clock.advance(by: .milliseconds(499))
        #expect(network.requests.count == 1)
        clock.advance(by: .milliseconds(1))
        await clock.waitForSleepers()
        #expect(network.requests.count == 2)
        clock.advance(by: .seconds(1))
        #expect(try await answer == [1, 2])
        #expect(network.requests.count == 3)
    }

    @Test func `retries are limited`() async throws {
        let network = network(failing: [Self.busy, Self.busy, Self.busy])
        let error = await failure {
            try await loader(network, random: 0).load(.init(url: Self.url))
        }
        #expect(error?.status == 503)
        #expect(network.requests.count == 3)
    }

    static let hopeless: [LoadingError] = [
        LoadingError(.status, "Not found.", status: 404), LoadingError(.tls, "Bad."),
        LoadingError(.tooLarge, "Large."), LoadingError(.badAddress, "Bad."),
        LoadingError(.notCached, "Not there."), LoadingError(.malformed, "Bad."), .cancelled,
        LoadingError(.status, "Not implemented.", status: 501), LoadingError(.constrained, "Low."),
    ]

    @Test(arguments: hopeless) func `other errors are not retried`(
        error: LoadingError
    ) async throws {
        let network = network(failing: [error])
        #expect(
            await failure { try await loader(network).load(.init(url: Self.url)) }?.code
                == error.code)
        #expect(network.requests.count == 1)
    }

    static let delays: [(Int, Duration?, Double, Duration)] = [
        (0, nil, 1, .milliseconds(500)), (1, nil, 1, .seconds(1)), (2, nil, 1, .seconds(2)),
        (0, nil, 0, .zero), (3, nil, 0.5, .seconds(2)), (9, nil, 1, .seconds(30)),
        (1_000, nil, 1, .seconds(30)), (0, .seconds(7), 0, .seconds(7)),
        (0, .seconds(7), 1, .seconds(7)), (0, .seconds(3600), 0, .seconds(30)),
        (5, .seconds(1), 1, .seconds(16)), (0, nil, 9, .milliseconds(500)),
    ]

    @Test(arguments: delays) func `a delay has jitter and a limit, and respects Retry-After`(
        retry: Int, retryAfter: Duration?, random: Double, wanted: Duration
    ) {
        let delay = RetryPolicy.standard.delay(
            before: retry, retryAfter: retryAfter, random: random)
        #expect(delay == wanted)
    }

    @Test func `a cancelled task is not retried`() async throws {
        let network = network(failing: [Self.busy])
        let loader = loader(network)
        let task = Task { try await loader.load(LoadRequest(url: Self.url)) }
        await clock.waitForSleepers()
        task.cancel()
        #expect(await failure { try await task.value }?.code == .cancelled)
        #expect(network.requests.count == 1)
    }

    @Test func `no delay exceeds the total timeout`() async throws {
        let network = network(failing: [
            LoadingError(.status, "Busy.", status: 503, retryAfter: .seconds(20))
        ])
        var request = LoadRequest(url: Self.url)
        request.totalTimeout = .seconds(10)
        #expect(await failure { try await loader(network).load(request) }?.status == 503)
        #expect(network.requests.first?.totalTimeout == .seconds(10))
    }

    private func rig(cut: Int) -> (Origin, ScriptedLoader, [UInt8]) {
        let bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 / 3) }
        let origin = Origin(bytes, wall: { [clock] in clock.wall })
        origin.change { $0.cutAfter = cut }
        return (origin, ScriptedLoader { origin.answer(to: $0) }, bytes)
    }

    @Test func `an interrupted body is continued`() async throws {
        let (_, network, bytes) = rig(cut: 4_500)
        let answer = try await loader(network, random: 0).load(LoadRequest(url: Self.url))
        #expect(try await answer.body.collect() == bytes)
        #expect(network.requests.map(\.range) == [nil, .from(4_500), .from(9_000)])
        #expect(network.requests.map { $0.headers["If-Range"] } == [nil, "\"v1\"", "\"v1\""])
    }

    @Test func `a body that breaks again and again is continued while it makes progress`()
        async throws
    {
        let bytes = (0..<1_900_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
        for (cut, count) in [(60_000, bytes.count), (5_000, bytes.count), (1_000, 3_000)] {
            let origin = Origin(bytes, wall: { [clock] in clock.wall })
            origin.change { $0.cutAfter = cut }
            let network = ScriptedLoader { origin.answer(to: $0) }
            let answer = try await loader(network, random: 0).load(LoadRequest(url: Self.url))
            var got: [UInt8] = []
            let error = await failure {
                while let piece = try await answer.body.next() { got += piece }
            }
            #expect(got == Array(bytes.prefix(count)))
            // A few bytes each time are no progress: the retries are used up.
            #expect(error?.code == (cut < RetryPolicy.progressThatCounts ? .reset : nil))
        }
    }

    @Test func `an interrupted range keeps its end`() async throws {
        let (_, network, bytes) = rig(cut: 600)
        var request = LoadRequest(url: Self.url)
        request.range = .bytes(1_000..<2_500)
        let answer = try await loader(network, random: 0).load(request)
        #expect(try await answer.body.collect() == Array(bytes[1_000..<2_500]))
        #expect(network.requests.last?.range == .bytes(2_200..<2_500))
    }

    @Test func `without ranges the body is read again up to the position`() async throws {
        let (origin, network, bytes) = rig(cut: 4_500)
        origin.change { $0.hasRanges = false }
        let answer = try await loader(network, random: 0).load(LoadRequest(url: Self.url))
        _ = try await answer.body.next()
        origin.change { $0.cutAfter = nil }
        let first = 1_000
        #expect(try await answer.body.collect() == Array(bytes[first...]))
    }

    enum Trouble: String, CaseIterable {
        case changed, wrongStart, otherWhole, coded, ranges416, notResumable
    }

    @Test(arguments: Trouble.allCases) func `a body that cannot be continued correctly fails`(
        trouble: Trouble
    ) async throws {
        let (origin, network, bytes) = rig(cut: 4_500)
        var request = LoadRequest(url: Self.url)
        request.isResumable = trouble != .notResumable
        let answer = try await loader(network, random: 0).load(request)
        var got = try await answer.body.next() ?? []
        origin.change { state in
            state.cutAfter = nil
            switch trouble {
            case .changed:
                state.version = 2
                state.body = state.body.reversed()
            case .wrongStart:
                state.edit = { answer, _ in
                    guard let place = answer.head?.contentRange else { return }
                    answer.head?.contentRange?.range =
                        (place.range.lowerBound - 1)..<place.range.upperBound
                }
            case .otherWhole: state.edit = { answer, _ in answer.head?.contentRange?.whole = 9_999 }
            case .coded:
                state.edit = {
                    $0.head?.headers["Content-Encoding"] = ($1.range.map { _ in "gzip" })
                }
            case .ranges416:
                state.edit = { answer, _ in
                    answer.failure = LoadingError(.status, "No range.", status: 416)
                }
            default: break
            }
        }
        let error = await failure {
            while let piece = try await answer.body.next() { got += piece }
        }
        #expect(network.requests.count == (trouble == .notResumable ? 1 : 2))
        #expect(error?.code == (trouble == .ranges416 ? .status : .reset))
        #expect(got == Array(bytes.prefix(got.count)))
    }

    @Test(arguments: [nil, "W/\"1\""])
    func `without a strong validator the whole is read again and compared`(
        tag: String?
    ) async throws {
        for isChanged in [false, true] {
            let (origin, network, bytes) = rig(cut: 4_500)
            origin.change { $0.tag = { _ in tag } }
            let answer = try await loader(network, random: 0).load(LoadRequest(url: Self.url))
            var got = try await answer.body.next() ?? []
            origin.change { state in
                state.cutAfter = nil
                if isChanged { state.body[4_000] ^= 1 }
            }
            let error = await failure {
                while let piece = try await answer.body.next() { got += piece }
            }
            #expect(network.requests.map(\.range) == [nil, nil])
            #expect(network.requests.map { $0.headers["If-Range"] } == [nil, nil])
            #expect(error?.code == (isChanged ? .changed : nil))
            #expect(got == Array(bytes.prefix(isChanged ? 4_500 : bytes.count)))
        }
    }

    @Test func `without a validator another length or an unknown one is not continued`()
        async throws
    {
        for hasLength in [true, false] {
            let (origin, network, bytes) = rig(cut: 4_500)
            origin.change { state in
                state.tag = { _ in nil }
                if !hasLength {
                    state.edit = { answer, _ in answer.head?.expectedCount = nil }
                }
            }
            let answer = try await loader(network, random: 0).load(LoadRequest(url: Self.url))
            var got = try await answer.body.next() ?? []
            origin.change { state in
                state.cutAfter = nil
                state.body.append(0)
            }
            let error = await failure {
                while let piece = try await answer.body.next() { got += piece }
            }
            #expect(error?.code == .reset && got == Array(bytes.prefix(4_500)))
            #expect(network.requests.count == (hasLength ? 2 : 1))
        }
    }

    @Test func `a complete body needs no retry`() async throws {
        let (origin, network, bytes) = rig(cut: 99_999)
        origin.change {
            $0.edit = { answer, _ in answer.bodyFailure = LoadingError(.reset, "Lost.") }
        }
        let answer = try await loader(network).load(LoadRequest(url: Self.url))
        #expect(try await answer.body.collect() == bytes)
        #expect(network.requests.count == 1)
    }

    @Test func `an interrupted range keeps its end if the whole is sent again`() async throws {
        let (origin, network, bytes) = rig(cut: 600)
        var request = LoadRequest(url: Self.url)
        request.range = .bytes(1_000..<2_500)
        let answer = try await loader(network, random: 0).load(request)
        var got = try await answer.body.next() ?? []
        origin.change { state in
            state.hasRanges = false
            state.cutAfter = nil
        }
        while let piece = try await answer.body.next() { got += piece }
        #expect(got == Array(bytes[1_000..<2_500]))
        #expect(network.requests.count == 2)
    }
}
