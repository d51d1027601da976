/// The limits of a store in size and age.
public struct StoreLimits: Hashable, Sendable {
    /// The maximum size of all entries; the least recently used ones are removed first.
    public var byteCount: Int
    /// The maximum size of a body; nil for `byteCount * trimRatio`.
    public var entryBytes: Int?
    /// The maximum age of an entry, or nil for no limit.
    ///
    /// An older one is not found, and is removed by the next sweep.
    public var entryAge: Duration?
    /// The fraction of `byteCount` that a sweep leaves.
    public var trimRatio: Double
    /// The maximum size of all suspended entries.
    public var partialBytes: Int
    /// The maximum age of a suspended entry.
    public var partialAge: Duration
    /// The maximum time between two sweeps of a store that is written to.
    public var sweepInterval: Duration

    /// Makes limits: by default 512 MiB, trimmed to 70 %, and 256 MiB of suspended entries for 14 days.
    public init(
        byteCount: Int = 512 << 20, entryBytes: Int? = nil, entryAge: Duration? = nil,
        trimRatio: Double = 0.7,
        partialBytes: Int = 256 << 20, partialAge: Duration = .seconds(14 * 24 * 3600),
        sweepInterval: Duration = .seconds(1800)
    ) {
        self.byteCount = byteCount
        self.entryBytes = entryBytes
        self.entryAge = entryAge
        self.trimRatio = trimRatio
        self.partialBytes = partialBytes
        self.partialAge = partialAge
        self.sweepInterval = sweepInterval
    }

    /// The size that a sweep leaves.
    var trimmedByteCount: Int { Int(Double(byteCount) * min(1, max(0, trimRatio))) }

    /// The maximum size of a body.
    var longestBody: Int { entryBytes ?? trimmedByteCount }
}
