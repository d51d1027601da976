internal import LazyBase
internal import LazyMedia

/// The time that opening a stream or reading it has taken, against its limit.
///
/// Each segment is opened by itself, but not each with the whole limit: opening is that of playlists, of segments and
/// of the index together, and what a reader opens on its way counts as its decoding.
final class StreamTime: Sendable {
    private let limits: DecodingLimits
    private let kind: DecodingLimits.Kind
    private let most: Duration?
    private let spent: Locked<Duration>

    /// The time of opening.
    convenience init(opening limits: DecodingLimits, spent: Duration = .zero) {
        self.init(limits, .openTime, limits.openTime, spent)
    }

    /// The time of one reader.
    convenience init(reading limits: DecodingLimits) {
        self.init(limits, .decodeTime, limits.decodeTime, .zero)
    }

    private init(
        _ limits: DecodingLimits, _ kind: DecodingLimits.Kind, _ most: Duration?, _ spent: Duration
    ) {
        (self.limits, self.kind, self.most) = (limits, kind, most)
        self.spent = Locked(spent)
    }

    /// The time that is left; nil where there is no limit.
    var left: Duration? { most.map { $0 - spent.withLock { $0 } } }

    /// Spends time; throws if there is none left.
    func spend(_ time: Duration) throws(MediaError) {
        spent.withLock { $0 += time }
        if let left, left <= .zero { throw excess }
    }

    private var excess: MediaError {
        let most = most ?? .zero
        let time = max(spent.withLock { $0 }, most + .nanoseconds(1))
        let work = kind == .openTime ? "Opening" : "Decoding"
        do throws(MediaError) {
            try limits.check(time: time, most: most, kind, work)
            return .cancelled
        } catch {
            return error
        }
    }

    /// Opens something, which waits for no network, in the time that is left.
    ///
    /// The body gets limits with that time, and a flag that ends it also where it does not look at them.
    func opening<Value>(
        _ flag: CancellationFlag,
        _ body: (DecodingLimits, CancellationFlag) throws(MediaError) -> Value
    ) throws(MediaError) -> Value {
        let start = ContinuousClock.now
        defer { spent.withLock { $0 += .now - start } }
        guard let left else { return try body(limits, flag) }
        guard left > .zero else { throw excess }
        let timer = FlagTimer(flag, left)
        defer { timer.stop() }
        var limits = limits
        limits.openTime = min(limits.openTime ?? left, left)
        do throws(MediaError) { return try body(limits, timer.flag) } catch {
            let isOver = .now - start >= left
            guard isOver, !flag.isCancelled, error.code == .cancelled else { throw error }
            throw excess
        }
    }
}

/// A flag that is set with another one, and when a time is over.
private final class FlagTimer: Sendable {
    private final class Stop: Sendable {
        let isStopped = LockedCondition(false)
    }

    let flag = CancellationFlag()
    private let outer: CancellationFlag
    private let registration: Int
    private let stopping = Stop()

    init(_ outer: CancellationFlag, _ time: Duration) {
        self.outer = outer
        let (flag, stopping) = (flag, stopping)
        registration = outer.onCancel { flag.cancel() }
        // Where there is no thread, what looks at the time itself still ends.
        try? DetachedThread.start(blocksSignals: true) {
            let end: Void? = stopping.isStopped.wait(for: time) { isStopped, _ in
                isStopped ? () : nil
            }
            if end == nil { flag.cancel() }
        }
    }

    func stop() {
        outer.forget(registration)
        stopping.isStopped.withLock { $0 = true }
        stopping.isStopped.broadcast()
    }
}
