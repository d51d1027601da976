public import Glibc

/// A value that one thread at a time may touch, as `Synchronization.Mutex` keeps it.
///
/// Over a POSIX mutex, because ThreadSanitizer understands that one: it is blind to the futex of
/// `Synchronization.Mutex` on Linux and reports every use of it as a race.
///
/// Unchecked: the value is touched only in `withLock`, between lock and unlock.
@frozen
public struct Locked<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    @usableFromInline let value: UnsafeMutablePointer<Value>
    @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>

    /// Takes a value in.
    @inlinable
    public init(_ initial: consuming sending Value) {
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

    /// Lends the value; other threads wait meanwhile.
    ///
    /// Not to be called from inside itself.
    @inlinable
    public borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value.pointee)
    }
}
