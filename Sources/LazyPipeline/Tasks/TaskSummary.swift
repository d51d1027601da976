public import LazyLoading

/// The time and bytes that a task took, and where its response came from.
public struct TaskSummary: Sendable {
    /// The number of the task.
    public var taskID: Int
    /// The identifier of the request.
    public var imageID: String
    /// The total duration of the task.
    public var total: Duration
    /// The time spent waiting in the queues of the stages.
    public var queued: Duration
    /// The time spent loading bytes.
    public var fetching: Duration
    /// The time spent opening the media and decoding the poster.
    public var decoding: Duration
    /// The time spent processing the poster.
    public var processing: Duration
    /// Bytes received over the network.
    public var networkBytes: Int
    /// Bytes read from a cache, an interrupted download or a file.
    public var storeBytes: Int
    /// The cache that answered, or nil for the source.
    public var cacheType: CacheType?
    /// The origin of the bytes, if bytes were loaded.
    public var origin: ResponseHead.Origin?
    /// Whether the task shared work that was in progress.
    public var isCoalesced: Bool
    /// The outcome: `success`, `cancelled`, or the name of the error.
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
