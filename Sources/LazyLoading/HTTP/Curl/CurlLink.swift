import LazyBase

/// The queue of commands from an engine and its transfers to their loop.
final class CurlLink: Sendable {
    enum Command: Sendable {
        case start(Int, RedirectStep, TransferChannel)
        /// The consumer has room again.
        case resume(Int)
        case cancel(Int)
        case stop
    }

    let multi: CurlMulti
    private let commands = Locked<[Command]>([])

    init(_ multi: CurlMulti) { self.multi = multi }

    func send(_ command: Command) {
        let isFirst = commands.withLock { commands in
            commands.append(command)
            return commands.count == 1
        }
        if isFirst { multi.wakeUp() }
    }

    func take() -> [Command] {
        commands.withLock { commands in
            defer { commands.removeAll(keepingCapacity: true) }
            return commands
        }
    }
}
