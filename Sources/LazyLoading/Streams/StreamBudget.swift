internal import LazyBase

/// What reading the playlists of one stream may cost in all; nil is no limit.
package struct StreamLimits: Sendable {
    /// Bytes of memory of what is kept of them.
    package var memory: Int?
    /// Time of reading them, without waits for a network.
    package var time: Duration?

    /// Makes limits.
    package init(memory: Int?, time: Duration?) {
        (self.memory, self.time) = (memory, time)
    }
}

/// What reading the playlists of a stream has cost so far.
package struct StreamCost: Sendable {
    package var bytes = 0
    package var time = Duration.zero
}

/// Counts what reading a playlist costs, and ends it at the limits of its stream.
///
/// Counts of a playlist are limited each; this limits their products. Every loop whose length follows from numbers in
/// a file spends a step at a time, whatever is kept its bytes, and text is made of both only when it is asked for.
final class StreamBudget {
    private let limits: StreamLimits
    private let flag: CancellationFlag
    private let before: StreamCost
    private let start = ContinuousClock.now
    private var bytes: Int
    private var steps = 0

    /// So many steps are made between two looks at the clock.
    private static let stepsPerLook = 4096

    init(_ limits: StreamLimits, after before: StreamCost = StreamCost(), _ flag: CancellationFlag)
    {
        (self.limits, self.before, self.flag) = (limits, before, flag)
        bytes = before.bytes
    }

    /// What it has cost with all before it.
    var cost: StreamCost { StreamCost(bytes: bytes, time: before.time + (.now - start)) }

    /// Makes a step, and keeps some bytes.
    func spend(bytes count: Int = 0) throws(StreamError) {
        bytes += count
        if let most = limits.memory, bytes > most { throw .tooLarge(bytes) }
        steps += 1
        guard steps >= Self.stepsPerLook else { return }
        steps = 0
        try look()
    }

    /// Throws if it takes too long, or was cancelled.
    func look() throws(StreamError) {
        if flag.isCancelled { throw .loading(.cancelled) }
        let spent = cost.time
        if let most = limits.time, spent > most { throw .tooSlow(spent) }
    }
}
