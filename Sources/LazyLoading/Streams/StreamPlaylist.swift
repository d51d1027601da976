internal import FoundationEssentials

/// The segments of one rendition, in order.
///
/// Of a segment its times are kept, and what its address is made of; the address is made when the segment is asked for.
package struct StreamPlaylist: Sendable {
    /// What is kept of a segment.
    struct Entry: Sendable {
        var name: SegmentName
        /// The place of what makes its address.
        var naming: Int32
        var map: Int32?
        var key: Int32?
        /// Its number, from which the vector of its key may follow.
        var number = 0
        var range: Range<Int>?
        var isLocal: Bool
        fileprivate(set) var run: Int32 = 0
        /// In microseconds.
        fileprivate(set) var start: Int64 = 0
        fileprivate(set) var duration: Int64 = 0
    }

    /// A map before its address is made.
    struct Map: Sendable {
        var name: SegmentName
        var naming: Int32
        var range: Range<Int>?
        var key: Int32?
        var number = 0
        var isLocal: Bool
    }

    /// A key before its address is made; its vector may be the number of a segment.
    enum Key: Sendable {
        case aes128(SegmentName, naming: Int32, vector: [UInt8]?)
        case protected(String)
    }

    private var entries: [Entry] = []
    private var namings: [any SegmentNaming] = []
    private var maps: [Map] = []
    private var keys: [Key] = []
    /// Whether segments are still added.
    package var isLive = false
    /// Whether the lengths of segments may be rounded, so that sums of them are not where a segment begins.
    package var hasRoundedLengths = false
    /// Whether it says when its runs begin and how long all is, beside the lengths of segments.
    package var isDurationStated = false
    /// Where it came from.
    let base: StreamBase

    /// The number of segments that a playlist may have: a day of seconds.
    package static let maxSegments = 100_000

    /// The memory that a segment takes, about.
    private static let entrySize = 128

    private static let maxDuration = Duration.seconds(315_360_000)

    init(_ base: StreamBase) { self.base = base }

    /// The number of segments; at least one.
    package var count: Int { entries.count }

    /// When the last segment ends.
    package var duration: Duration {
        entries.last.map { .microseconds($0.start + $0.duration) } ?? .zero
    }

    /// When a segment begins, counted from the first segment.
    package func start(of place: Int) -> Duration { .microseconds(entries[place].start) }

    /// How long a segment is.
    package func duration(of place: Int) -> Duration { .microseconds(entries[place].duration) }

    /// The number of the run that a segment belongs to: segments of one run continue each other.
    package func run(of place: Int) -> Int { Int(entries[place].run) }

    /// The number of the first segment of a run, or of all behind the last run their count.
    package func first(ofRun run: Int) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if self.run(of: middle) < run { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Whether all segments are files of this machine.
    package var isLocal: Bool { entries.indices.allSatisfy { isLocal(at: $0) } }

    /// Whether a segment, with what is read before it, is in files of this machine.
    package func isLocal(at place: Int) -> Bool {
        entries[place].isLocal && entries[place].map.map { maps[Int($0)].isLocal } ?? true
    }

    /// The number of the segment that is shown at a time; the first before it, the last behind it.
    package func segment(at time: Duration) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if start(of: middle) <= time { low = middle + 1 } else { high = middle }
        }
        return max(1, low) - 1
    }

    /// The newest segment of a live stream, with its time counted from itself; else all.
    func playable() -> StreamPlaylist {
        guard isLive, var newest = entries.last else { return self }
        newest.start = 0
        var playlist = self
        playlist.entries = [newest]
        return playlist
    }

    // MARK: - What is made when it is asked for

    /// The bytes of a segment, and the key of them.
    package func resource(
        of place: Int
    ) throws(StreamError) -> (resource: StreamResource, key: StreamKey?) {
        let entry = entries[place]
        let url = try address(entry.name, entry.naming)
        return (StreamResource(url: url, range: entry.range), try key(entry.key, entry.number))
    }

    /// The number of the map that a decoder reads before a segment; nil where it needs none.
    package func map(of place: Int) -> Int? { entries[place].map.map(Int.init) }

    /// A map by its number.
    package func map(_ number: Int) throws(StreamError) -> StreamMap {
        let map = maps[number]
        let url = try address(map.name, map.naming)
        return StreamMap(
            resource: StreamResource(url: url, range: map.range), key: try key(map.key, map.number))
    }

    /// The system by which the first segment is encrypted, if its keys are not loaded.
    var protection: String? {
        guard let key = entries.first?.key, case .protected(let name) = keys[Int(key)] else {
            return nil
        }
        return name
    }

    private func address(_ name: SegmentName, _ naming: Int32) throws(StreamError) -> URL {
        try namings[Int(naming)].address(name)
    }

    private func key(_ place: Int32?, _ number: Int) throws(StreamError) -> StreamKey? {
        guard let place else { return nil }
        switch keys[Int(place)] {
        case .protected(let name): return .protected(name)
        case .aes128(let name, let naming, let vector):
            let low = withUnsafeBytes(of: UInt64(number).bigEndian) { Array($0) }
            return .aes128(
                try address(name, naming), vector: vector ?? Array(repeating: 0, count: 8) + low)
        }
    }

    // MARK: - Adding

    /// Adds what makes addresses, and returns its place.
    mutating func add(_ naming: any SegmentNaming) -> Int32 {
        namings.append(naming)
        return Int32(namings.count - 1)
    }

    mutating func add(_ map: Map) -> Int32 {
        maps.append(map)
        return Int32(maps.count - 1)
    }

    mutating func add(_ key: Key) -> Int32 {
        keys.append(key)
        return Int32(keys.count - 1)
    }

    /// Adds a segment after the others, after a gap of some time.
    mutating func append(
        _ entry: Entry, duration: Duration, after gap: Duration = .zero, continues: Bool = true,
        _ budget: StreamBudget
    ) throws(StreamError) {
        try budget.spend(bytes: Self.entrySize)
        guard entries.count < Self.maxSegments else {
            throw .malformed("The playlist has more than \(Self.maxSegments) segments.")
        }
        guard self.duration + gap + duration < Self.maxDuration else {
            throw .malformed("The playlist is longer than ten years.")
        }
        let last = entries.last
        let isSameRun = continues && last?.map == entry.map
        var entry = entry
        entry.start = (self.duration + gap).inMicroseconds
        entry.duration = duration.inMicroseconds
        entry.run = last.map { isSameRun ? $0.run : $0.run + 1 } ?? 0
        entries.append(entry)
    }
}

extension Duration {
    /// The duration in microseconds; below ten years it fits.
    fileprivate var inMicroseconds: Int64 {
        components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
    }
}
