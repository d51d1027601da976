internal import LazyBase

/// When the segments of a period are shown.
struct DASHTimes {
    /// How long the period lasts, if the manifest says it.
    let length: Duration?
    let isLive: Bool
    /// How long a live presentation has been available.
    let elapsed: Duration?
    /// When the period begins in it.
    let start: Duration

    /// When a segment is shown.
    struct Span {
        /// Its place in the list, from 0.
        let place: Int
        /// Its time in units of the template.
        let time: Int
        let duration: Duration
    }

    /// Does something with each segment, as they are read from the manifest.
    typealias Body = (Span) throws(StreamError) -> Void

    /// Goes through the segments of a level; `count` is their number if the manifest lists them.
    func forEach(
        _ level: DASHLevel, count: Int?, _ budget: StreamBudget, _ body: Body
    ) throws(StreamError) {
        let scale = level.template["timescale"].flatMap { StreamNumbers.integer($0) } ?? 1
        guard (1...1 << 32).contains(scale) else {
            throw .malformed("The DASH manifest has a wrong timescale.")
        }
        if let timeline = level.timeline { return try forEach(of: timeline, scale, budget, body) }
        guard let units = level.template["duration"].flatMap({ StreamNumbers.integer($0) }),
            let each = Self.duration(units, scale)
        else { throw .malformed("The DASH manifest does not say how long its segments are.") }
        if isLive, count == nil { return try body(try newest(units, each)) }
        let whole = length.map { $0 / each }
        let number = count ?? whole.map { Int(($0 - 1e-6).rounded(.up)) }
        guard let number, number <= StreamPlaylist.maxSegments else {
            throw .malformed("The DASH manifest does not say its duration.")
        }
        for place in 0..<max(0, number) {
            // The last one is shorter.
            let rest = length.map { $0 - each * place } ?? each
            let duration = rest > .zero ? min(each, rest) : each
            try body(Span(place: place, time: place * units, duration: duration))
        }
    }

    /// The newest complete segment by the clock (ISO/IEC 23009-1, 5.3.9.5.3).
    private func newest(_ units: Int, _ each: Duration) throws(StreamError) -> Span {
        guard let elapsed, elapsed - start >= each else {
            throw .malformed("The DASH manifest of a live stream has no complete segment yet.")
        }
        let place = min(Int((elapsed - start) / each) - 1, Int.max / max(1, units) - 1)
        return Span(place: place, time: place * units, duration: each)
    }

    private func forEach(
        of timeline: XMLElement, _ scale: Int, _ budget: StreamBudget, _ body: Body
    ) throws(StreamError) {
        var (number, time) = (0, 0)
        let entries = timeline.all("S")
        for (place, entry) in entries.enumerated() {
            try budget.spend()
            if let text = entry["t"] {
                guard let own = StreamNumbers.integer(text) else { throw wrongTimeline }
                time = own
            }
            guard let units = entry["d"].flatMap({ StreamNumbers.integer($0) }),
                let each = Self.duration(units, scale)
            else { throw wrongTimeline }
            let next = entries.dropFirst(place + 1).first?["t"].flatMap {
                StreamNumbers.integer($0)
            }
            let count = try repeats(entry["r"], from: time, units, scale, next) + 1
            guard number + count <= StreamPlaylist.maxSegments else { throw wrongTimeline }
            for _ in 0..<count {
                try body(Span(place: number, time: time, duration: each))
                (number, time) = (number + 1, time + units)
            }
        }
    }

    /// How often an entry is repeated; a negative number means until the next entry or the end.
    private func repeats(
        _ text: String?, from time: Int, _ units: Int, _ scale: Int, _ next: Int?
    ) throws(StreamError) -> Int {
        guard let text else { return 0 }
        guard text.hasPrefix("-") else {
            guard let count = StreamNumbers.integer(text), count < StreamPlaylist.maxSegments else {
                throw wrongTimeline
            }
            return count
        }
        if let next { return max(0, (next - time - 1) / units) }
        guard let length, let each = Self.duration(units, scale) else { throw wrongTimeline }
        return max(0, Int((length / each - 1e-6).rounded(.up)) - 1)
    }

    private var wrongTimeline: StreamError { .malformed("The DASH manifest has a wrong timeline.") }

    /// The duration of some units; nil for none and for what sums of them could not hold.
    private static func duration(_ units: Int, _ scale: Int) -> Duration? {
        guard units < 1 << 44 else { return nil }
        let duration = StreamNumbers.seconds(String(Double(units) / Double(scale)))
        return duration.flatMap { $0 > .zero ? $0 : nil }
    }
}
