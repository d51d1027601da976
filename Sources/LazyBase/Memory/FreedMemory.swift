internal import CLazySystem
internal import Synchronization

/// Memory that was freed, and that the C library keeps for the next allocations.
package enum FreedMemory {
    /// From how many bytes on giving back is worth its time.
    private static let leastBytes = 16 << 20
    private static let isPending = Atomic<Bool>(false)

    /// Gives it back to the system on another thread, after so many bytes were freed at once.
    ///
    /// The C library does so by itself only at the end of an arena, which may be in use when all else is free.
    package static func giveBack(after byteCount: Int) {
        guard byteCount >= leastBytes, !isPending.exchange(true, ordering: .relaxed) else { return }
        // Nobody waits for it, and it ends by itself.
        Task.detached(executorPreference: BlockingPool.disk) {
            // What is freed from here on needs another round.
            isPending.store(false, ordering: .relaxed)
            lazy_trim_heap()
        }
    }
}
