internal import LazyLoading
internal import LazyMedia

/// Where the segments of a stream are in its time, by their own clocks.
///
/// A playlist tells how long segments are, often in whole seconds, and a sum of such lengths is soon seconds away from
/// the picture that is shown there. A segment that is opened tells more: its clock, against that of the first segment
/// which continues to it, is the time that reading the whole stream has. To know it the first segment has to be opened,
/// so that the playlist is believed where the segment is as long as it says.
///
/// Decides only; `StreamParts` opens what is asked for.
struct SegmentClock: Sendable {
    /// What a segment that was opened by itself says of its time.
    struct Reading: Sendable {
        /// What its clock shows where it begins, with its sound or its pictures.
        let zero: MediaTime
        /// When its first picture is shown, and when the last one ends, on its clock.
        let first, end: MediaTime
        /// How long one picture is shown, about.
        let frame: Duration
        /// Whether its clock begins anew after 2³³ ticks of 90 kHz.
        var wraps = false

        var length: Duration { (end - first).duration }
    }

    /// Where a segment begins, or what tells it.
    enum Answer: Equatable {
        case at(MediaTime)
        /// The segment of a number has to be looked at first.
        case opening(Int)
    }

    private let playlist: StreamPlaylist
    private var readings: [Int: Reading] = [:]
    /// The segments that are not there, or have no clock.
    private(set) var missing: Set<Int> = []
    /// Whether a segment was found that is not where the playlist says.
    private(set) var isInexact = false

    /// So many segments before a run are looked at for when it begins.
    private static let mostBefore = 16
    /// So many segments are tried where the first ones are missing.
    private static let mostMissing = 3

    init(_ playlist: StreamPlaylist) { self.playlist = playlist }

    /// Takes what a segment says; nil where it has no clock.
    mutating func read(_ place: Int, _ reading: Reading?) {
        guard let reading else {
            missing.insert(place)
            return
        }
        readings[place] = reading
        missing.remove(place)
        if !agrees(place, reading) { isInexact = true }
    }

    /// Takes note of a segment that is not there.
    mutating func isMissing(_ place: Int) { missing.insert(place) }

    // MARK: - Whether the playlist is right

    /// Whether the playlist says where a segment begins, as far as the segment alone can tell.
    private func agrees(_ place: Int, _ reading: Reading) -> Bool {
        if place == 0 {
            return !playlist.hasRoundedLengths && isAsLong(place, reading, playlist.count)
        }
        // A clock that is set to zero at the first segment.
        if playlist.run(of: place) == 0 {
            let away = reading.first.duration - playlist.start(of: place)
            if abs(away) <= reading.frame / 2 { return true }
        }
        return !playlist.hasRoundedLengths && isAsLong(place, reading, place)
    }

    /// Whether so many errors of a length like that of this segment are less than half a picture.
    private func isAsLong(_ place: Int, _ reading: Reading, _ count: Int) -> Bool {
        abs(reading.length - playlist.duration(of: place)) * max(1, count) <= reading.frame / 2
    }

    /// Whether the length of all may be wrong by more than what is unknown of one segment.
    var isDurationDoubtful: Bool {
        guard isInexact, !playlist.isDurationStated else { return false }
        return playlist.hasRoundedLengths
            || readings.contains { place, reading in
                let stated = playlist.duration(of: place)
                return abs(reading.length - stated) > max(stated / 100, reading.frame * 1.5)
            }
    }

    // MARK: - Where segments are

    /// When the first picture of a segment is shown, which was read.
    func start(of place: Int) -> Answer {
        guard isInexact, let own = readings[place] else { return stated(place) }
        let run = playlist.run(of: place)
        guard let head = head(of: run) else { return stated(place) }
        guard let reference = readings[head] else {
            return head == place ? stated(place) : .opening(head)
        }
        let expected = playlist.start(of: place) - playlist.start(of: head)
        guard let distance = distance(from: origin(of: reference), to: own.first, expected, own)
        else { return stated(place) }
        switch start(ofRun: run) {
        case .at(let start): return .at(start + distance)
        case .opening(let other): return .opening(other)
        }
    }

    private func stated(_ place: Int) -> Answer { .at(MediaTime(playlist.start(of: place))) }

    /// The first segment of a run that is there; nil where too many are missing.
    private func head(of run: Int) -> Int? {
        let first = playlist.first(ofRun: run)
        return (first..<min(playlist.count, first + Self.mostMissing)).first {
            playlist.run(of: $0) == run && !missing.contains($0)
        }
    }

    private func last(of run: Int) -> Int? {
        let end = playlist.first(ofRun: run + 1)
        return (max(0, end - Self.mostMissing)..<end).last {
            playlist.run(of: $0) == run && !missing.contains($0)
        }
    }

    /// Where the time of a run is counted from: pictures alone where runs are joined (`JoinedMedia`).
    private func origin(of head: Reading) -> MediaTime {
        playlist.run(of: playlist.count - 1) == 0 ? head.zero : head.first
    }

