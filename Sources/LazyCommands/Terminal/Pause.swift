import Glibc

/// Waiting without anything to wait for.
enum Pause {
    /// Lets time pass; blocks the thread.
    static func wait(_ time: Duration) {
        let (seconds, atto) = time.components
        var wanted = timespec(tv_sec: Int(seconds), tv_nsec: Int(atto / 1_000_000_000))
        var rest = timespec()
        while nanosleep(&wanted, &rest) != 0, errno == EINTR { wanted = rest }
    }
}
