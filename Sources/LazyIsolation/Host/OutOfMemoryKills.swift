internal import LazyBase

/// Tells processes that the kernel killed for lack of memory from those that somebody killed.
///
/// Both end by the same signal, but the kernel counts the former.
enum OutOfMemoryKills {
    private static let known = Locked<Int?>(nil)

    /// Notes the present count, unless one is known.
    static func watch() {
        known.withLock { if $0 == nil { $0 = SystemMemory.killCount } }
    }

    /// Whether there was one since the last look.
    static func wasOne() -> Bool {
        known.withLock { known in
            let (before, now) = (known, SystemMemory.killCount)
            known = now
            guard let before, let now else { return false }
            return now > before
        }
    }
}
