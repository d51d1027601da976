import FoundationEssentials
import LazyBase
import Support
import Testing

@testable import LazyLoading

/// Ranges and whole bodies from a sparse file.
@Suite struct PartsTests {
    /// A server with ranges, and a disk store shared by several loaders.
    struct Rig {
        let clock = ManualClock()
        let folder = Scratch()
        let origin: Origin
        let network: ScriptedLoader
        let body: [UInt8]
        let url = address("http://host/clip.mp4")

        init(_ headers: HTTPHeaders = ["Cache-Control": "max-age=60"], count: Int = 600_000) {
            let body = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }
            self.body = body
            let clock = clock
            let origin = Origin(body, headers: headers, wall: { clock.wall })
            origin.change { $0.pieceSize = 20_000 }
            self.origin = origin
            network = ScriptedLoader { origin.answer(to: $0) }
        }

        /// The loader of another process.
        func loader() throws -> CachingLoader {
            let store = try DiskStore(folder: folder.path, clocks: clock.clocks)
            return CachingLoader(
                network, store: store, memory: PartialMemory(), clocks: clock.clocks)
        }

        func part(
            _ range: Range<Int>, _ headers: HTTPHeaders = [:]
        ) async throws -> (head: ResponseHead, bytes: [UInt8]) {
            let request = LoadRequest(url: url, headers: headers, range: .bytes(range))
            let response = try await loader().load(request)
            return (response.head, try await response.body.collect())
        }

        func whole() async throws -> (head: ResponseHead, bytes: [UInt8]) {
            let response = try await loader().load(LoadRequest(url: url))
            return (response.head, try await response.body.collect())
        }

