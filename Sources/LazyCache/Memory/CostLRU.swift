/// Values under keys, in the order in which they are to go; a value type that knows no limit.
///
/// Second chance: using a value only sets a mark. What is next to go and has its mark set loses the
/// mark and stands at the end of the queue; without a mark it goes. Each place in the queue has a
/// ticket number from outside, so that several of these can be one queue together.
public struct CostLRU<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// A value that is in it no longer; handed out so that it ends outside of any lock.
    public struct Removed: Sendable {
        /// The value.
        public let value: Value?
        /// What it cost.
        public let cost: Int

        @inlinable
        init(value: Value?, cost: Int) {
            self.value = value
            self.cost = cost
        }
    }
    /// What a look-up finds.
    public enum Found: Sendable {
        /// The value.
        case value(Value)
        /// Nothing any more: its time had come.
        case expired(Removed)
        /// Nothing.
        case nothing
    }
    @usableFromInline
    struct Node: Sendable {
        @usableFromInline var key: Key
        @usableFromInline var hash: Int
        /// Nil where the place is free; the key stays until the place is taken.
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
    public init() {}

    /// The cost of all values.
    @inlinable
    public var totalCost: Int { cost }

    /// The number of values.
    @inlinable
    public var count: Int { nodes.count - free.count }

    /// The keys of all values, in no order.
    @inlinable
    public var keys: [Key] { nodes.compactMap { $0.value == nil ? nil : $0.key } }

    /// The ticket of what is next to go.
    @inlinable
    public var oldestTicket: UInt64? { oldest < 0 ? nil : nodes[oldest].ticket }

    /// The value of a key, which is marked as used; it is removed where its time has come.
    ///
    /// `now` is asked only where the value has a deadline.
    @inlinable
    public mutating func value(for key: Key, hash: Int, now: () -> Duration) -> Found {
        let place = find(key, hash)
        if place < 0 { return .nothing }
        if let deadline = nodes[place].deadline, deadline <= now() {
            return .expired(remove(at: place))
        }
        nodes[place].isUsed = true
        return nodes[place].value.map { .value($0) } ?? .nothing
    }

    /// Puts a value at the end of the queue, and returns the one it replaces.
    @inlinable
    public mutating func insert(
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
    public mutating func setUsed(_ isUsed: Bool, _ key: Key, hash: Int) {
        let place = find(key, hash)
        if place >= 0 { nodes[place].isUsed = isUsed }
    }

    /// Removes a value.
    @inlinable
    public mutating func remove(_ key: Key, hash: Int) -> Removed? {
        let place = find(key, hash)
        return place < 0 ? nil : remove(at: place)
    }

    /// Lets what is next to go, go; nil where it got a second chance instead.
    @inlinable
    public mutating func evictOldest(ticket: UInt64) -> Removed? {
        let place = oldest
        if place < 0 { return nil }
        guard nodes[place].isUsed else { return remove(at: place) }
        unlink(place)
        nodes[place].isUsed = false
        nodes[place].ticket = ticket
        append(place)
        return nil
    }

    // MARK: - Places

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
