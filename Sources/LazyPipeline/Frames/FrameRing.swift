/// Decides which frames of one sequence are decoded and kept for its viewers; pure.
///
/// Takes events and returns actions. Decodes one frame at a time. Keeps the frames
/// that viewers wait for, then those next ahead of the viewers, up to the capacity.
struct FrameRing {
    /// What the caller is to do.
    enum Action: Hashable {
        /// Decode a frame.
        case decode(Int)
        /// Drop a frame.
        case drop(Int)
        /// Deliver a frame to a waiting viewer.
        case deliver(viewer: Int, frame: Int)
        /// Report the end of the sequence to a waiting viewer.
        case end(viewer: Int)
        /// Report an error to a waiting viewer.
        case fail(viewer: Int)
    }

    /// The available memory, set before each event.
    struct Room: Hashable {
        /// Live frames that are no longer kept here.
        var outside = 0
        /// Whether the pool's budget allows another frame.
        var isOpen = true
        /// Whether memory is being freed, so that waiting is better.
        var isFreeing = false
    }

    private struct Viewer {
        /// The last requested frame; nil before the first request.
        var position: Int?
        var step = 1
        var isActive = true
        var waitsFor: Int?

        var isPlaying: Bool { isActive && position != nil }
    }

    /// The number of frames, once known.
    private(set) var count: Int?
    /// The indexes of the kept frames.
    private(set) var held: Set<Int> = []
    /// The frame being decoded.
    private(set) var decoding: Int?
    /// Whether a requested frame waits until memory is freed.
    private(set) var isDeferred = false
    /// The maximum number of live frames.
    private(set) var capacity = 2
    /// The available memory.
    var room = Room()
    /// Set while the capacity is being computed, when nothing is planned.
    var isUndecided = false
    private var viewers: [Int: Viewer] = [:]
    private var waiting: [Int] = []
    private var cursor = 0
    private var hasFailed = false

    init(count: Int?) { self.count = count }

    /// The number of viewers that play or wait.
    var claimants: Int { viewers.values.count { $0.isPlaying || $0.waitsFor != nil } }
    /// The number of viewers.
    var viewerCount: Int { viewers.count }
    /// Whether all frames are kept.
    var isWhole: Bool { count.map { held.count >= $0 } ?? false }

    // MARK: - Events

    /// A viewer was added.
    mutating func join(_ id: Int) { viewers[id] = Viewer() }

    /// A viewer was removed.
    mutating func leave(_ id: Int) -> [Action] {
        viewers[id] = nil
        waiting.removeAll { $0 == id }
        return plan()
    }

    /// A viewer has started or stopped playing.
    mutating func setActive(_ id: Int, _ isActive: Bool) -> [Action] {
        viewers[id]?.isActive = isActive
        return plan()
    }

    /// A viewer plays forwards (1) or backwards (-1).
    mutating func setStep(_ id: Int, _ step: Int) { viewers[id]?.step = step }

    /// A viewer wants a frame, and none of those it wanted before.
    mutating func request(_ id: Int, _ frame: Int) -> [Action] {
        guard viewers[id] != nil else { return [.end(viewer: id)] }
        waiting.removeAll { $0 == id }
        viewers[id]?.position = frame
        viewers[id]?.waitsFor = nil
        hasFailed = false
        if frame < 0 || count.map({ frame >= $0 }) ?? false { return [.end(viewer: id)] + plan() }
        if held.contains(frame) { return [.deliver(viewer: id, frame: frame)] + plan() }
        viewers[id]?.waitsFor = frame
        waiting.append(id)
        return plan()
    }

    /// A viewer has stopped waiting.
    mutating func giveUp(_ id: Int) -> [Action] {
        viewers[id]?.waitsFor = nil
        waiting.removeAll { $0 == id }
        return plan()
    }

    /// A frame was decoded.
    mutating func decoded(_ frame: Int) -> [Action] {
        decoding = nil
        cursor = frame + 1
        held.insert(frame)
        let served = waiting.filter { viewers[$0]?.waitsFor == frame }
        for id in served { viewers[id]?.waitsFor = nil }
        waiting.removeAll(where: served.contains)
        return served.map { .deliver(viewer: $0, frame: frame) } + plan()
    }

