public import LazyBase
public import Synchronization

/// A thread-safe cache of values in memory, limited by cost, count and age.
///
/// Sharded over several locks. The values that were not stored or used for the longest time are
/// evicted first (second chance).
public final class MemoryCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// The limits of a cache.
    public struct Limits: Hashable, Sendable {
        /// The cost of all values.
        public var cost: Int
        /// The number of all values.
        public var count: Int
        /// The maximum cost of one value as a fraction of the cost limit; larger ones are not kept.
        public var entryShare: Double
        /// How long a value is valid, or nil for no limit.
        public var timeToLive: Duration?

        /// Makes limits.
        @inlinable
        public init(
            cost: Int = .max, count: Int = .max, entryShare: Double = 0.1,
            timeToLive: Duration? = nil
        ) {
            self.cost = cost
            self.count = count
            self.entryShare = entryShare
            self.timeToLive = timeToLive
        }

        /// The maximum cost of one value.
        @inlinable
        public var entryCost: Int {
            cost == .max ? .max : Int(Double(cost) * min(1, max(0, entryShare)))
        }
    }

    /// A part of the cache with a lock of its own.
    @usableFromInline
    final class Shard: Sendable {
        @usableFromInline let values = Locked(CostLRU<Key, Value>())
        /// The ticket of the oldest value; `.max` if empty.
        @usableFromInline let oldest = Atomic<UInt64>(.max)

        @inlinable
        init() {}
    }
    @usableFromInline static var shardBits: Int { 4 }
    @usableFromInline let shards: [Shard]
    @usableFromInline let clock: any SteadyClock
    @usableFromInline let currentLimits: Locked<Limits>
    @usableFromInline let cost = Atomic<Int>(0)
    @usableFromInline let count = Atomic<Int>(0)
    @usableFromInline let lastTicket = Atomic<UInt64>(0)

    /// Makes an empty cache.
    @inlinable
    public init(limits: Limits = Limits(), clock: any SteadyClock = SystemSteadyClock()) {
        shards = (0..<1 << Self.shardBits).map { _ in Shard() }
        currentLimits = Locked(limits)
        self.clock = clock
    }

    // Released values return their memory to the system as removed ones do, which takes that they are freed first.
    deinit {
        let cost = totalCost
        removeAll()
        FreedMemory.giveBack(after: cost)
    }

    /// The limits; lower ones take effect at once.
    @inlinable
    public var limits: Limits {
        get { currentLimits.withLock { $0 } }
        set {
            currentLimits.withLock { $0 = newValue }
            trim(toCost: newValue.cost, count: newValue.count)
        }
    }

    /// The cost of all values.
    @inlinable
    public var totalCost: Int { cost.load(ordering: .relaxed) }

    /// The number of values.
    @inlinable
    public var totalCount: Int { count.load(ordering: .relaxed) }

    /// The keys of all values, unordered, including expired ones.
    @inlinable
    public var keys: [Key] { shards.flatMap { shard in shard.values.withLock { $0.keys } } }

    /// The value of a key, or nil; an expired one is removed.
    @inlinable
    public func value(for key: Key) -> Value? {
        let hash = key.hashValue
        let shard = shard(hash)
        let found = shard.values.withLock { values in
            let found = values.value(for: key, hash: hash) { clock.now }
            if case .expired = found { shard.publish(values) }
            return found
        }
        switch found {
        case .value(let value): return value
        case .expired(let removed): didRemove(removed)
        case .nothing: break
        }
        return nil
    }

    /// Stores a value; one beyond the maximum cost only removes the old value.
    ///
    /// `timeToLive` overrides that of the limits.
    @inlinable
    public func set(_ value: Value, for key: Key, cost: Int, timeToLive: Duration? = nil) {
        let limits = limits
        guard cost <= limits.entryCost, limits.count > 0 else { return remove(key) }
        let deadline = (timeToLive ?? limits.timeToLive).map { clock.now + $0 }
        let hash = key.hashValue
        let ticket = lastTicket.add(1, ordering: .relaxed).newValue
        let shard = shard(hash)
        let replaced = shard.values.withLock { values in
            let replaced = values.insert(
                value, for: key, hash: hash, cost: cost, deadline: deadline, ticket: ticket)
            shard.publish(values)
            return replaced
        }
        self.cost.add(cost - (replaced?.cost ?? 0), ordering: .relaxed)
        if replaced == nil { count.add(1, ordering: .relaxed) }
        if totalCost > limits.cost || totalCount > limits.count {
            // The new value is not evicted, even if all others are marked.
            shard.values.withLock { $0.setUsed(true, key, hash: hash) }
            trim(toCost: limits.cost, count: limits.count)
            shard.values.withLock { $0.setUsed(false, key, hash: hash) }
        }
    }

    /// Removes the value of a key.
    @inlinable
    public func remove(_ key: Key) {
        let hash = key.hashValue
        let shard = shard(hash)
        let removed = shard.values.withLock { values in
            let removed = values.remove(key, hash: hash)
            shard.publish(values)
            return removed
        }
        if let removed { didRemove(removed) }
    }

    /// Removes all values.
    @inlinable
    public func removeAll() {
        for shard in shards {
            // The old values are released outside of the lock.
            let old = shard.values.withLock { values in
                let old = values
                values = CostLRU()
                shard.publish(values)
                return old
            }
            cost.subtract(old.totalCost, ordering: .relaxed)
            count.subtract(old.count, ordering: .relaxed)
        }
    }

    /// Evicts values down to a total cost.
    @inlinable
    public func trim(toCost cost: Int) { trim(toCost: cost, count: .max) }

    /// Evicts values down to a count.
    @inlinable
    public func trim(toCount count: Int) { trim(toCost: .max, count: count) }

    @inlinable
    func trim(toCost cost: Int, count: Int) {
        while totalCost > cost || totalCount > count {
            guard let shard = oldestShard() else { return }
            let ticket = lastTicket.add(1, ordering: .relaxed).newValue
            let removed = shard.values.withLock { values in
                let removed = values.evictOldest(ticket: ticket)
                shard.publish(values)
                return removed
            }
            if let removed { didRemove(removed) }
        }
    }

    /// The shard with the oldest value.
    @inlinable
    func oldestShard() -> Shard? {
        var found: Shard?
        var lowest = UInt64.max
        for shard in shards {
            let ticket = shard.oldest.load(ordering: .relaxed)
            if ticket < lowest { (lowest, found) = (ticket, shard) }
        }
        return found
    }

    @inlinable
    func shard(_ hash: Int) -> Shard {
        shards[Int(UInt(bitPattern: hash) >> UInt(Int.bitWidth - Self.shardBits))]
    }

    @inlinable
    func didRemove(_ removed: CostLRU<Key, Value>.Removed) {
        cost.subtract(removed.cost, ordering: .relaxed)
        count.subtract(1, ordering: .relaxed)
    }
}

extension MemoryCache.Shard {
    /// Publishes the ticket of its oldest value; called under the lock of the values.
    @inlinable
    func publish(_ values: borrowing CostLRU<Key, Value>) {
        oldest.store(values.oldestTicket ?? .max, ordering: .relaxed)
    }
}
