internal import Glibc
internal import LazyBase

/// Follows what the system reports about its network, on a thread of its own; ends when released.
final class MeteredWatch: Sendable {
    typealias Listener = @Sendable (_ network: MeteredNetwork, _ isFirst: Bool) -> Void

    /// The first report.
    let first: MeteredNetwork
    /// The writing end of a pipe: the thread stops when it is closed.
    private let lifeline: FileDescriptor?

    /// Asks, and calls a listener with the first report, here, and with each later one that differs.
    ///
    /// Blocks until the first report. Without a service to ask there is no thread.
    init(_ authority: NetworkAuthority, _ listener: @escaping Listener) {
        let connection: BusConnection
        do {
            connection = try authority.connect()
        } catch {
            (first, lifeline) = (error.network, nil)
            listener(first, true)
            return
        }
        // Subscribed before the question, so that no change is missed.
        let canFollow = connection.watch()
        let first = connection.ask()
        self.first = first
        listener(first, true)
        var ends: [CInt] = [-1, -1]
        guard canFollow, pipe(&ends) == 0 else {
            lifeline = nil
            return
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let (reading, writing) = (FileDescriptor(ends[0]), FileDescriptor(ends[1]))
        let isStarted: Void? = try? DetachedThread.start(blocksSignals: true) {
            var last = first
            while connection.waitForChange(until: reading.number) {
                let network = connection.ask()
                if network != last { listener(network, false) }
                last = network
            }
        }
        lifeline = isStarted == nil ? nil : writing
    }

    /// Whether there is a service to follow.
    var isFollowing: Bool { lifeline != nil }
}
