/// How much a store keeps, and for how long.
public struct StoreLimits: Hashable, Sendable {
    /// Bytes of all entries; what was not used for longest goes first.
    public var byteCount: Int
    /// Bytes of one entry's body; nil for what is left after trimming, `byteCount * trimRatio`.
    public var entryBytes: Int?
    /// How long an entry is kept after it was stored, or nil for as long as there is room.
    ///
    /// An older one is not found any more, and goes with the next sweep.
    public var entryAge: Duration?
    /// The share of `byteCount` that a sweep leaves.
    public var trimRatio: Double
    /// Bytes of all suspended entries.
    public var partialBytes: Int
    /// How long a suspended entry waits to be taken up.
    public var partialAge: Duration
    /// The longest time between two sweeps, in a store that is written to.
    public var sweepInterval: Duration

    /// Makes limits: 512 MiB, trimmed to seven tenths, and 256 MiB of suspended entries for 14 days.
    ///
    /// Whole entries have no limit of age unless one is given.
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

    /// What a sweep leaves.
    var trimmedByteCount: Int { Int(Double(byteCount) * min(1, max(0, trimRatio))) }

    /// The longest body that is kept.
    var longestBody: Int { entryBytes ?? trimmedByteCount }
}
