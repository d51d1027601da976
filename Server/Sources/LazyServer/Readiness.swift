internal import Synchronization

/// Whether a service takes requests, for the probes of balancers.
public final class Readiness: Sendable {
    private let isReady = Atomic(false)

    /// Makes one that is not ready yet.
    public init() {}

    /// Takes requests from now on.
    public func begin() { isReady.store(true, ordering: .relaxed) }

    /// Takes no more of them: the end has begun.
    public func end() { isReady.store(false, ordering: .relaxed) }

    /// Whether requests are taken.
    public var takesRequests: Bool { isReady.load(ordering: .relaxed) }
}
