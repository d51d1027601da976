import FoundationEssentials
import LazyBase
import LazyLoading
import Support

/// A scripted HTTP server of one resource with versions, validators and ranges.
final class Origin: Sendable {
    struct State {
        var body: [UInt8]
        var version = 1
        var headers: HTTPHeaders = [:]
        var hasRanges = true
        var pieceSize = 1000
        var tag: @Sendable (Int) -> String? = { "\"v\($0)\"" }
        /// The body is interrupted after a number of bytes.
        var cutAfter: Int?
        var failure: LoadingError?
        /// Changes a response before it is sent.
        var edit: @Sendable (inout ScriptedLoader.Answer, LoadRequest) -> Void = { _, _ in }
    }
    let state: Locked<State>
    private let wall: @Sendable () -> WallTime

    init(_ body: [UInt8], headers: HTTPHeaders = [:], wall: @escaping @Sendable () -> WallTime) {
        state = Locked(State(body: body, headers: headers))
        self.wall = wall
    }

    func change(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

    func answer(to request: LoadRequest) -> ScriptedLoader.Answer {
        let state = state.withLock { $0 }
        if let failure = state.failure { return .init(failure: failure) }
        var headers = state.headers
        headers["Date"] = HTTPDate.text(of: wall())
        let tag = state.tag(state.version)
        headers["ETag"] = tag
        var answer = ScriptedLoader.Answer()
        var head = ResponseHead(url: request.url, headers: headers, origin: .network)
        var bytes = state.body[...]
        if let asked = request.headers["If-None-Match"], asked == tag {
            head.status = 304
            bytes = []
        } else if state.hasRanges, let range = request.range,
            request.headers["If-Range"].map({ $0 == tag }) ?? true
        {
            guard let place = range.resolved(in: state.body.count) else {
                answer.failure = LoadingError(.status, "The range is not there.", status: 416)
                state.edit(&answer, request)
                return answer
            }
            head.status = 206
            head.contentRange = (place, state.body.count)
            bytes = state.body[place]
        }
        head.expectedCount = head.status == 304 ? nil : bytes.count
        if let cut = state.cutAfter, cut < bytes.count {
            bytes = bytes.prefix(cut)
            answer.bodyFailure = LoadingError(.reset, "The connection was lost.")
        }
        answer.head = head
        answer.pieces = stride(from: 0, to: bytes.count, by: state.pieceSize).map {
            Array(bytes.dropFirst($0).prefix(state.pieceSize))
        }
        state.edit(&answer, request)
        return answer
    }
}

/// A caching loader over a scripted server, a store in memory and a manual clock.
struct CachingRig {
    let clock = ManualClock()
    let store = MemoryStore()
    let memory = PartialMemory()
    let origin: Origin
    let network: ScriptedLoader
    let loader: CachingLoader
    let body: [UInt8]
    let url = address("http://host/a.gif")

    init(_ headers: HTTPHeaders = [:], count: Int = 10_000) {
        let body = (0..<count).map { UInt8(truncatingIfNeeded: $0 / 7) }
        self.body = body
        let clock = clock
        let origin = Origin(body, headers: headers, wall: { clock.wall })
        self.origin = origin
        network = ScriptedLoader { origin.answer(to: $0) }
        loader = CachingLoader(network, store: store, memory: memory, clocks: clock.clocks)
    }

    func request(_ policy: FetchPolicy = .normal, _ headers: HTTPHeaders = [:]) -> LoadRequest {
        LoadRequest(url: url, headers: headers, policy: policy)
    }

    @discardableResult
    func load(
        _ policy: FetchPolicy = .normal, _ headers: HTTPHeaders = [:]
    ) async throws(LoadingError) -> (head: ResponseHead, bytes: [UInt8]) {
        let response = try await loader.load(request(policy, headers))
        return (response.head, try await response.body.collect())
    }

    /// Loads the beginning and drops the body.
    func loadPart(pieces: Int = 4) async throws {
        let response = try await loader.load(request())
        for _ in 0..<pieces { _ = try await response.body.next() }
    }
}
