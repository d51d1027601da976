internal import LazyBase

/// How far the sweep of a store has come.
///
/// A store that is written to is swept a slice at a time, with each write, so that no write waits for the
/// listing of a large store. The round is kept in the file `sweeping`, and any process continues it.
struct SweepRound: Equatable {
    /// Entries are swept in the order of their names' first three hexadecimal digits.
    static let prefixCount = 4096
    /// So many entries are looked at in a slice, and so many removed.
    static let sliceEntries = 128
    static let sliceVictims = 16
    /// So many are removed even where they are larger than what was written.
    static let fewVictims = 6
    /// After this time no other slice begins.
    static let sliceTime = Duration.milliseconds(2)

    /// The victims to remove with a write, twice as large as what was written: a full store must shrink.
    static func first(
        _ victims: [SweepPlan.Item], forWritten written: Int
    ) -> ArraySlice<SweepPlan.Item> {
        var (count, removed) = (0, 0)
        while count < min(victims.count, sliceVictims), count < fewVictims || removed < 2 * written
        {
            removed += victims[count].size
            count += 1
        }
        return victims[..<count]
    }

    /// The first prefix that is not swept yet.
    var next = 0
    /// The size of the entries found so far, including removed ones, without those stored since it began.
    private(set) var byteCount = 0
    /// What the counter of the store said at the beginning.
    let before: Int
    /// When it began.
    let start: WallTime
    /// Whether the store was over its limit at the beginning.
    let evicts: Bool
    /// Whether an earlier write began it.
    private(set) var isContinued = false

    private static let magic = Array("LZYSWEP1".utf8)

    init(before: Int, limit: Int, at start: WallTime) {
        self.before = before
        self.start = start
        evicts = before > limit
    }

    var isComplete: Bool { next >= Self.prefixCount }

    /// Adds the sizes of entries by the times when they were stored.
    ///
    /// What was stored since an earlier write began the round is in the counter of the store.
    mutating func count(_ entries: some Sequence<(size: Int, storedAt: WallTime)>) {
        for entry in entries where !isContinued || entry.storedAt < start {
            byteCount += entry.size
        }
    }

    /// The size of all entries, where the counter says `now`: what changed since is in the difference.
    func total(now: Int) -> Int { max(0, byteCount + now - before) }

    var encoded: [UInt8] {
        let bytes =
            Self.magic + UInt64(next).bytes + UInt64(byteCount).bytes + UInt64(before).bytes
            + UInt64(bitPattern: start.milliseconds).bytes + UInt64(evicts ? 1 : 0).bytes
        return bytes + EntryFormat.sum(bytes).bytes
    }

    static let encodedCount = 52

    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.encodedCount, bytes.starts(with: Self.magic),
            EntryFormat.sum(Array(bytes[..<48])) == UInt32(bytes, at: 48)
        else { return nil }
        next = Int(clamping: UInt64(bytes, at: 8))
        byteCount = Int(clamping: UInt64(bytes, at: 16))
        before = Int(clamping: UInt64(bytes, at: 24))
        start = WallTime(milliseconds: Int64(bitPattern: UInt64(bytes, at: 32)))
        evicts = UInt64(bytes, at: 40) != 0
        isContinued = true
        if isComplete { return nil }
    }
}

extension SweepPlan {
    /// The plan for entries of some prefixes: names are spread evenly, and so are the bytes.
    func part(_ prefixes: Range<Int>, evicts: Bool) -> SweepPlan {
        if prefixes.count >= SweepRound.prefixCount { return self }
        var part = self
        part.target = Int(
            Double(target) * (Double(prefixes.count) / Double(SweepRound.prefixCount)))
        part.limit = evicts ? part.target : .max
        return part
    }
}
