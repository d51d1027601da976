import Glibc
import LazyBytes

/// The threads of loops that have not ended, so that the process can end behind them.
///
/// When a process exits, the TLS library frees what is its own, whoever still uses it: a thread that was
/// closing a connection at that moment would end the process by a signal, after all its work was done.
final class LoopThreads: Sendable {
    private struct State {
        var links: [Int: WeakLink] = [:]
        var lastID = 0
        var isEnding = false
    }
    private struct WeakLink {
        weak var link: CurlLink?
    }

    /// Counts the threads that have ended since the end began.
    ///
    /// Unchecked: a semaphore is for all threads, and this one is never freed.
    private struct Semaphore: @unchecked Sendable {
        let pointer: UnsafeMutablePointer<sem_t>
    }

    private let state = Locked(State())
    private let ended: Semaphore

    /// Those of the process, ended before the libraries that they use.
    ///
    /// To be asked for once libcurl is loaded: what is registered later runs earlier.
    static let shared: LoopThreads = {
        let threads = LoopThreads()
        atexit { LoopThreads.shared.end(within: .seconds(2)) }
        return threads
    }()

    init() {
        ended = Semaphore(pointer: .allocate(capacity: 1))
        sem_init(ended.pointer, 0, 0)
    }

    /// Notes a thread that is about to begin; nil when the process is ending, and none may.
    func begin(_ link: CurlLink) -> Int? {
        state.withLock { state in
            if state.isEnding { return nil }
            state.lastID += 1
            state.links[state.lastID] = WeakLink(link: link)
            return state.lastID
        }
    }

    /// A thread has let go of everything.
    func didEnd(_ id: Int) {
        let isAwaited = state.withLock { state in
            state.links[id] = nil
            return state.isEnding
        }
        if isAwaited { sem_post(ended.pointer) }
    }

    /// Tells all loops to stop and waits for their threads, so long at most.
    ///
    /// The longest wait is for a name server, which nothing can hurry.
    func end(within length: Duration) {
        let links = state.withLock { state in
            state.isEnding = true
            return Array(state.links.values)
        }
        for link in links { link.link?.send(.stop) }
        var deadline = timespec()
        clock_gettime(CLOCK_REALTIME, &deadline)
        deadline.tv_sec += Int(length.wholeSeconds)
        for _ in links {
            while sem_timedwait(ended.pointer, &deadline) != 0 {
                if errno != EINTR { return }
            }
        }
    }
}
