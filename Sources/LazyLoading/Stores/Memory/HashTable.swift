/// Maps hashes to places by open addressing: one flat array, no tombstones.
///
/// `Dictionary` would hash the key again for each lookup; here one hash selects both the shard and
/// the slot in it.
@usableFromInline
struct HashTable: Sendable {
    /// A place and its hash; the place of a free slot is -1.
    @usableFromInline
    struct Slot: Sendable {
        @usableFromInline var hash = 0
        @usableFromInline var place = -1

        @inlinable
        init(hash: Int = 0, place: Int = -1) {
            self.hash = hash
            self.place = place
        }
    }
    @usableFromInline var slots: [Slot] = []
    @usableFromInline var count = 0

    @inlinable
    init() {}

    /// The preferred slot of a hash.
    @inlinable
    func home(_ hash: Int) -> Int {
        // The high bits select the shard, the low ones the slot.
        hash & (slots.count - 1)
    }

    /// The place of a hash for which `isEqual` holds, or -1.
    @inlinable
    func find(_ hash: Int, where isEqual: (Int) -> Bool) -> Int {
        if slots.isEmpty { return -1 }
        var index = home(hash)
        while slots[index].place >= 0 {
            if slots[index].hash == hash, isEqual(slots[index].place) { return slots[index].place }
            index = (index + 1) & (slots.count - 1)
        }
        return -1
    }

    @inlinable
    mutating func insert(_ hash: Int, _ place: Int) {
        if count * 4 >= slots.count * 3 { grow() }
        count += 1
        put(Slot(hash: hash, place: place))
    }

    /// Removes a place, and moves the displaced ones after it.
    @inlinable
    mutating func remove(_ hash: Int, _ place: Int) {
        if slots.isEmpty { return }
        let mask = slots.count - 1
        var hole = home(hash)
        while slots[hole].place != place {
            if slots[hole].place < 0 { return }
            hole = (hole + 1) & mask
        }
        var next = (hole + 1) & mask
        while slots[next].place >= 0 {
            let distance = (next &- home(slots[next].hash)) & mask
            if distance >= (next &- hole) & mask {
                slots[hole] = slots[next]
                hole = next
            }
            next = (next + 1) & mask
        }
        slots[hole] = Slot()
        count -= 1
    }

    @inlinable
    mutating func grow() {
        let old = slots
        slots = Array(repeating: Slot(), count: max(8, old.count * 2))
        for slot in old where slot.place >= 0 { put(slot) }
    }

    @inlinable
    mutating func put(_ slot: Slot) {
        var index = home(slot.hash)
        while slots[index].place >= 0 { index = (index + 1) & (slots.count - 1) }
        slots[index] = slot
    }
}
