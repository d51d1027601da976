/// Decides which frames of one sequence are decoded and kept for its viewers; pure.
///
/// Events come in, actions go out. One frame is decoded at a time. What is kept are the frames
/// somebody waits for, then those nearest ahead of the viewers, as many as the capacity allows.
struct FrameRing {
    /// What the shell around this value is to do.
    enum Action: Hashable {
        /// Decode the frame of a number.
        case decode(Int)
        /// Let go of a frame.
        case drop(Int)
        /// Hand a frame to a viewer that waits for it.
        case deliver(viewer: Int, frame: Int)
        /// Tell a viewer that its frame is behind the end.
        case end(viewer: Int)
        /// Tell a viewer that its frame cannot be had.
        case fail(viewer: Int)
    }

    /// What the memory allows, told before each event.
    struct Room: Hashable {
        /// Frames that are alive and no longer kept here.
        var outside = 0
        /// Whether the pool's budget has room for another frame.
        var isOpen = true
        /// Whether memory that is on its way back would make room: waiting is better then.
        var isFreeing = false
    }

    private struct Viewer {
        /// The frame it asked for last; without one it plays nothing yet.
        var position: Int?
        var step = 1
        var isActive = true
        var waitsFor: Int?

        var isPlaying: Bool { isActive && position != nil }
    }

    /// The number of frames, once it is known.
    private(set) var count: Int?
    /// Numbers of the frames that are kept.
    private(set) var held: Set<Int> = []
    /// The frame being decoded.
    private(set) var decoding: Int?
    /// Whether a frame somebody waits for is put off until memory has come back.
    private(set) var isPutOff = false
    /// Frames that may be alive.
    private(set) var capacity = 2
    /// What the memory allows.
    var room = Room()
    /// While the capacity is being decided anew nothing is planned.
    var isUndecided = false
    private var viewers: [Int: Viewer] = [:]
    private var waiting: [Int] = []
    private var cursor = 0
    private var hasFailed = false

    init(count: Int?) { self.count = count }

    /// Viewers that play or wait.
    var claimants: Int { viewers.values.count { $0.isPlaying || $0.waitsFor != nil } }
    /// All viewers.
    var viewerCount: Int { viewers.count }
    /// Whether all frames are kept.
    var isWhole: Bool { count.map { held.count >= $0 } ?? false }

    // MARK: - Events

    /// A viewer has come.
    mutating func join(_ id: Int) { viewers[id] = Viewer() }

    /// A viewer is gone.
    mutating func leave(_ id: Int) -> [Action] {
        viewers[id] = nil
        waiting.removeAll { $0 == id }
        return plan()
    }

    /// A viewer plays, or has stopped playing.
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

    /// A viewer waits no longer.
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

    /// There was no frame of that number.
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

    /// A frame could not be decoded: whoever waits for it is told, and looking ahead stops.
    mutating func failed(at frame: Int) -> [Action] {
        decoding = nil
        hasFailed = true
        let told = waiting.filter { viewers[$0]?.waitsFor == frame }
        for id in told { viewers[id]?.waitsFor = nil }
        waiting.removeAll(where: told.contains)
        return told.map { .fail(viewer: $0) } + plan()
    }

    /// The reading was broken off; what was being decoded will not come.
    mutating func brokeOff() {
        decoding = nil
        cursor = 0
    }

    /// So many frames may be alive.
    mutating func setCapacity(_ capacity: Int) -> [Action] {
        self.capacity = capacity
        return plan()
    }

    // MARK: - The plan

    /// What is to be dropped and what is to be decoded next, as things stand.
    mutating func plan() -> [Action] {
        isPutOff = false
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

    /// The plan where there is room for all frames: nothing is dropped, and nothing need be listed.
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
            isPutOff = !room.isOpen && isFreeing
            return isPutOff ? nil : frame
        }
        guard !hasFailed, room.isOpen, held.count + room.outside < capacity else { return nil }
        // Going on where the reader stands saves it a seek.
        if !held.contains(cursor), wanted.contains(cursor) { return cursor }
        return wanted.first { !held.contains($0) }
    }

    /// The frames worth keeping, in order of their worth.
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
