internal import Glibc
internal import LazyBytes

/// Whether the network is to be used sparingly (low-data mode); may change at any time.
public final class NetworkConditions: Sendable {
    private struct State {
        var isConstrained: Bool
        var lastID = 0
        var observers: [Int: @Sendable (Bool) -> Void] = [:]
    }
    private let state: Locked<State>

    /// Those of the process; constrained at its start where `LAZYIMG_LOW_DATA` is 1.
    public static let shared = NetworkConditions(
        isConstrained: getenv("LAZYIMG_LOW_DATA").map { String(cString: $0) } == "1")

    /// Makes conditions of one's own.
    public init(isConstrained: Bool = false) {
        state = Locked(State(isConstrained: isConstrained))
    }

    /// Whether loads that do not allow it are refused, and those that run are ended.
    public var isConstrained: Bool {
        get { state.withLock { $0.isConstrained } }
        set {
            let observers = state.withLock { state -> [@Sendable (Bool) -> Void] in
                guard state.isConstrained != newValue else { return [] }
                state.isConstrained = newValue
                return Array(state.observers.values)
            }
            for observer in observers { observer(newValue) }
        }
    }

    /// Whether it is constrained now, and then each change; each access is a stream of its own.
    ///
    /// Who reads slowly sees the latest.
    public var changes: AsyncStream<Bool> {
        // What is told is read when it is asked for, so that it cannot be overtaken by older news.
        let (bells, bell) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let token = observe { _ in bell.yield() }
        bell.yield()
        let last = Locked<Bool?>(nil)
        return AsyncStream {
            for await _ in bells {
                let present = withExtendedLifetime(token) { self.isConstrained }
                let isNews = last.withLock { last in
                    defer { last = present }
                    return last != present
                }
                if isNews { return present }
            }
            return nil
        }
    }

    /// Waits until it is not constrained; returns at once where it is not.
    public func waitUntilUnconstrained() async throws(CancellationError) {
        for await isConstrained in changes where !isConstrained { return }
        throw CancellationError()
    }

    /// Calls an action at each change, on the thread that makes it, until the token is dropped.
    func observe(_ action: @escaping @Sendable (Bool) -> Void) -> ObservationToken {
        let id = state.withLock { state in
            state.lastID += 1
            state.observers[state.lastID] = action
            return state.lastID
        }
        return ObservationToken { [self] in state.withLock { $0.observers[id] = nil } }
    }
}

/// Ends an observation when it is dropped.
final class ObservationToken: Sendable {
    private let action: @Sendable () -> Void

    init(_ action: @escaping @Sendable () -> Void) { self.action = action }

    deinit { action() }
}
