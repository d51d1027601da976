import Glibc
import LazyBytes
import LazyLoading

/// The owner of a loop and its thread; both begin with the first transfer and end with this.
final class CurlEngine: Sendable {
    private let configuration: HTTPLoader.Configuration
    private let threads: LoopThreads?
    private let state = Locked((link: CurlLink?.none, lastID: 0))

    /// Makes an engine whose thread is one of the process's, or one of others.
    init(_ configuration: HTTPLoader.Configuration, _ threads: LoopThreads? = nil) {
        self.configuration = configuration
        self.threads = threads
    }

    deinit { state.withLock { $0.link }?.send(.stop) }

    /// Hands a request to the loop.
    func start(_ hop: Hop) throws(LoadingError) -> RunningTransfer {
        let link = try link()
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        let channel = TransferChannel()
        link.send(.start(id, hop, channel))
        return RunningTransfer(id: id, channel: channel, link: link, engine: self)
    }

    private func link() throws(LoadingError) -> CurlLink {
        if let link = state.withLock({ $0.link }) { return link }
        let multi = try CurlMulti(connectionsPerHost: configuration.connectionsPerHost)
        let fresh = CurlLink(multi)
        // Those of the process are asked for now that libcurl is loaded, and not before.
        try CurlLoop.start(on: fresh, configuration, threads ?? .shared)
        let link = state.withLock { state in
            let link = state.link ?? fresh
            state.link = link
            return link
        }
        // Another thread was faster.
        if link !== fresh { fresh.send(.stop) }
        return link
    }
}

/// What an engine and the bodies of its loads tell their loop.
final class CurlLink: Sendable {
    enum Command: Sendable {
        case start(Int, Hop, TransferChannel)
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

/// A transfer as its consumer sees it; keeps the engine alive.
final class RunningTransfer: Sendable {
    private let id: Int
    private let channel: TransferChannel
    private let link: CurlLink
    private let engine: CurlEngine

    init(id: Int, channel: TransferChannel, link: CurlLink, engine: CurlEngine) {
        self.id = id
        self.channel = channel
        self.link = link
        self.engine = engine
    }

    /// Waits for the head; cancelling the task ends the transfer.
    func answer() async throws(LoadingError) -> Answer {
        try await withTaskCancellationHandler {
            await channel.answer()
        } onCancel: {
            abandon()
        }.get()
    }

    /// Waits for the next piece; cancelling the task ends the transfer.
    func next() async throws(LoadingError) -> [UInt8]? {
        let (result, hasRoom) = await withTaskCancellationHandler {
            await channel.next()
        } onCancel: {
            abandon()
        }
        if hasRoom { link.send(.resume(id)) }
        return try result.get()
    }

    /// Waits for the end; only being cancelled is an error.
    func drain() async throws(LoadingError) {
        do { while try await next() != nil {} } catch  where error.code == .cancelled {
            throw error
        } catch {}
    }

    /// Ends the transfer if it has not ended.
    func abandon() {
        if channel.abandon() { link.send(.cancel(id)) }
    }
}
