internal import CLazySystem
internal import Synchronization

/// Memory that was freed, and that the C library keeps for the next allocations.
package enum FreedMemory {
    /// From how many bytes on giving back is worth its time.
    private static let leastBytes = 16 << 20
    private static let freed = Atomic<Int>(0)
    private static let isPending = Atomic<Bool>(false)

    /// Gives it back to the system on another thread, once so many bytes were freed, at once or one after the other.
    ///
    /// The C library does so by itself only at the end of an arena, which may be in use when all else is free.
    package static func giveBack(after byteCount: Int) {
        guard byteCount > 0 else { return }
        let sum = freed.wrappingAdd(min(byteCount, leastBytes), ordering: .relaxed).newValue
        guard sum >= leastBytes, !isPending.exchange(true, ordering: .relaxed) else { return }
        freed.store(0, ordering: .relaxed)
        // Nobody waits for it, and it ends by itself.
        Task.detached(executorPreference: BlockingPool.disk) {
            // What is freed from here on needs another round.
            isPending.store(false, ordering: .relaxed)
            lazy_trim_heap()
        }
    }
}
