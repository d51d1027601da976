internal import Glibc
internal import LazyBytes

/// Follows what the system says of its network, by a thread of its own; releasing it ends that.
final class MeteredWatch: Sendable {
    typealias Listener = @Sendable (_ network: MeteredNetwork, _ isFirst: Bool) -> Void

    /// What is said at the beginning.
    let first: MeteredNetwork
    /// The end of a pipe: the thread stops when it is closed.
    private let lifeline: CInt

    /// Asks, and calls a listener with the first answer, here, and with each later one that differs.
    ///
    /// Blocks until the first is there. Where nobody can be asked there is no thread.
    init(_ authority: NetworkAuthority, _ listener: @escaping Listener) {
        let connection: BusConnection
        do {
            connection = try authority.connect()
        } catch {
            (first, lifeline) = (error.network, -1)
            listener(first, true)
            return
        }
        // What changes behind the question is told.
        let canFollow = connection.watch()
        first = connection.ask()
        listener(first, true)
        var ends: [CInt] = [-1, -1]
        guard canFollow, pipe(&ends) == 0 else {
            lifeline = -1
            return
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let work = Work(connection, first, ends[0], listener)
        if work.start() {
            lifeline = ends[1]
        } else {
            close(ends[1])
            lifeline = -1
        }
    }

    /// Whether there is somebody to follow.
    var isFollowing: Bool { lifeline >= 0 }

    deinit { if lifeline >= 0 { close(lifeline) } }

    /// What the thread does; it alone has the connection.
    private final class Work: Sendable {
        private let connection: BusConnection
        private let first: MeteredNetwork
        private let end: CInt
        private let listener: Listener

        init(
            _ connection: BusConnection, _ first: MeteredNetwork, _ end: CInt,
            _ listener: @escaping Listener
        ) {
            self.connection = connection
            self.first = first
            self.end = end
            self.listener = listener
        }

        deinit { close(end) }

        func start() -> Bool {
            var thread = pthread_t()
            let context = Unmanaged.passRetained(self)
            let status = pthread_create(
                &thread, nil,
                { context in
                    guard let context else { return nil }
                    Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run()
                    return nil
                }, context.toOpaque())
            if status == 0 { pthread_detach(thread) } else { context.release() }
            return status == 0
        }

        private func run() {
            // Signals are for the program's threads.
            var all = sigset_t()
            sigfillset(&all)
            pthread_sigmask(SIG_BLOCK, &all, nil)
            var last = first
            while connection.waitForChange(until: end) {
                let network = connection.ask()
                if network != last { listener(network, false) }
                last = network
            }
        }
    }
}