    /// The sequence ends before a frame.
    mutating func reachedEnd(at frame: Int) -> [Action] {
        decoding = nil
        cursor = frame
        count = min(count ?? frame, frame)
        let over = waiting.filter { (viewers[$0]?.waitsFor ?? 0) >= frame }
        for id in over { viewers[id]?.waitsFor = nil }
        waiting.removeAll(where: over.contains)
        let beyond = held.filter { $0 >= frame }.sorted()
        held.subtract(beyond)
        return over.map { .end(viewer: $0) } + beyond.map(Action.drop) + plan()
    }

    /// A frame could not be decoded: fails its waiting viewers and stops the look-ahead.
    mutating func failed(at frame: Int) -> [Action] {
        decoding = nil
        hasFailed = true
        let told = waiting.filter { viewers[$0]?.waitsFor == frame }
        for id in told { viewers[id]?.waitsFor = nil }
        waiting.removeAll(where: told.contains)
        return told.map { .fail(viewer: $0) } + plan()
    }

    /// Reading was cancelled; the frame being decoded will not arrive.
    mutating func didCancelReading() {
        decoding = nil
        cursor = 0
    }

    /// The maximum number of live frames has changed.
    mutating func setCapacity(_ capacity: Int) -> [Action] {
        self.capacity = capacity
        return plan()
    }

    // MARK: - The plan

    /// The frames to drop, and the frame to decode next.
    mutating func plan() -> [Action] {
        isDeferred = false
        if isUndecided { return [] }
        if isWhole, capacity >= held.count, waiting.isEmpty, claimants > 0 { return [] }
        if let next = nextWhereAllStay() { return next }
        let wanted = wanted()
        let dropped = held.subtracting(wanted).sorted()
        held.subtract(dropped)
        let drops = dropped.map(Action.drop)
        guard decoding == nil,
            let next = next(of: wanted, isFreeing: room.isFreeing || !dropped.isEmpty)
        else { return drops }
        decoding = next
        return drops + [.decode(next)]
    }

    /// The plan if all frames fit: nothing is dropped, and no list is needed.
    private mutating func nextWhereAllStay() -> [Action]? {
        guard let count, count > 0, capacity >= count,
            let viewer = viewers.filter(\.value.isPlaying).min(by: { $0.key < $1.key })?.value
        else { return nil }
        guard decoding == nil, held.count < count || !waiting.isEmpty else { return [] }
        var wanted: [Int] = []
        if held.contains(cursor) || cursor >= count {
            let missing = (0..<count).first {
                ahead(of: viewer, by: $0).map { !held.contains($0) } ?? false
            }
            wanted = missing.flatMap { ahead(of: viewer, by: $0) }.map { [$0] } ?? []
        } else {
            wanted = [cursor]
        }
        guard let next = next(of: wanted, isFreeing: room.isFreeing) else { return [] }
        decoding = next
        return [.decode(next)]
    }

    private mutating func next(of wanted: [Int], isFreeing: Bool) -> Int? {
        if let first = waiting.first, let frame = viewers[first]?.waitsFor {
            isDeferred = !room.isOpen && isFreeing
            return isDeferred ? nil : frame
        }
        guard !hasFailed, room.isOpen, held.count + room.outside < capacity else { return nil }
        // Continuing at the reader's position saves a seek.
        if !held.contains(cursor), wanted.contains(cursor) { return cursor }
        return wanted.first { !held.contains($0) }
    }

    /// The frames to keep, most important first.
    private func wanted() -> [Int] {
        var wanted: [Int] = []
        var known: Set<Int> = []
        func add(_ frame: Int) { if known.insert(frame).inserted { wanted.append(frame) } }
        for id in waiting { if let frame = viewers[id]?.waitsFor { add(frame) } }
        let playing = viewers.filter(\.value.isPlaying).sorted { $0.key < $1.key }.map(\.value)
        guard !playing.isEmpty else { return wanted }
        for distance in 0..<min(capacity, count ?? capacity) {
            for viewer in playing where wanted.count < capacity {
                if let frame = ahead(of: viewer, by: distance) { add(frame) }
            }
            if wanted.count >= capacity { break }
        }
        return wanted
    }

    private func ahead(of viewer: Viewer, by distance: Int) -> Int? {
        guard let position = viewer.position else { return nil }
        let frame = position + distance * viewer.step
        guard let count else { return frame >= 0 ? frame : nil }
        guard count > 0 else { return nil }
        return (frame % count + count) % count
    }
}
