internal import FoundationEssentials
internal import LazyBase

/// Refuses requests that do not allow a constrained network (low-data mode).
///
/// While the network is constrained, such a request is served from the cache if no contact with the
/// server is needed, else it fails with `.constrained`; a running one fails when the condition
/// changes.
public struct ConditionalLoader: DataLoading, StoredResponseLoading, ResponseCaching {
    private let next: any DataLoading
    private let conditions: NetworkConditions

    /// Makes a loader around another, such as a `CachingLoader`.
    public init(_ next: any DataLoading, conditions: NetworkConditions = .shared) {
        self.next = next
        self.conditions = conditions
    }

    /// Loads if the conditions allow it.
    public func load(_ request: LoadRequest) async throws(LoadingError) -> LoadResponse {
        let isRemote = ["http", "https"].contains(request.url.scheme?.lowercased())
        guard isRemote, !request.isConstrainedNetworkAllowed, request.policy != .cacheOnly else {
            return try await next.load(request)
        }
        let watch = ConstraintWatch(conditions, request)
        guard !watch.isOver else {
            if let stored = try await storedResponse(to: request) { return stored }
            throw watch.error
        }
        let next = next
        let response = try await watch.run { () async throws(LoadingError) in
            try await next.load(request)
        }
        guard [.network, .resumed].contains(response.head.origin) else { return response }
        return LoadResponse(head: response.head, body: watch.guarding(response.body))
    }

    /// The cache of the next loader.
    public var responseCache: ResponseCache? { (next as? any ResponseCaching)?.responseCache }

    /// The cached response of the next loader, in any conditions.
    public func storedResponse(
        to request: LoadRequest
    ) async throws(LoadingError) -> LoadResponse? {
        try await (next as? any StoredResponseLoading)?.storedResponse(to: request)
    }
}

/// Ends a load when the network becomes constrained.
private final class ConstraintWatch: Sendable {
    private struct State {
        var isOver = false
        var cancel: (@Sendable () -> Void)?
        var body: LoadBody?
        var token: ObservationToken?
    }
    private let state = Locked(State())
    let error: LoadingError

    init(_ conditions: NetworkConditions, _ request: LoadRequest) {
        error = LoadingError(
            .constrained,
            "The network is constrained, and \(request.url.shortLabel) must not be loaded then.")
        let token = conditions.observe { [weak self] in if $0 { self?.end() } }
        state.withLock { $0.token = token }
        if conditions.isConstrained { end() }
    }

    var isOver: Bool { state.withLock { $0.isOver } }

    /// Runs work that is cancelled when the network becomes constrained.
    func run<Result: Sendable>(
        _ work: @escaping @Sendable () async throws(LoadingError) -> Result
    ) async throws(LoadingError) -> Result {
        let task = Task { () -> Swift.Result<Result, LoadingError> in
            do throws(LoadingError) { return .success(try await work()) } catch {
                return .failure(error)
            }
        }
        let isOver = state.withLock { state in
            state.cancel = { task.cancel() }
            return state.isOver
        }
        if isOver { task.cancel() }
        let result = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        let wasEnded = state.withLock { state in
            state.cancel = nil
            return state.isOver
        }
        if wasEnded, case .failure = result { throw error }
        return try result.get()
    }

    func guarding(_ body: LoadBody) -> LoadBody {
        state.withLock { if !$0.isOver { $0.body = body } }
        return LoadBody(
            stored: { self.state.withLock { $0.body }?.stored },
            end: { self.dropBody() }
        ) { () async throws(LoadingError) in
            guard let body = self.state.withLock({ $0.body }) else { throw self.error }
            return try await self.run { () async throws(LoadingError) in try await body.next() }
        }
    }

    // The body is dropped outside the lock: that may write a partial download to disk.
    private func dropBody() {
        let body = state.withLock { state in
            defer { state.body = nil }
            return state.body
        }
        _ = consume body
    }

    private func end() {
        let (cancel, body) = state.withLock { state in
            state.isOver = true
            defer { state.body = nil }
            return (state.cancel, state.body)
        }
        cancel?()
        _ = consume body
    }
}
