import Glibc
internal import LazyBase
internal import Synchronization

/// Memory that the bitmaps made on one thread use first, such as that of another process.
///
/// It consists of slots of one size; each holds one picture. A slot is free again when the last copy of
/// its bitmap is gone. One slot is left for pictures that were made elsewhere, and are copied.
package final class LentMemory: Sendable {
    // Unchecked: the pointer is only handed on.
    private struct Place: @unchecked Sendable {
        let start: UnsafeMutableRawPointer
    }
    private let place: Place
    private let slotBytes: Int
    private let blockBytes: Int
    private let slotCount: Int
    private let free: Locked<[Int]>
    private let release: @Sendable () -> Void

    private static let isUsed = Atomic<Bool>(false)
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    /// Takes memory of `slotCount` slots; each holds one picture of exactly `blockBytes`.
    ///
    /// `release` is called when neither this object nor a bitmap needs the memory any more.
    package init(
        _ start: UnsafeMutableRawPointer, slotCount: Int, slotBytes: Int, blockBytes: Int,
        release: @escaping @Sendable () -> Void
    ) {
        precondition(blockBytes <= slotBytes, "a picture is larger than its slot")
        place = Place(start: start)
        self.slotBytes = slotBytes
        self.blockBytes = blockBytes
        self.slotCount = slotCount
        self.release = release
        free = Locked(Array((0..<slotCount).reversed()))
    }

    deinit { release() }

    /// Whether a slot is free.
    package var hasFreeSlot: Bool { free.withLock { !$0.isEmpty } }

    /// Makes bitmaps of this thread use the memory until the end of a closure.
    package func use<Result>(_ body: () -> Result) -> Result {
        Self.isUsed.store(true, ordering: .relaxed)
        let old = pthread_getspecific(Self.key)
        pthread_setspecific(Self.key, Unmanaged.passUnretained(self).toOpaque())
        defer { pthread_setspecific(Self.key, old) }
        return body()
    }

    /// Takes a free slot for a copy, or returns nil; `giveBack` ends its use.
    package func takeSlot() -> Int? { free.withLock { $0.popLast() } }

    /// Ends the use of a slot that was taken.
    package func giveBack(_ slot: Int) { free.withLock { $0.append(slot) } }

    /// The memory of a slot.
    package func bytes(of slot: Int) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(start: place.start + slot * slotBytes, count: slotBytes)
    }

    /// The slot in which a pointer points, or nil.
    func slot(at pointer: UnsafeMutableRawPointer) -> Int? {
        let offset = pointer - place.start
        guard offset >= 0, offset < slotCount * slotBytes else { return nil }
        return offset / slotBytes
    }

    /// The memory of the current thread, and room for this many bytes in a free slot of it, or nil.
    static func room(byteCount: Int) -> (lender: LentMemory, start: UnsafeMutableRawPointer)? {
        guard isUsed.load(ordering: .relaxed), let current = pthread_getspecific(key) else {
            return nil
        }
        let memory = Unmanaged<LentMemory>.fromOpaque(current).takeUnretainedValue()
        guard memory.blockBytes == byteCount,
            let slot = memory.free.withLock({ $0.count > 1 ? $0.removeLast() : nil })
        else { return nil }
        return (memory, memory.place.start + slot * memory.slotBytes)
    }

    /// Ends the use of room.
    func takeBack(_ start: UnsafeMutableRawPointer) {
        if let slot = slot(at: start) { giveBack(slot) }
    }
}
