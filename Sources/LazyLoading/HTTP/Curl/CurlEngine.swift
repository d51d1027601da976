internal import CLibrary
import LazyBase

/// The owner of a loop and its thread, which start with the first transfer and end with the engine.
final class CurlEngine: Sendable {
    private let configuration: HTTPConfiguration
    private let threads: LoopThreads?
    private let state = Locked((link: CurlLink?.none, lastID: 0))

    /// Makes an engine; `threads` are those of the process by default.
    init(_ configuration: HTTPConfiguration, _ threads: LoopThreads? = nil) {
        self.configuration = configuration
        self.threads = threads
    }

    deinit { state.withLock { $0.link }?.send(.stop) }

    /// Passes a request to the loop.
    func start(_ step: RedirectStep) throws(LoadingError) -> RunningTransfer {
        let link = try link()
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        let channel = TransferChannel()
        link.send(.start(id, step, channel))
        return RunningTransfer(id: id, channel: channel, link: link, engine: self)
    }

    private func link() throws(LoadingError) -> CurlLink {
        if let link = state.withLock({ $0.link }) { return link }
        let multi = try CurlMulti(configuration)
        let new = CurlLink(multi)
        try startLoop(on: new)
        let link = state.withLock { state in
            let link = state.link ?? new
            state.link = link
            return link
        }
        // Another thread was faster.
        if link !== new { new.send(.stop) }
        return link
    }

    /// Starts the thread of a loop, of which exit must know before it runs.
    private func startLoop(on link: CurlLink) throws(LoadingError) {
        // Not around the loading of libcurl, which another thread may be doing while it waits for this.
        clibrary_hold_exit()
        defer { clibrary_release_exit() }
        try CurlLoop.start(on: link, configuration, threads ?? .shared)
    }
}
