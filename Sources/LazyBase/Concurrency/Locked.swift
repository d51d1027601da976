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
        // One allocation for both: a load has a dozen of these.
        let alignment = max(MemoryLayout<Value>.alignment, MemoryLayout<pthread_mutex_t>.alignment)
        let start = (MemoryLayout<pthread_mutex_t>.size + alignment - 1) / alignment * alignment
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: start + MemoryLayout<Value>.size, alignment: alignment)
        mutex = memory.bindMemory(to: pthread_mutex_t.self, capacity: 1)
        value = (memory + start).bindMemory(to: Value.self, capacity: 1)
        value.initialize(to: initial)
        pthread_mutex_init(mutex, nil)
    }

    @inlinable
    deinit {
        pthread_mutex_destroy(mutex)
        value.deinitialize(count: 1)
        UnsafeMutableRawPointer(mutex).deallocate()
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
