import Glibc
internal import LazyBytes

/// Waiting without anything to wait for.
package enum Pause {
    /// Lets time pass; blocks the thread.
    package static func wait(_ time: Duration) {
        let nanoseconds = time.nanoseconds
        var wanted = timespec(
            tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        var rest = timespec()
        while nanosleep(&wanted, &rest) != 0, errno == EINTR { wanted = rest }
    }
}
