public import LazyLoading

/// Where the time and the bytes of a task went, and who answered.
public struct TaskSummary: Sendable {
    /// The number of the task.
    public var taskID: Int
    /// What the request is known by.
    public var imageID: String
    /// From the beginning of the task to its end.
    public var total: Duration
    /// Waiting for places in the stages.
    public var queued: Duration
    /// Loading bytes, from the place in the stage to the last byte.
    public var fetching: Duration
    /// Opening and decoding the poster.
    public var decoding: Duration
    /// The processors, for the poster.
    public var processing: Duration
    /// Bytes that came over the network.
    public var networkBytes: Int
    /// Bytes that came from a store, a partial or a file.
    public var storeBytes: Int
    /// Which cache answered, or nil for the source.
    public var cacheType: CacheType?
    /// Which part of the bytes side answered, where bytes were loaded.
    public var origin: ResponseHead.Origin?
    /// Whether the task joined work that was under way.
    public var isCoalesced: Bool
    /// How it ended, in a word: `success`, `cancelled`, or the name of the error.
    public var outcome: String

    init(
        taskID: Int, imageID: String, total: Duration, record: WorkRecord, isCoalesced: Bool,
        outcome: String
    ) {
        self.taskID = taskID
        self.imageID = imageID
        self.total = total
        queued = record.queued
        fetching = record.fetching
        decoding = record.decoding
        processing = record.processing
        networkBytes = record.networkBytes
        storeBytes = record.storeBytes
        cacheType = record.cacheType
        origin = record.origin
        self.isCoalesced = isCoalesced
        self.outcome = outcome
    }
}

extension TaskSummary: CustomStringConvertible {
    /// One line.
    public var description: String {
        let source = cacheType.map { "\($0.rawValue) cache" } ?? origin?.rawValue ?? "source"
        return "\(outcome) from \(source) in \(total)"
            + " (queue \(queued), fetch \(fetching), decode \(decoding), process \(processing))"
            + ", \(networkBytes) bytes from the network, \(storeBytes) stored"
            + (isCoalesced ? ", joined" : "") + ": \(imageID.prefix(200))"
    }
}
