public import FoundationEssentials
import Glibc
public import LazyBase

/// A scripted HTTP/1.1 server on 127.0.0.1, down to single bytes.
///
/// Each connection has a thread. Dropping the server ends all of them.
public final class ScriptedServer: Sendable {
    /// The observable state of the server.
    public struct Sight: Sendable {
        /// The requests in order.
        public var requests: [Request] = []
        /// The number of accepted connections.
        public var connections = 0
        /// The number of open connections.
        public var openConnections = 0
        /// The maximum number of concurrent connections.
        public var maxConnections = 0
        /// The number of connections closed by the client.
        public var closedByClient = 0
        /// The maximum number of concurrent requests.
        public var maxActive = 0
        /// The number of bytes accepted by the system.
        public var sentBytes = 0
        /// How often sending stalled for 0.2 s because the client did not read.
        public var stalls = 0
        var active = 0
    }

    struct State {
        var sight = Sight()
        var isStopped = false
        var live: [Int: ScriptedConnection] = [:]
        var watchers:
            [(holds: @Sendable (Sight) -> Bool, continuation: CheckedContinuation<Void, Never>)] =
                []
    }

    /// The port on 127.0.0.1.
    public let port: Int
    private let core: ScriptedServerCore

    /// Starts a server whose responses are a function of the request, called on the connection's thread.
    public init(_ answer: @escaping @Sendable (Request) -> Response) throws(SystemError) {
        let (descriptor, port) = try Sockets.listener()
        self.port = port
        core = ScriptedServerCore(listener: descriptor, answer: answer)
        let core = core
        startThread { core.accept() }
    }

    deinit { core.stop() }

    /// The current state.
    public var sight: Sight { core.state.withLock { $0.sight } }

    /// The requests in order.
    public var requests: [Request] { sight.requests }

    /// The URL of a path, which begins with a slash.
    public func url(_ path: String, host: String = "127.0.0.1") -> URL {
        guard let url = URL(string: "http://\(host):\(port)\(path)") else {
            preconditionFailure("\(path) is no path")
        }
        return url
    }

    /// Waits until the state fulfils a condition.
    public func wait(until holds: @escaping @Sendable (Sight) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isSo = core.state.withLock { state in
                if holds(state.sight) { return true }
                state.watchers.append((holds, continuation))
                return false
            }
            if isSo { continuation.resume() }
        }
    }

    /// Closes all connections and accepts no more.
    public func stop() { core.stop() }
}

/// The server without its owner, so that its threads do not keep it alive.
final class ScriptedServerCore: Sendable {
    let state = Locked(ScriptedServer.State())
    let answer: @Sendable (ScriptedServer.Request) -> ScriptedServer.Response
    private let listener: CInt

    init(
        listener: CInt,
        answer: @escaping @Sendable (ScriptedServer.Request) -> ScriptedServer.Response
    ) {
        self.listener = listener
        self.answer = answer
    }

    func accept() {
        while true {
            let descriptor = Sockets.accept(from: listener)
            guard descriptor >= 0 else {
                if errno == EINTR || errno == ECONNABORTED { continue }
                break
            }
            begin(descriptor)
        }
        close(listener)
    }

    /// Changes the state and wakes its waiters.
    func note(_ change: (inout ScriptedServer.Sight) -> Void) {
        let woken = state.withLock { state in
            change(&state.sight)
            let sight = state.sight
            let woken = state.watchers.filter { $0.holds(sight) }.map(\.continuation)
            if !woken.isEmpty { state.watchers.removeAll { $0.holds(sight) } }
            return woken
        }
        for continuation in woken { continuation.resume() }
    }

    func stop() {
        let live = state.withLock { state in
            guard !state.isStopped else { return [ScriptedConnection]() }
            state.isStopped = true
            shutdown(listener, CInt(SHUT_RDWR))
            return Array(state.live.values)
        }
        for connection in live { connection.end() }
    }

    private func begin(_ descriptor: CInt) {
        var number = 0
        note {
            $0.connections += 1
            $0.openConnections += 1
            $0.maxConnections = max($0.maxConnections, $0.openConnections)
            number = $0.connections
        }
        let connection = ScriptedConnection(descriptor, number: number, core: self)
        let id = number
        let isStopped = state.withLock { state in
            state.live[id] = connection
            return state.isStopped
        }
        if isStopped { connection.end() }
        startThread { [self] in
            connection.run()
            _ = state.withLock { $0.live.removeValue(forKey: id) }
            note { $0.openConnections -= 1 }
        }
    }
}

/// Runs work on a new thread.
func startThread(_ work: @escaping @Sendable () -> Void) {
    final class Box: Sendable {
        let work: @Sendable () -> Void
        init(_ work: @escaping @Sendable () -> Void) { self.work = work }
    }
    var thread = pthread_t()
    let status = pthread_create(
        &thread, nil,
        { context in
            guard let context else { return nil }
            Unmanaged<Box>.fromOpaque(context).takeRetainedValue().work()
            return nil
        }, Unmanaged.passRetained(Box(work)).toOpaque())
    precondition(status == 0, "the system gives no more threads")
    pthread_detach(thread)
}
