import Glibc
import LazyBase

/// The running threads of loops, which the process waits for at exit.
///
/// At exit, TLS libraries free their global state: a thread that is closing a connection at that
/// instant would crash the process.
final class LoopThreads: Sendable {
    private struct State {
        var links: [Int: WeakLink] = [:]
        var lastID = 0
        var isExiting = false
    }
    private struct WeakLink {
        weak var link: CurlLink?
    }

    /// Counts the threads that have ended since exit began.
    ///
    /// Unchecked: semaphores are thread-safe, and this one is never freed.
    private struct Semaphore: @unchecked Sendable {
        let pointer: UnsafeMutablePointer<sem_t>
    }

    private let state = Locked(State())
    private let ended: Semaphore

    /// The threads of the process, which end before the libraries that they use.
    ///
    /// Must be made after libcurl is loaded, while exit is held up: exit handlers run in reverse order.
    static let shared: LoopThreads = {
        let threads = LoopThreads()
        atexit { LoopThreads.shared.end(within: .seconds(2)) }
        return threads
    }()

    init() {
        ended = Semaphore(pointer: .allocate(capacity: 1))
        sem_init(ended.pointer, 0, 0)
    }

    /// Registers a thread that is about to start; nil if the process is exiting.
    func begin(_ link: CurlLink) -> Int? {
        state.withLock { state in
            if state.isExiting { return nil }
            state.lastID += 1
            state.links[state.lastID] = WeakLink(link: link)
            return state.lastID
        }
    }

    /// Records that a thread has released everything.
    func didEnd(_ id: Int) {
        let isAwaited = state.withLock { state in
            state.links[id] = nil
            return state.isExiting
        }
        if isAwaited { sem_post(ended.pointer) }
    }

    /// Stops all loops and waits for their threads, up to a timeout.
    ///
    /// Name resolution cannot be interrupted.
    func end(within timeout: Duration) {
        let links = state.withLock { state in
            state.isExiting = true
            return Array(state.links.values)
        }
        for link in links { link.link?.send(.stop) }
        var deadline = timespec()
        clock_gettime(CLOCK_REALTIME, &deadline)
        deadline.tv_sec += Int(timeout.wholeSeconds)
        for _ in links {
            while sem_timedwait(ended.pointer, &deadline) != 0 {
                if errno != EINTR { return }
            }
        }
    }
}
