import FoundationEssentials
import LazyBase
import Support
import Testing

@testable import LazyLoading

/// Servers that browsers play from, and what is seen of them above.
@Suite struct CompletingLoaderTests {
    private static let bytes: [UInt8] = {
        var random = SplitMix(49)
        return (0..<300_000).map { _ in UInt8.random(in: 0...255, using: &random) }
    }()
    private static let url = address("http://host/film.mp4")

    /// How a server answers to ranges.
    enum Server: String, CaseIterable {
        /// As RFC 9110 wants it.
        case right
        /// As widespread tutorials do: 400 without a range, and all digits of a range are its start.
        case digits
        /// 400, 416 or 500 for a range with an end; without a range 416.
        case only400, only416, only500
        /// Sends all bytes from the start on.
        case endless
        /// Sends 20 000 bytes at most.
        case capped
        /// Both: open ranges alone, and 20 000 bytes at most.
        case cappedDigits
        /// Sends a thousand bytes less than it says.
        case short
        /// No position, or one of several parts.
        case placeless
        /// No ranges.
        case none
    }

    private static func refusal(_ status: Int) -> ScriptedLoader.Answer {
        .init(failure: LoadingError(.status, "Refused.", status: status))
    }

    private static func part(
        _ request: LoadRequest, _ range: Range<Int>, less: Int = 0
    ) -> ScriptedLoader.Answer {
        let sent = Array(bytes[range].dropLast(less))
        let head = ResponseHead(
            url: request.url, status: 206, headers: ["ETag": "W/\"1\""],
            expectedCount: sent.count, contentRange: (range, bytes.count), origin: .network)
        return .init(
            [Array(sent.prefix(5)), Array(sent.dropFirst(5))].filter { !$0.isEmpty }, head: head)
    }

    static func answer(_ server: Server, _ request: LoadRequest) -> ScriptedLoader.Answer {
        let isDigits = [.digits, .cappedDigits].contains(server)
        guard let asked = request.range else {
            if isDigits { return refusal(400) }
            if [.only400, .only416, .only500].contains(server) { return refusal(416) }
            return .init([bytes])
        }
        guard let range = asked.resolved(in: bytes.count) else { return refusal(416) }
        var isClosed = false
        if case .bytes = asked { isClosed = true }
        switch server {
        case .right: return part(request, range)
        case .only400 where isClosed: return refusal(400)
        case .only416 where isClosed: return refusal(416)
        case .only500 where isClosed: return refusal(500)
        case .only400, .only416, .only500, .endless:
            return part(request, range.lowerBound..<bytes.count)
        case .digits, .cappedDigits:
            let digits = Int(asked.headerValue.filter(\.isNumber)) ?? 0
            guard digits < bytes.count else { return refusal(500) }
            let most = server == .digits ? 100_001 : 20_000
            return part(request, digits..<min(bytes.count, digits + most))
        case .capped:
            return part(
                request, range.lowerBound..<min(range.upperBound, range.lowerBound + 20_000))
        case .short: return part(request, range, less: range.count > 2000 ? 1000 : 0)
        case .placeless:
            return .init(
                failure: LoadingError(.malformed, "No position.", status: 206))
        case .none: return .init([bytes])
        }
    }

    private static let ranges = [
        0..<65_536, 100_000..<180_000, 299_000..<300_000, 250_000..<900_000,
    ]

    @Test(arguments: Server.allCases) func `a range has all its bytes and no more`(
        server: Server
    ) async throws {
        let network = ScriptedLoader { Self.answer(server, $0) }
        let loader = CompletingLoader(network)
        for range in Self.ranges {
            var request = LoadRequest(url: Self.url)
            request.range = .bytes(range)
            if server == .placeless {
                #expect(await failure { try await loader.load(request) }?.status == 206)
                continue
            }
            let response = try await loader.load(request)
            let got = try await response.body.collect()
            if server == .none {
                #expect(response.head.status == 200 && got == Self.bytes)
                continue
            }
            let wanted = range.clamped(to: 0..<Self.bytes.count)
            #expect(got == Array(Self.bytes[wanted]))
            #expect(response.head.status == 206 && response.head.expectedCount == wanted.count)
            #expect(response.head.contentRange?.range == wanted)
            #expect(response.head.contentRange?.whole == Self.bytes.count)
        }
        #expect(network.live == 0)
    }

    @Test(arguments: Server.allCases) func `a request without a range gets the whole`(
        server: Server
    ) async throws {
        let network = ScriptedLoader { Self.answer(server, $0) }
        let response = try await CompletingLoader(network).load(LoadRequest(url: Self.url))
        #expect(response.head.status == 200 && response.head.contentRange == nil)
        #expect(response.head.expectedCount == Self.bytes.count)
        #expect(try await response.body.collect() == Self.bytes)
    }

    @Test func `the form that a server takes is remembered`() async throws {
        let network = ScriptedLoader { Self.answer(.digits, $0) }
        let loader = CompletingLoader(network)
        for range in Self.ranges.prefix(2) {
            var request = LoadRequest(url: Self.url)
            request.range = .bytes(range)
            _ = try await loader.load(request).body.collect()
        }
        #expect(
            network.requests.map(\.range) == [.bytes(0..<65_536), .from(0), .from(100_000)])
    }

    @Test func `an answer that is refused in every form keeps its first error`() async throws {
        for status in [400, 404, 416, 500] {
            let network = ScriptedLoader { _ in Self.refusal(status) }
            var request = LoadRequest(url: Self.url)
            #expect(
                await failure { try await CompletingLoader(network).load(request) }?.status
                    == status)
            request.range = .bytes(0..<10)
            #expect(
                await failure { try await CompletingLoader(network).load(request) }?.status
                    == status)
            #expect(network.requests.count == [400: 4, 404: 2, 416: 4, 500: 3][status])
        }
    }

    @Test func `another version between two parts is an error`() async throws {
        let network = ScriptedLoader { request in
            var answer = Self.answer(.capped, request)
            if request.range != .bytes(0..<65_536) { answer.head?.headers["ETag"] = "\"2\"" }
            return answer
        }
        var request = LoadRequest(url: Self.url)
        request.range = .bytes(0..<65_536)
        let response = try await CompletingLoader(network).load(request)
        #expect(await failure { try await response.body.collect() }?.code == .changed)
    }

    @Test func `a server that sends a few bytes each time is given up`() async throws {
        let network = ScriptedLoader { request in
            let range = request.range?.resolved(in: Self.bytes.count) ?? 0..<Self.bytes.count
            return Self.part(request, range.lowerBound..<range.lowerBound + 100)
        }
        var request = LoadRequest(url: Self.url)
        request.range = .bytes(0..<65_536)
        let response = try await CompletingLoader(network).load(request)
        #expect(await failure { try await response.body.collect() }?.code == .truncated)
        #expect(network.requests.count == 1)
    }

    @Test func `a whole from parts respects the limit`() async throws {
        let network = ScriptedLoader { Self.answer(.digits, $0) }
        var request = LoadRequest(url: Self.url)
        request.maximumBytes = Self.bytes.count - 1
        #expect(
            await failure { try await CompletingLoader(network).load(request) }?.code == .tooLarge)
    }
}
