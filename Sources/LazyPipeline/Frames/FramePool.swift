public import LazyBytes
public import LazyMedia

/// The decoded frames of all playing sequences, within one budget of bytes.
///
/// The budget is shared max-min fair between sequences; each has at least the frame on show and
/// the one that comes next. Frames of one sequence at one size are shared by all its viewers. What
/// fits whole is decoded once and kept, the rest is decoded a little ahead and dropped behind.
/// Every frame counts for as long as it lives, in the pool or in somebody's hands.
///
/// Under memory pressure the pool shrinks, to half or to the least; it doubles again after each
/// `calmPeriod` without pressure.
///
/// ```swift
/// let viewer = FramePool.shared.viewer(of: sequence)
/// let first = try await viewer.frame(0)
/// ```
public final class FramePool: Sendable {
    /// The pool of the process.
    public static let shared = FramePool(
        budget: defaultBudget(), pressure: MemoryPressure.shared)

    /// Five per cent of what the process may use, at most 128 MiB.
    public static func defaultBudget(memory: Int = SystemMemory.limit) -> Int {
        min(memory / 20, 128 << 20)
    }

    /// How long memory has to suffice before the pool grows again.
    public static let calmPeriod = FramePoolState.calmPeriod

    private let state: Locked<FramePoolState>
    private let ledger = FrameLedger()
    private let executor: BlockingPool
    private let clock: any SteadyClock
    private let pressure = Locked<ObservationToken?>(nil)

    /// Makes a pool of one's own; `pressure` nil means that it never shrinks by itself.
    public init(
        budget: Int, executor: BlockingPool = .shared, clock: any SteadyClock = SystemSteadyClock(),
        pressure: MemoryPressure? = nil
    ) {
        state = Locked(FramePoolState(budget: max(0, budget), ledger: ledger))
        self.executor = executor
        self.clock = clock
        let token = pressure?.observe { [weak self] in self?.shrink($0) }
        self.pressure.withLock { $0 = token }
    }

    /// The most bytes that frames are to occupy; may be set at any time.
    public var budget: Int {
        get { state.withLock { $0.budget } }
        set { update { $0.setBudget(max(0, newValue), &$1) } }
    }

    /// The bytes of all frames that are alive.
    public var bytesInUse: Int { ledger.bytesInUse }

    /// The most bytes that were ever in use.
    public var peakBytes: Int { ledger.peakBytes }

    /// Begins to look at a sequence; dropping what it returns ends that.
    ///
    /// Frames come at the size that fits the target, or at their own. Nothing is decoded before a
    /// frame is asked for.
    public func viewer(of sequence: FrameSequence, size: TargetSize? = nil) -> FrameViewer {
        let size = size.map(sequence.decodedSize) ?? sequence.info.size
        let key = FrameStore.Key(media: sequence.identity, size: size)
        let id = update { $0.join(sequence, key, &$1) }
        return FrameViewer(pool: self, id: id, key: key)
    }

    /// Gives memory back as for a pressure of a level.
    public func shrink(_ level: MemoryPressure.Level) {
        let now = clock.now
        update { $0.shrink(level, now, &$1) }
    }

    /// How the memory is shared just now.
    public var statistics: Statistics {
        state.withLock { state in
            Statistics(
                budget: state.budget, effectiveBudget: state.effectiveBudget,
                bytesInUse: ledger.bytesInUse, peakBytes: ledger.peakBytes,
                stores: state.stores.values.map(\.statistics))
        }
    }

    // MARK: - For viewers

    /// Changes a store; what follows from it is done outside the lock.
    func update(
        _ key: FrameStore.Key,
        _ change: (inout FrameStore, inout FrameStore.Effects) -> Void
    ) {
        let now = clock.now
        update { state, effects in
            state.grow(now, &effects)
            state.change(key, &effects, change)
        }
    }

    @discardableResult
    private func update<Answer>(
        _ change: (inout FramePoolState, inout FrameStore.Effects) -> sending Answer
    ) -> sending Answer {
        var effects = FrameStore.Effects()
        let answer = state.withLock { state in
            let answer = change(&state, &effects)
            state.willFree(effects)
            return answer
        }
        perform(&effects)
        return answer
    }

    /// Nothing else may hold the effects: what is freed here is to be gone when that is told.
    private func perform(_ effects: inout FrameStore.Effects) {
        while true {
            for (waiter, outcome) in effects.answers { waiter.resume(returning: outcome) }
            for start in effects.starts { decode(start) }
            guard !effects.freed.isEmpty else { return }
            effects = FrameStore.Effects()
            effects = state.withLock { state in
                var more = FrameStore.Effects()
                state.didFree(&more)
                state.willFree(more)
                return more
            }
        }
    }

    // Owned by its one frame: it ends with it, or within one packet when its source is cancelled.
    private func decode(_ start: FrameStore.Start) {
        Task(executorPreference: executor) { [self] in
            var outcome: FrameStore.Outcome? = start.source.read(start.frame).map { frame in
                frame.map { counted($0, start.account) }
            }
            if case .success(.some) = outcome {} else { start.account.release() }
            // Taken, so that a frame nobody wants is gone at once.
            update { state, effects in
                guard let outcome = outcome.take() else { return }
                state.didDecode(start, outcome, &effects)
            }
        }
    }

    private func counted(_ frame: Frame, _ account: FrameAccount) -> Frame {
        Frame(
            bitmap: frame.bitmap.whenFreed { account.release() }, timing: frame.timing,
            play: frame.play)
    }
}
