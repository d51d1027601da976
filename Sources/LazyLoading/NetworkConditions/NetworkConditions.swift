internal import Glibc
internal import LazyBytes

/// Whether the network is to be used sparingly (low-data mode); may change at any time.
///
/// The program says so by `isConstrained`, or has the system say it by `followSystem()`. The last
/// word counts: setting `isConstrained` ends the following.
public final class NetworkConditions: Sendable {
    private struct State {
        var isConstrained: Bool
        var lastID = 0
        /// The number of the following that counts, and what follows.
        var followingID: Int?
        var watch: MeteredWatch?
    }
    private let state: Locked<State>
    private let observers = ObserverList<Bool>()

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
            stopFollowing()
            set(newValue) { _ in true }
        }
    }

    /// Changes the state where a claim about it holds.
    private func set(_ isConstrained: Bool, where claim: @Sendable (State) -> Bool) {
        let isChanged = state.withLock { state in
            guard claim(state), state.isConstrained != isConstrained else { return false }
            state.isConstrained = isConstrained
            return true
        }
        if isChanged { observers.notify(isConstrained) }
    }

    // MARK: - What the system says

    /// Goes by what the system says of its network: constrained where it is metered.
    ///
    /// Asks NetworkManager, or the portal of the desktop in a sandbox (`MeteredNetwork`), and then
    /// follows its changes by one thread. Where nobody can be asked there is no thread, and the state
    /// stays as it was. Returns the first answer, which takes a second at most; setting `isConstrained`
    /// ends the following.
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
        // The disk's pool: the answer is waited for, not computed.
        let watch = await BlockingPool.disk.run {
            MeteredWatch(authority) { [weak self] network, isFirst in
                // Where nobody can be asked the state stays; who stops answering is not believed on.
                guard let isMetered = network.isMetered ?? (isFirst ? nil : false) else { return }
                self?.set(isMetered) { $0.followingID == id }
            }
        }
        state.withLock { if $0.followingID == id { $0.watch = watch } }
        return watch.first
    }

    /// What follows the system, until the program says otherwise.
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
        observers.add(action)
    }
}
