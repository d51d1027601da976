internal import LazyMedia

/// The frames of one sequence at one size, for all its viewers; kept under the pool's lock.
struct FrameStore {
    /// The identity of a store.
    struct Key: Hashable {
        let media: ObjectIdentifier
        let size: PixelSize
    }

    typealias Outcome = Result<Frame?, MediaError>

    /// What is to be done outside the lock.
    struct Effects {
        var answers: [(CheckedContinuation<Outcome, Never>, Outcome)] = []
        var starts: [Start] = []
        var freed: [Frame] = []
        /// Released outside the lock, because they free C handles.
        var closed: [FrameSource] = []
        var ended: [FrameStore] = []
    }

    /// A frame to be decoded.
    struct Start {
        let key: Key
        let source: FrameSource
        let counter: FrameCounter
        let frame: Int
    }

    let key: Key
    let sequence: FrameSequence
    let counter: FrameCounter
    var ring: FrameRing
    var source: FrameSource?
    var decoded = 0
    var delivered = 0
    private var frames: [Int: Frame] = [:]
    private var waiters: [Int: CheckedContinuation<Outcome, Never>] = [:]

    init(_ sequence: FrameSequence, key: Key, bytes: FrameByteCounter) {
        self.key = key
        self.sequence = sequence
        counter = FrameCounter(frameBytes: key.size.rgbaByteCount, bytes: bytes)
        ring = FrameRing(count: sequence.info.frameCount)
    }

    var demand: FrameDemand {
        FrameDemand(
            frameBytes: counter.frameBytes, frameCount: ring.count, viewers: ring.claimants)
    }

    /// Updates the ring's view of the memory.
    mutating func look(isOpen: Bool, isFreeing: Bool) {
        let inRing = ring.held.count + (ring.decoding == nil ? 0 : 1)
        ring.room = FrameRing.Room(
            outside: max(0, counter.live - inRing), isOpen: isOpen, isFreeing: isFreeing)
    }

    mutating func wait(_ viewer: Int, _ waiter: CheckedContinuation<Outcome, Never>) {
        waiters[viewer] = waiter
    }

    /// Cancels the wait of a viewer.
    mutating func giveUp(_ viewer: Int, _ effects: inout Effects) {
        guard let waiter = waiters.removeValue(forKey: viewer) else { return }
        effects.answers.append((waiter, .failure(.cancelled)))
    }

    mutating func keep(_ frame: Frame, as index: Int) {
        decoded += 1
        frames[index] = frame
    }

    /// Performs the ring's actions as far as possible under the lock.
    mutating func apply(
        _ actions: [FrameRing.Action], error: MediaError = .cancelled, _ effects: inout Effects
    ) {
        for action in actions {
            switch action {
            case .drop(let frame):
                if let frame = frames.removeValue(forKey: frame) { effects.freed.append(frame) }
            case .deliver(let viewer, let frame):
                delivered += 1
                answer(viewer, .success(frames[frame]), &effects)
            case .end(let viewer): answer(viewer, .success(nil), &effects)
            case .fail(let viewer): answer(viewer, .failure(error), &effects)
            case .decode(let frame): effects.starts.append(start(frame))
            }
        }
    }

    /// Stops reading; a frame that is being decoded is dropped when it arrives.
    mutating func close(_ effects: inout Effects) {
        if let source {
            source.cancel()
            effects.closed.append(source)
        }
        source = nil
        ring.didCancelReading()
    }

    /// The last viewer is gone: frees everything, outside the lock.
    mutating func empty(_ effects: inout Effects) {
        close(&effects)
        effects.freed += frames.values
        frames = [:]
        effects.ended.append(self)
    }

    private mutating func answer(_ viewer: Int, _ outcome: Outcome, _ effects: inout Effects) {
        guard let waiter = waiters.removeValue(forKey: viewer) else { return }
        effects.answers.append((waiter, outcome))
    }

    private mutating func start(_ frame: Int) -> Start {
        let source = source ?? FrameSource(sequence, size: decodedSize)
        self.source = source
        counter.reserve()
        return Start(key: key, source: source, counter: counter, frame: frame)
    }

    private var decodedSize: PixelSize? {
        key.size == sequence.info.size ? nil : key.size
    }
}
