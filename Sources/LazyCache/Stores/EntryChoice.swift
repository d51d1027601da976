/// Which entries of a store are meant.
public enum EntryChoice {
    /// That of a key.
    case key(String)
    /// Those of a key and of its variants: the keys that continue it behind a line break.
    case variants(of: String)
    /// All.
    case all
    /// Those that a closure chooses by key and metadata; each entry is opened for that.
    case matching((_ key: String, _ metadata: [UInt8]) -> Bool)
}

/// Which kinds of entries are meant.
public struct EntryKinds: OptionSet, Hashable, Sendable {
    /// One bit a kind.
    public let rawValue: UInt8
    /// Makes kinds of bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Entries that are there whole, for readers.
    public static let whole = EntryKinds(rawValue: 1 << 0)
    /// Beginnings and parts that wait to be continued.
    public static let suspended = EntryKinds(rawValue: 1 << 1)
    /// Both.
    public static let all: EntryKinds = [.whole, .suspended]
}

/// What a removal has taken out of a store.
public struct RemovedEntries: Hashable, Sendable {
    /// The number of whole entries.
    public var count: Int
    /// The number of entries that were waiting to be continued.
    public var suspendedCount: Int
    /// Bytes that both took in the store.
    public var byteCount: Int
    /// Whether all was removed that was meant; false where the disk did not allow it.
    public var isComplete = true

    /// Makes a count; of nothing, where nothing is said.
    public init(count: Int = 0, suspendedCount: Int = 0, byteCount: Int = 0) {
        self.count = count
        self.suspendedCount = suspendedCount
        self.byteCount = byteCount
    }

    /// Whether nothing was removed.
    public var isEmpty: Bool { count == 0 && suspendedCount == 0 }

    /// What is said where a store could not remove anything.
    package static var failed: RemovedEntries {
        var failed = RemovedEntries()
        failed.isComplete = false
        return failed
    }

    /// Both counts together.
    public static func + (left: RemovedEntries, right: RemovedEntries) -> RemovedEntries {
        var sum = RemovedEntries(
            count: left.count + right.count,
            suspendedCount: left.suspendedCount + right.suspendedCount,
            byteCount: left.byteCount + right.byteCount)
        sum.isComplete = left.isComplete && right.isComplete
        return sum
    }
}

/// How keys are told to be variants of one another: by what stands before their first line break.
public enum EntryGroup {
    /// What a key shares with its variants.
    public static func of(_ key: String) -> Substring {
        let end = key.utf8.firstIndex(of: 10) ?? key.endIndex
        return key[..<end]
    }

    /// Whether a key is that of a group, or a variant of it.
    public static func contains(_ key: String, in group: some StringProtocol) -> Bool {
        of(key) == group
    }
}
