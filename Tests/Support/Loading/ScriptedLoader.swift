import FoundationEssentials
import LazyBase
public import LazyLoading

/// A loader without a network: answers by script, piece by piece, and writes down what it was asked.
public final class ScriptedLoader: DataLoading {
    /// One answer.
    public struct Answer: Sendable {
        /// The pieces of the body.
        public var pieces: [[UInt8]]
        /// The head, or nil for a plain 200.
        public var head: ResponseHead?
        /// Thrown instead of the head.
        public var failure: LoadingError?
        /// Thrown behind the last piece.
        public var bodyFailure: LoadingError?
        /// Called before the head and before each piece (index -1 and from 0); may wait.
        public var gate: @Sendable (Int) async -> Void

        /// Makes an answer.
        public init(
            _ pieces: [[UInt8]] = [], head: ResponseHead? = nil, failure: LoadingError? = nil,
            bodyFailure: LoadingError? = nil,
            gate: @escaping @Sendable (Int) async -> Void = { _ in }
        ) {
            self.pieces = pieces
            self.head = head
            self.failure = failure
            self.bodyFailure = bodyFailure
            self.gate = gate
        }
    }

    private struct State {
        var requests: [LoadRequest] = []
        var live = 0
        var maxLive = 0
        var abandoned = 0
    }
    private let state = Locked(State())
    private let script: @Sendable (LoadRequest) -> Answer

    /// Makes a loader that answers by a function of the request.
    public init(_ script: @escaping @Sendable (LoadRequest) -> Answer) { self.script = script }

    /// The requests in order.
    public var requests: [LoadRequest] { state.withLock { $0.requests } }
    /// Loads whose body is neither at its end nor dropped.
    public var live: Int { state.withLock { $0.live } }
    /// The most loads that were live at one time.
    public var maxLive: Int { state.withLock { $0.maxLive } }
    /// Bodies that were dropped before their end.
    public var abandoned: Int { state.withLock { $0.abandoned } }

    /// Answers by the script.
    public func load(_ request: LoadRequest) async throws(LoadingError) -> LoadResponse {
        state.withLock {
            $0.requests.append(request)
            $0.live += 1
            $0.maxLive = max($0.maxLive, $0.live)
        }
        let answer = script(request)
        await answer.gate(-1)
        if Task.isCancelled || answer.failure != nil {
            state.withLock { $0.live -= 1 }
            throw answer.failure ?? .cancelled
        }
        let head =
            answer.head
            ?? ResponseHead(
                url: request.url, expectedCount: answer.pieces.reduce(0) { $0 + $1.count },
                origin: .network)
        return LoadResponse(head: head, body: body(of: answer))
    }

    private func body(of answer: Answer) -> LoadBody {
        let position = Locked(0)
        let isOver = Locked(false)
        let finish: @Sendable (Bool) -> Void = { [self] isAbandoned in
            let wasOver = isOver.withLock { over in
                defer { over = true }
                return over
            }
            guard !wasOver else { return }
            state.withLock {
                $0.live -= 1
                if isAbandoned { $0.abandoned += 1 }
            }
        }
        return LoadBody(end: { finish(true) }) { () async throws(LoadingError) in
            let index = position.withLock { place in
                defer { place += 1 }
                return place
            }
            guard index < answer.pieces.count else {
                finish(false)
                if let failure = answer.bodyFailure { throw failure }
                return nil
            }
            await answer.gate(index)
            if Task.isCancelled {
                finish(true)
                throw .cancelled
            }
            return answer.pieces[index]
        }
    }
}