    /// When a run begins: at the end of the one before.
    private func start(ofRun run: Int) -> Answer {
        let first = playlist.first(ofRun: run)
        guard run > 0, run <= Self.mostBefore, !playlist.isDurationStated else {
            return stated(first)
        }
        let ends = (0..<run).map { (head: head(of: $0), last: last(of: $0)) }
        let needed = Set(ends.flatMap { [$0.head, $0.last] }.compactMap(\.self))
        guard needed.count <= Self.mostBefore else { return stated(first) }
        if let other = needed.sorted().first(where: { readings[$0] == nil && !missing.contains($0) }
        ) {
            return .opening(other)
        }
        var start = MediaTime.zero
        for end in ends {
            guard let head = end.head, let last = end.last, let from = readings[head],
                let to = readings[last]
            else { continue }
            let expected = playlist.start(of: last) + playlist.duration(of: last)
            let length = distance(
                from: origin(of: from), to: to.end, expected - playlist.start(of: head), to)
            guard let length else { return stated(first) }
            start = start + length
        }
        return .at(start)
    }

    /// The time between two points of one clock; nil where that cannot be, as the clock was set anew between them.
    private func distance(
        from: MediaTime, to end: MediaTime, _ expected: Duration, _ reading: Reading
    ) -> MediaTime? {
        let plain = end - from
        let period = MediaTime(ticks: 1 << 33, base: Rational(1, 90_000))
        let all = reading.wraps ? [plain, plain + period, plain - period] : [plain]
        let nearest = all.min {
            abs($0.duration - expected) < abs($1.duration - expected)
        }
        guard let nearest, nearest >= .zero,
            nearest.duration <= expected * 2 + Self.mostGap
        else { return nil }
        return nearest
    }

    /// No playlist is wrong by more, beside its own length.
    private static let mostGap = Duration.seconds(30)

    // MARK: - What is shown at a time

    /// The segment that shows a time, or that has to be opened next to find it.
    func place(showing time: Duration) -> Int {
        guard isInexact else { return playlist.segment(at: time) }
        let known = known
        let before = known.last { $0.start.duration <= time }
        // Clocks may contradict each other.
        let behind = known.first { $0.start.duration > time && $0.place > before?.place ?? -1 }
        if let before, time < before.end.duration { return before.place }
        let between = (before.map { $0.place + 1 } ?? 0)..<(behind?.place ?? playlist.count)
        guard !between.isEmpty, let guess = guess(time, before, behind, between) else {
            return before?.place ?? behind?.place ?? playlist.segment(at: time)
        }
        return guess
    }

    /// When a segment begins, about; where all segments end for the number behind the last one.
    func estimate(of place: Int) -> Duration {
        let stated = playlist.start(at: place)
        guard isInexact else { return stated }
        let known = known
        guard let before = known.last(where: { $0.place <= place }) else { return stated }
        if before.place == place { return before.start.duration }
        if before.place + 1 == place { return before.end.duration }
        let from = playlist.start(of: before.place)
        guard let behind = known.first(where: { $0.place > place }) else {
            return before.start.duration + (stated - from)
        }
        let whole = playlist.start(of: behind.place) - from
        guard whole > .zero else { return before.start.duration }
        // The segment is between both.
        let share = min(max((stated - from) / whole, 0), 1)
        return before.start.duration + (behind.start - before.start).duration * share
    }

    /// A segment whose time is known.
    private struct Known {
        let place: Int
        let start, end: MediaTime
    }

    private var known: [Known] {
        readings.compactMap { place, reading in
            guard case .at(let start) = start(of: place) else { return nil }
            return Known(place: place, start: start, end: start + (reading.end - reading.first))
        }.sorted { $0.place < $1.place }
    }

    /// The segment at a time between two others by the lengths in the playlist, stretched to fit.
    private func guess(
        _ time: Duration, _ before: Known?, _ behind: Known?, _ between: Range<Int>
    ) -> Int? {
        let stated = before.map { playlist.start(at: $0.place + 1) } ?? .zero
        let own = before?.end.duration ?? .zero
        var rate = own > .zero ? stated / own : 1
        if let behind, behind.start.duration > own {
            rate = (playlist.start(of: behind.place) - stated) / (behind.start.duration - own)
        }
        let seconds = stated / .seconds(1) + (time - own) / .seconds(1) * rate
        let place = playlist.segment(at: .seconds(min(max(seconds, 0), 1e9)))
        let nearest = min(max(place, between.lowerBound), between.upperBound - 1)
        if !missing.contains(nearest) { return nearest }
        return between.filter { !missing.contains($0) }.min {
            abs($0 - nearest) < abs($1 - nearest)
        }
    }
}

extension StreamPlaylist {
    /// When a segment begins, or behind the last one, when all end.
    fileprivate func start(at place: Int) -> Duration {
        place < count ? start(of: place) : duration
    }
}

private func abs(_ time: Duration) -> Duration { time < .zero ? .zero - time : time }
