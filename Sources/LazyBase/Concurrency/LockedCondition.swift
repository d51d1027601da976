import Glibc

/// A value under a lock, and threads that wait until it has changed.
///
/// Unchecked: the value is accessed only between lock and unlock.
package struct LockedCondition<Value>: ~Copyable, @unchecked Sendable {
    private let value: UnsafeMutablePointer<Value>
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>

    /// Takes ownership of a value.
    package init(_ initial: consuming Value) {
        value = .allocate(capacity: 1)
        value.initialize(to: initial)
        mutex = .allocate(capacity: 1)
        condition = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        pthread_cond_destroy(condition)
        mutex.deallocate()
        condition.deallocate()
        value.deinitialize(count: 1)
        value.deallocate()
    }

    /// Calls a closure with exclusive access to the value.
    package borrowing func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body(&value.pointee)
    }

    /// Wakes one waiting thread.
    package borrowing func signal() { pthread_cond_signal(condition) }

    /// Wakes all waiting threads.
    package borrowing func broadcast() { pthread_cond_broadcast(condition) }

    /// Calls a closure, and again after each wake-up, until it returns a result.
    ///
    /// Blocks. The closure has exclusive access to the value; between two calls the lock is free.
    package borrowing func wait<Result>(_ body: (inout Value) -> Result?) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&value.pointee) { return result }
            pthread_cond_wait(condition, mutex)
        }
    }

    /// The same with a timeout, after which the closure is called a last time.
    package borrowing func wait<Result>(
        for timeout: Duration, _ body: (inout Value, _ isTimedOut: Bool) -> Result?
    ) -> Result? {
        var deadline = timespec()
        clock_gettime(CLOCK_MONOTONIC, &deadline)
        let (seconds, attoseconds) = timeout.components
        let nanoseconds = deadline.tv_nsec + Int(attoseconds / 1_000_000_000)
        deadline.tv_sec += Int(seconds) + nanoseconds / 1_000_000_000
        deadline.tv_nsec = nanoseconds % 1_000_000_000
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&value.pointee, false) { return result }
            if pthread_cond_timedwait(condition, mutex, &deadline) == ETIMEDOUT {
                return body(&value.pointee, true)
            }
        }
    }
}
