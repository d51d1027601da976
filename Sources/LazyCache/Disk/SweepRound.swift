internal import LazyBytes

/// How far the sweep of a store has come.
///
/// A store that is written to is swept a slice at a time, with each write, so that no write waits for the
/// listing of a large store. The round is kept in the file `sweeping`, and any process continues it.
struct SweepRound: Equatable {
    /// Entries are swept in the order of their names' first three hexadecimal digits.
    static let prefixCount = 4096
    /// So many entries are looked at in a slice, and so many removed.
    static let sliceEntries = 512
    static let sliceVictims = 32

    /// The first prefix that is not swept yet.
    var next = 0
    /// The size of the entries found so far, including removed ones.
    var byteCount = 0
    /// What the counter of the store said at the beginning.
    let before: Int
    /// Whether the store was over its limit at the beginning.
    let evicts: Bool

    private static let magic = Array("LZYSWEP1".utf8)

    init(before: Int, limit: Int) {
        self.before = before
        evicts = before > limit
    }

    var isComplete: Bool { next >= Self.prefixCount }

    /// The size of all entries, where the counter says `now`: what changed meanwhile is in the difference.
    func total(now: Int) -> Int { max(0, byteCount + now - before) }

    var encoded: [UInt8] {
        let bytes =
            Self.magic + UInt64(next).bytes + UInt64(byteCount).bytes + UInt64(before).bytes
            + UInt64(evicts ? 1 : 0).bytes
        return bytes + EntryFormat.sum(bytes).bytes
    }

    static let encodedCount = 44

    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.encodedCount, bytes.starts(with: Self.magic),
            EntryFormat.sum(Array(bytes[..<40])) == UInt32(bytes, at: 40)
        else { return nil }
        next = Int(clamping: UInt64(bytes, at: 8))
        byteCount = Int(clamping: UInt64(bytes, at: 16))
        before = Int(clamping: UInt64(bytes, at: 24))
        evicts = UInt64(bytes, at: 32) != 0
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
