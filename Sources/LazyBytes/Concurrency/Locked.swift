public import Glibc

/// A value that one thread at a time may access, like `Synchronization.Mutex`.
///
/// Uses a POSIX mutex because ThreadSanitizer does not see the futex of `Synchronization.Mutex` on
/// Linux and reports every use of it as a race.
///
/// Unchecked: the value is accessed only in `withLock`, between lock and unlock.
@frozen
@usableFromInline
package struct Locked<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    @usableFromInline let value: UnsafeMutablePointer<Value>
    @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>

    /// Takes ownership of a value.
    @inlinable
    package init(_ initial: consuming sending Value) {
        value = .allocate(capacity: 1)
        value.initialize(to: initial)
        mutex = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
    }

    @inlinable
    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
        value.deinitialize(count: 1)
        value.deallocate()
    }

    /// Calls a closure with exclusive access to the value; other threads wait.
    ///
    /// Not reentrant.
    @inlinable
    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value.pointee)
    }
}