        /// The ranges requested from the network, inclusive.
        var asked: [ByteRange?] { network.requests.map(\.range) }
    }
    static let block = 1 << 16

    @Test func `ranges are not requested twice`() async throws {
        let rig = Rig()
        let range = Self.block..<3 * Self.block
        let first = try await rig.part(range)
        #expect(first.bytes == Array(rig.body[range]))
        #expect(first.head.origin == .network)
        let second = try await rig.part(range)
        #expect(second.bytes == first.bytes)
        #expect(second.head.status == 206 && second.head.origin == .store)
        #expect(second.head.contentRange?.range == range)
        #expect(second.head.contentRange?.whole == rig.body.count)
        #expect(try await rig.part(Self.block + 5..<Self.block + 9).head.origin == .store)
        #expect(rig.network.requests.count == 1)
    }

    @Test func `only missing bytes of a range are requested`() async throws {
        let rig = Rig()
        _ = try await rig.part(2 * Self.block..<3 * Self.block)
        let range = Self.block..<5 * Self.block
        let answer = try await rig.part(range)
        #expect(answer.bytes == Array(rig.body[range]))
        #expect(answer.head.origin == .resumed && answer.head.resumedCount == Self.block)
        #expect(
            rig.asked.dropFirst() == [
                .bytes(Self.block..<2 * Self.block), .bytes(3 * Self.block..<5 * Self.block),
            ])
        #expect(rig.network.requests.last?.headers["If-Range"] == "\"v1\"")
    }

    @Test func `a full load requests the bytes that ranges have left`() async throws {
        let rig = Rig()
        _ = try await rig.part(0..<Self.block)
        _ = try await rig.part(4 * Self.block..<6 * Self.block)
        let answer = try await rig.whole()
        #expect(answer.bytes == rig.body)
        #expect(answer.head.origin == .resumed && answer.head.status == 200)
        #expect(answer.head.resumedCount == 3 * Self.block)
        #expect(answer.head.expectedCount == rig.body.count)
        #expect(
            rig.asked.dropFirst(2) == [.bytes(Self.block..<4 * Self.block), .from(6 * Self.block)])
        #expect(try await rig.whole().head.origin == .store)
        #expect(try await rig.part(5..<500_000).head.origin == .store)
        #expect(rig.network.requests.count == 4)
    }

    @Test func `the last missing range completes the entry`() async throws {
        let rig = Rig()
        for start in stride(from: 0, to: rig.body.count, by: 2 * Self.block).reversed() {
            _ = try await rig.part(start..<min(rig.body.count, start + 2 * Self.block))
        }
        let count = rig.network.requests.count
        let answer = try await rig.whole()
        #expect(answer.head.origin == .store && answer.bytes == rig.body)
        #expect(rig.network.requests.count == count)
    }

    @Test func `an interrupted download serves ranges, which fill it`() async throws {
        let rig = Rig()
        rig.origin.change { $0.cutAfter = 150_000 }
        #expect(await failure { try await rig.whole() as Any }?.code == .reset)
        rig.origin.change { $0.cutAfter = nil }
        #expect(try await rig.part(0..<140_000).head.origin == .store)
        _ = try await rig.part(5 * Self.block..<6 * Self.block)
        let answer = try await rig.whole()
        #expect(answer.bytes == rig.body)
        #expect(
            rig.asked == [
                nil, .bytes(5 * Self.block..<6 * Self.block), .bytes(150_000..<5 * Self.block),
                .from(6 * Self.block),
            ])
    }

    @Test func `stale bytes are served after validation`() async throws {
        let rig = Rig()
        _ = try await rig.part(0..<Self.block)
        rig.clock.advance(by: .seconds(100))
        let answer = try await rig.part(0..<Self.block)
        #expect(answer.head.origin == .revalidated)
        #expect(answer.bytes == Array(rig.body[..<Self.block]))
        #expect(rig.network.requests.last?.headers["If-None-Match"] == "\"v1\"")
        #expect(rig.network.requests.count == 2)
        #expect(try await rig.part(0..<Self.block).head.origin == .store, "fresh again")
    }

    @Test func `a stale entry serves ranges after validation`() async throws {
        let rig = Rig()
        _ = try await rig.whole()
        rig.clock.advance(by: .seconds(100))
        let answer = try await rig.part(100..<200)
        #expect(answer.head.origin == .revalidated && answer.head.status == 206)
        #expect(answer.bytes == Array(rig.body[100..<200]))
        #expect(rig.network.requests.last?.headers["If-None-Match"] == "\"v1\"")
    }

    @Test func `If-Range requests nothing that is stored`() async throws {
        let rig = Rig(["Cache-Control": "no-cache"])
        _ = try await rig.part(0..<2 * Self.block)
        let range = 0..<Self.block
        #expect(try await rig.part(range, ["If-Range": "\"v1\""]).head.origin == .store)
        #expect(rig.network.requests.count == 1)
        #expect(try await rig.part(range, ["If-Range": "\"v0\""]).head.status == 200)
        #expect(rig.network.requests.last?.headers["If-Range"] == "\"v0\"")
    }

    enum Change: CaseIterable { case whole, range, middle }

    @Test(arguments: Change.allCases) func `another version starts again`(
        change: Change
    ) async throws {
        let rig = Rig()
        _ = try await rig.part(0..<Self.block)
        _ = try await rig.part(3 * Self.block..<4 * Self.block)
        let new = Array(rig.body.reversed())
        rig.origin.change { state in
            state.version = 2
            state.body = new
        }
        switch change {
        case .whole:
            let answer = try await rig.whole()
            #expect(answer.head.origin == .network && answer.bytes == new)
        case .range:
            rig.clock.advance(by: .seconds(100))
            #expect(try await rig.part(0..<Self.block).bytes == Array(new[..<Self.block]))
            #expect(try await rig.part(0..<Self.block).head.origin == .store)
        case .middle:
            // The server sends the whole of the new version in place of the missing range.
            #expect(try await rig.part(0..<5 * Self.block).bytes == new)
        }
        let missing = 3 * Self.block..<4 * Self.block
        #expect(try await rig.part(missing).bytes == Array(new[missing]))
    }

    @Test func `a version that changes between two missing runs is an error`() async throws {
        let rig = Rig()
        _ = try await rig.part(2 * Self.block..<3 * Self.block)
        let response = try await rig.loader().load(LoadRequest(url: rig.url))
        _ = try await response.body.next()
        rig.origin.change { $0.version = 2 }
        #expect(await failure { try await response.body.collect() }?.code == .changed)
        #expect(try await rig.whole().bytes == rig.body)
    }

    static let unkept: [(HTTPHeaders, String?)] = [
        (["Cache-Control": "no-store"], "\"a\""), ([:], "W/\"a\""), ([:], nil),
        (["Vary": "*"], "\"a\""), (["Accept-Ranges": "none"], "\"a\""),
        (["Content-Encoding": "gzip"], "\"a\""),
    ]

    @Test(arguments: unkept) func `partial downloads that cannot be continued are not kept`(
        headers: HTTPHeaders, tag: String?
    ) async throws {
        let rig = Rig(headers)
        rig.origin.change { $0.tag = { _ in tag } }
        for _ in 0..<2 {
            #expect(try await rig.part(0..<Self.block).bytes == Array(rig.body[..<Self.block]))
        }
        #expect(rig.network.requests.count == 2)
    }

    @Test func `variants have separate parts`() async throws {
        let rig = Rig(["Vary": "Accept", "Cache-Control": "max-age=60"])
        let range = 0..<Self.block
        _ = try await rig.part(range, ["Accept": "a"])
        #expect(try await rig.part(range, ["Accept": "b"]).head.origin == .network)
        #expect(try await rig.part(range, ["Accept": "a"]).head.origin == .store)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let policy: FetchPolicy
        let ifRange: String?
        let age: Int
        let isPresent: Bool
        let decision: PartDecision
        var testDescription: String { "\(policy) \(ifRange ?? "-") \(age) \(isPresent)" }

        init(
            _ policy: FetchPolicy, _ ifRange: String?, _ age: Int, _ isPresent: Bool,
            _ decision: PartDecision
        ) {
            self.policy = policy
            self.ifRange = ifRange
            self.age = age
            self.isPresent = isPresent
            self.decision = decision
        }
    }

    static let rows: [Row] = [
        Row(.normal, nil, 0, true, .serve), Row(.normal, nil, 0, false, .fill),
        Row(.normal, nil, 90, true, .validate(["If-None-Match": "\"1\""])),
        Row(.normal, nil, 90, false, .fill), Row(.normal, "\"1\"", 90, true, .serve),
        Row(.normal, "\"1\"", 90, false, .fill), Row(.normal, "\"2\"", 0, true, .load),
        Row(.reload, nil, 0, true, .load), Row(.reload, "\"1\"", 0, true, .load),
        Row(.cacheOnly, nil, 90, true, .serve), Row(.cacheOnly, nil, 0, false, .unavailable),
        Row(.cacheOnly, "\"1\"", 0, false, .unavailable),
        Row(.cacheElseLoad, nil, 90, true, .serve),
        Row(.cacheElseLoad, nil, 90, false, .fill),
    ]

    @Test(arguments: rows) func `decisions depend on version, age and present bytes`(row: Row) {
        let clock = ManualClock()
        var request = LoadRequest(url: address("http://host/a"), policy: row.policy)
        request.headers["If-Range"] = row.ifRange
        let then = clock.wall + .seconds(-row.age)
        let response = StoredResponse(
            url: request.url, headers: ["ETag": "\"1\"", "Cache-Control": "max-age=60"],
            requestTime: then, responseTime: then, wholeCount: 10)
        #expect(
            PartDecision.decide(request, response, isPresent: row.isPresent, now: clock.wall)
                == row.decision)
    }

    @Test(arguments: 0..<8) func `parts of a changing resource are one version`(
        seed: Int
    ) async throws {
        let rig = Rig(["Cache-Control": "max-age=3"], count: 200_000)
        let random = Locked(SplitMix(UInt64(seed)))
        let roll: @Sendable (Int) -> Int = { count in
            random.withLock { .random(in: 0..<count, using: &$0) }
        }
        let bodies = (0..<10).map { version in rig.body.map { $0 &+ UInt8(version) } }
        rig.origin.change { state in
            state.edit = { answer, _ in
                guard roll(4) == 0 else { return }
                answer.pieces = Array(answer.pieces.prefix(roll(answer.pieces.count + 1)))
                answer.bodyFailure = LoadingError(.reset, "Lost.")
            }
        }
        var (version, wholes, parts) = (1, 0, 0)
        for _ in 0..<60 {
            if roll(12) == 0, version < 9 {
                version += 1
                let (version, body) = (version, bodies[version - 1])
                rig.origin.change { state in
                    state.version = version
                    state.body = body
                    state.hasRanges = roll(6) > 0
                }
            }
            rig.clock.advance(by: .seconds(roll(3)))
            let start = roll(3) * Self.block
            let range =
                roll(3) == 0 ? nil : start..<min(200_000, start + Self.block * (1 + roll(2)))
            var request = LoadRequest(url: rig.url)
            request.range = range.map { .bytes($0) }
            guard let response = try? await rig.loader().load(request) else { continue }
            var got: [UInt8] = []
            do { while let piece = try await response.body.next() { got += piece } } catch {
                continue
            }
            let place = response.head.status == 206 ? range ?? 0..<0 : 0..<200_000
            let isOneVersion = bodies[..<version].contains { Array($0[place]) == got }
            #expect(isOneVersion, "a mixture of versions")
            if range == nil { wholes += 1 } else { parts += 1 }
        }
        #expect(wholes > 3 && parts > 8)
    }
}
