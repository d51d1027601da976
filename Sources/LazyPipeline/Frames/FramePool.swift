public import LazyBase
public import LazyMedia

/// A pool of the decoded frames of all playing sequences within one memory budget.
///
/// The budget is divided max-min fair between sequences; each has at least the current frame and
/// the next one. All viewers of a sequence at one size share its frames. A sequence that
/// fits whole is decoded once and kept; others are decoded a few frames ahead.
/// Every frame counts while it is alive, in the pool or outside.
///
/// Under memory pressure the pool shrinks to half or to the minimum; it doubles again after each
/// `calmPeriod` without pressure.
///
/// ```swift
/// let viewer = FramePool.shared.viewer(of: sequence)
/// let first = try await viewer.frame(0)
/// ```
public final class FramePool: Sendable {
    /// The shared pool of the process.
    public static let shared = FramePool(
        budget: defaultBudget(), pressure: MemoryPressure.shared)

    /// 5 % of the memory that this process may use, at most 128 MiB.
    public static func defaultBudget(memory: Int = SystemMemory.limit) -> Int {
        min(memory / 20, 128 << 20)
    }

    /// The time without memory pressure after which the pool grows again.
    public static let calmPeriod = FramePoolState.calmPeriod

    private let state: Locked<FramePoolState>
    private let bytes = FrameByteCounter()
    private let executor: BlockingPool
    private let clock: any SteadyClock
    private let pressure = Locked<ObservationToken?>(nil)

    /// Creates a pool; if `pressure` is nil, it does not react to memory pressure.
    public init(
        budget: Int, executor: BlockingPool = .shared, clock: any SteadyClock = SystemSteadyClock(),
        pressure: MemoryPressure? = nil
    ) {
        state = Locked(FramePoolState(budget: max(0, budget), bytes: bytes))
        self.executor = executor
        self.clock = clock
        let token = pressure?.observe { [weak self] in self?.shrink($0) }
        self.pressure.withLock { $0 = token }
    }

    /// The maximum number of bytes of decoded frames; may be set at any time.
    public var budget: Int {
        get { state.withLock { $0.budget } }
        set { freeingMany { update { $0.setBudget(max(0, newValue), &$1) } } }
    }

    /// The bytes of all live frames.
    public var bytesInUse: Int { bytes.bytesInUse }

    /// The maximum of `bytesInUse` so far.
    public var peakBytes: Int { bytes.peakBytes }

    /// Creates a viewer of a sequence; releasing it gives its memory back.
    ///
    /// Frames are scaled to the target size, if any. Nothing is decoded before a
    /// frame is requested.
    public func viewer(of sequence: FrameSequence, size: TargetSize? = nil) -> FrameViewer {
        let size = size.map(sequence.decodedSize) ?? sequence.info.size
        let key = FrameStore.Key(media: sequence.identity, size: size)
        let id = update { $0.join(sequence, key, &$1) }
        return FrameViewer(pool: self, id: id, key: key)
    }

    /// Frees memory as under memory pressure of a level.
    public func shrink(_ level: MemoryPressure.Level) {
        let now = clock.now
        freeingMany { update { $0.shrink(level, now, &$1) } }
        BitmapPool.shared.removeUnused()
    }

    /// How the memory is divided now.
    public var statistics: Statistics {
        state.withLock { state in
            Statistics(
                budget: state.budget, effectiveBudget: state.effectiveBudget,
                bytesInUse: bytes.bytesInUse, peakBytes: bytes.peakBytes,
                stores: state.stores.values.map(\.statistics))
        }
    }

    // MARK: - For viewers

    /// Changes a store, and performs the effects outside the lock.
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

    /// Gives back the memory of frames that are freed, if it is much.
    func freeingMany(_ free: () -> Void) {
        let before = bytesInUse
        free()
        FreedMemory.giveBack(after: before - bytesInUse)
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

    /// The effects must have no other owner: frames freed here have to be gone before `didFree`.
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

    // Owned by its frame: ends with it, or within one packet when its source is cancelled.
    private func decode(_ start: FrameStore.Start) {
        Task(executorPreference: executor) { [self] in
            var outcome: FrameStore.Outcome? = start.source.read(start.frame).map { frame in
                // Converted here, because views read the pixels on the main thread.
                frame?.bitmap.withBytes { _ in }
                return frame.map { counted($0, start.counter) }
            }
            if case .success(.some) = outcome {} else { start.counter.release() }
            // Taken, so that an unwanted frame is freed at once.
            update { state, effects in
                guard let outcome = outcome.take() else { return }
                state.didDecode(start, outcome, &effects)
            }
        }
    }

    private func counted(_ frame: Frame, _ counter: FrameCounter) -> Frame {
        frame.replacing(frame.bitmap.whenFreed { counter.release() })
    }
}
