/// Values under keys in order of eviction; a value type without a limit.
///
/// Uses the second-chance algorithm: a use sets a mark. The oldest value is evicted unless it is
/// marked; then it loses the mark and moves to the end of the queue. Tickets, which are passed in,
/// order the queues of several instances together.
@usableFromInline
package struct CostLRU<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// A removed value, returned so that it is released outside of any lock.
    @usableFromInline
    package struct Removed: Sendable {
        /// The value.
        @usableFromInline package let value: Value?
        /// Its cost.
        @usableFromInline package let cost: Int

        @inlinable
        init(value: Value?, cost: Int) {
            self.value = value
            self.cost = cost
        }
    }
    /// The result of a lookup.
    @usableFromInline
    package enum Found: Sendable {
        /// The value.
        case value(Value)
        /// The value had expired and was removed.
        case expired(Removed)
        /// Nothing.
        case nothing
    }
    @usableFromInline
    struct Node: Sendable {
        @usableFromInline var key: Key
        @usableFromInline var hash: Int
        /// Nil if the slot is free; the key stays until the slot is reused.
        @usableFromInline var value: Value?
        @usableFromInline var cost: Int
        @usableFromInline var deadline: Duration?
        @usableFromInline var ticket: UInt64
        @usableFromInline var isUsed = false
        @usableFromInline var previous = -1
        @usableFromInline var next = -1

        @inlinable
        init(
            key: Key, hash: Int, value: Value, cost: Int, deadline: Duration?, ticket: UInt64
        ) {
            self.key = key
            self.hash = hash
            self.value = value
            self.cost = cost
            self.deadline = deadline
            self.ticket = ticket
        }
    }
    @usableFromInline var nodes: [Node] = []
    @usableFromInline var free: [Int] = []
    @usableFromInline var table = HashTable()
    @usableFromInline var oldest = -1
    @usableFromInline var newest = -1
    @usableFromInline var cost = 0

    /// Makes an empty one.
    @inlinable
    package init() {}

    /// The cost of all values.
    @inlinable
    package var totalCost: Int { cost }

    /// The number of values.
    @inlinable
    package var count: Int { nodes.count - free.count }

    /// The keys of all values, unordered.
    @inlinable
    package var keys: [Key] { nodes.compactMap { $0.value == nil ? nil : $0.key } }

    /// The ticket of the oldest value.
    @inlinable
    package var oldestTicket: UInt64? { oldest < 0 ? nil : nodes[oldest].ticket }

    /// Returns the value of a key and marks it as used; removes it if it has expired.
    ///
    /// `now` is called only if the value has a deadline.
    @inlinable
    package mutating func value(for key: Key, hash: Int, now: () -> Duration) -> Found {
        let place = find(key, hash)
        if place < 0 { return .nothing }
        if let deadline = nodes[place].deadline, deadline <= now() {
            return .expired(remove(at: place))
        }
        nodes[place].isUsed = true
        return nodes[place].value.map { .value($0) } ?? .nothing
    }

    /// Appends a value to the queue, and returns the one it replaces.
    @inlinable
    package mutating func insert(
        _ value: Value, for key: Key, hash: Int, cost: Int, deadline: Duration?, ticket: UInt64
    ) -> Removed? {
        let replaced = remove(key, hash: hash)
        let node = Node(
            key: key, hash: hash, value: value, cost: cost, deadline: deadline, ticket: ticket)
        let place: Int
        if let last = free.popLast() {
            place = last
            nodes[place] = node
        } else {
            place = nodes.count
            nodes.append(node)
        }
        table.insert(hash, place)
        append(place)
        self.cost += cost
        return replaced
    }

    /// Sets or clears the mark of a value.
    @inlinable
    package mutating func setUsed(_ isUsed: Bool, _ key: Key, hash: Int) {
        let place = find(key, hash)
        if place >= 0 { nodes[place].isUsed = isUsed }
    }

    /// Removes a value.
    @inlinable
    package mutating func remove(_ key: Key, hash: Int) -> Removed? {
        let place = find(key, hash)
        return place < 0 ? nil : remove(at: place)
    }

    /// Evicts the oldest value; nil if it got a second chance instead.
    @inlinable
    package mutating func evictOldest(ticket: UInt64) -> Removed? {
        let place = oldest
        if place < 0 { return nil }
        guard nodes[place].isUsed else { return remove(at: place) }
        unlink(place)
        nodes[place].isUsed = false
        nodes[place].ticket = ticket
        append(place)
        return nil
    }

    // MARK: - Slots

    @inlinable
    func find(_ key: Key, _ hash: Int) -> Int {
        table.find(hash) { place in nodes[place].key == key }
    }

    @inlinable
    mutating func remove(at place: Int) -> Removed {
        unlink(place)
        table.remove(nodes[place].hash, place)
        free.append(place)
        let removed = Removed(value: nodes[place].value, cost: nodes[place].cost)
        nodes[place].value = nil
        cost -= removed.cost
        return removed
    }

    @inlinable
    mutating func append(_ place: Int) {
        nodes[place].previous = newest
        nodes[place].next = -1
        if newest >= 0 { nodes[newest].next = place } else { oldest = place }
        newest = place
    }

    @inlinable
    mutating func unlink(_ place: Int) {
        let previous = nodes[place].previous
        let next = nodes[place].next
        if previous >= 0 { nodes[previous].next = next } else { oldest = next }
        if next >= 0 { nodes[next].previous = previous } else { newest = previous }
    }
}
