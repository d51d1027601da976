internal import Glibc
internal import LazyBase

/// Whether the network must be used sparingly (low-data mode); may change at any time.
///
/// Set by the program (`isConstrained`), or by the system (`followSystem()`). Setting
/// `isConstrained` stops following the system.
public final class NetworkConditions: Sendable {
    private struct State {
        var isConstrained: Bool
        var lastID = 0
        /// The ID of the current following, and its watch.
        var followingID: Int?
        var watch: MeteredWatch?
    }
    private let state: Locked<State>
    private let observers = ObserverList<Bool>()

    /// The conditions of the process, initially constrained if `LAZYIMG_LOW_DATA` is 1.
    public static let shared = NetworkConditions(
        isConstrained: getenv("LAZYIMG_LOW_DATA").map { String(cString: $0) } == "1")

    /// Makes separate conditions.
    public init(isConstrained: Bool = false) {
        state = Locked(State(isConstrained: isConstrained))
    }

    /// Whether loads that do not allow it are refused, and running ones ended.
    public var isConstrained: Bool {
        get { state.withLock { $0.isConstrained } }
        set {
            stopFollowing()
            set(newValue) { _ in true }
        }
    }

    /// Changes the state if a condition holds.
    private func set(_ isConstrained: Bool, where condition: @Sendable (State) -> Bool) {
        let isChanged = state.withLock { state in
            guard condition(state), state.isConstrained != isConstrained else { return false }
            state.isConstrained = isConstrained
            return true
        }
        if isChanged { observers.notify(isConstrained) }
    }

    // MARK: - Following the system

    /// Follows the system: a metered network is constrained.
    ///
    /// Asks NetworkManager, or the desktop portal in a sandbox (`MeteredNetwork`), and then follows
    /// changes on a thread. If there is no such service, there is no thread and the state does not
    /// change. Returns the first answer, after at most a second; setting `isConstrained` stops
    /// following.
    @discardableResult
    public func followSystem() async -> MeteredNetwork {
        await follow(.ofThisProcess)
    }

    @discardableResult
    func follow(_ authority: NetworkAuthority) async -> MeteredNetwork {
        stopFollowing()
        let id = state.withLock { state in
            state.lastID += 1
            state.followingID = state.lastID
            return state.lastID
        }
        // The disk's pool, because it waits.
        let watch = await BlockingPool.disk.run {
            MeteredWatch(authority) { [weak self] network, isFirst in
                // Without a service the state stays; if it stops answering, the network is unconstrained.
                guard let isMetered = network.isMetered ?? (isFirst ? nil : false) else { return }
                self?.set(isMetered) { $0.followingID == id }
            }
        }
        state.withLock { if $0.followingID == id { $0.watch = watch } }
        return watch.first
    }

    /// The watch that follows the system.
    var followedSystem: MeteredWatch? { state.withLock { $0.watch } }

    private func stopFollowing() {
        // Released outside the lock: that closes a pipe.
        let watch = state.withLock { state in
            state.followingID = nil
            defer { state.watch = nil }
            return state.watch
        }
        withExtendedLifetime(watch) {}
    }

    /// The current state and then each change; each access makes a stream.
    ///
    /// Slow readers get only the latest state.
    public var changes: AsyncStream<Bool> {
        // The state is read when the stream is read, so that no outdated state follows a newer one.
        let (signals, signal) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let token = observe { _ in signal.yield() }
        signal.yield()
        let last = Locked<Bool?>(nil)
        return AsyncStream {
            for await _ in signals {
                let present = withExtendedLifetime(token) { self.isConstrained }
                let isChanged = last.withLock { last in
                    defer { last = present }
                    return last != present
                }
                if isChanged { return present }
            }
            return nil
        }
    }

    /// Waits until the network is not constrained.
    public func waitUntilUnconstrained() async throws(CancellationError) {
        for await isConstrained in changes where !isConstrained { return }
        throw CancellationError()
    }

    /// Calls an action at each change, on the changing thread, until the token is dropped.
    func observe(_ action: @escaping @Sendable (Bool) -> Void) -> ObservationToken {
        observers.add(action)
    }
}
