/// A selection of entries of a store.
public enum EntryChoice {
    /// The entry of a key.
    case key(String)
    /// The entries of a key and of its variants, whose keys have further lines.
    case variants(of: String)
    /// All entries.
    case all
    /// Entries chosen by key and metadata; each entry is opened.
    case matching((_ key: String, _ metadata: [UInt8]) -> Bool)
}

/// Kinds of entries.
public struct EntryKinds: OptionSet, Hashable, Sendable {
    /// One bit for each kind.
    public let rawValue: UInt8
    /// Makes kinds from bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Complete entries.
    public static let whole = EntryKinds(rawValue: 1 << 0)
    /// Partial entries that can be continued.
    public static let suspended = EntryKinds(rawValue: 1 << 1)
    /// Both kinds.
    public static let all: EntryKinds = [.whole, .suspended]
}

/// The result of a removal.
public struct RemovedEntries: Hashable, Sendable {
    /// The number of complete entries.
    public var count: Int
    /// The number of suspended entries.
    public var suspendedCount: Int
    /// The size of both.
    public var byteCount: Int
    /// Whether all chosen entries were removed; false after an error.
    public var isComplete = true

    /// Makes a result.
    public init(count: Int = 0, suspendedCount: Int = 0, byteCount: Int = 0) {
        self.count = count
        self.suspendedCount = suspendedCount
        self.byteCount = byteCount
    }

    /// Whether nothing was removed.
    public var isEmpty: Bool { count == 0 && suspendedCount == 0 }

    /// The result of a failed removal.
    package static var failed: RemovedEntries {
        var failed = RemovedEntries()
        failed.isComplete = false
        return failed
    }

    /// The sum of two results.
    public static func + (left: RemovedEntries, right: RemovedEntries) -> RemovedEntries {
        var sum = RemovedEntries(
            count: left.count + right.count,
            suspendedCount: left.suspendedCount + right.suspendedCount,
            byteCount: left.byteCount + right.byteCount)
        sum.isComplete = left.isComplete && right.isComplete
        return sum
    }
}

/// Groups of keys that are variants of each other: those with the same first line.
package enum EntryGroup {
    /// The first line of a key.
    package static func of(_ key: String) -> Substring {
        let end = key.utf8.firstIndex(of: 10) ?? key.endIndex
        return key[..<end]
    }

    /// Whether a key belongs to a group.
    package static func contains(_ key: String, in group: some StringProtocol) -> Bool {
        of(key) == group
    }
}
