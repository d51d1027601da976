internal import LazyMedia

/// The clusters at the ends of a file at a server, and those around a time.
extension MatroskaClusters {
    /// Where clusters are looked for at the end: one has 5 MB at most, as a rule.
    private static let tails = [1 << 18, 1 << 20, 6 << 20]

    /// Finds the keyframes of the first and the last clusters.
    ///
    /// Nil where another recording may be in the file: where the segment does not say that it reaches the end, and times
    /// do not ascend as fast everywhere. Nil, too, where the last clusters have no keyframe or do not say how large they
    /// are.
    init?(
        endsOf bytes: any ByteSource, base: Rational, _ cancellation: CancellationFlag
    ) throws(MediaError) {
        self.init(bytes, cancellation)
        guard let segment = try MatroskaSegment(bytes),
            segment.size == nil || segment.end == bytes.count,
            let begin = try firstCluster(from: segment.content), isCounted(in: base),
            let first = keys.first
        else { return nil }
        for size in Self.tails {
            let start = max(first.position + 1, end - size)
            bytes.willRead(start..<end)
            keys = [first]
            guard try readTail(from: start, behind: begin), keys.count > 1 else { continue }
            if segment.size == nil, try !isSteady(cancellation) { return nil }
            return
        }
        return nil
    }

    /// Whether times ascend in the first clusters, and as fast between places behind them.
    private func isSteady(_ cancellation: CancellationFlag) throws(MediaError) -> Bool {
        var beginning = MatroskaClusters(heads.source, track: track, cancellation)
        guard try beginning.ascend(from: keys[0].position, to: SteadyTimes.beginning) else {
            return false
        }
        let starts = SteadyTimes.places(of: end)
        for start in starts {
            heads.source.willRead(start..<min(end, start + SteadyTimes.sampleSize))
        }
        var samples = [keys[0]]
        for start in starts where start < keys[1].position {
            var clusters = MatroskaClusters(heads.source, track: track, cancellation)
            let windows = SteadyTimes.sampleSize...ClusterSearch.largestWindow
            let limit = keys[1].position
            let found = try clusters.find(from: start, to: limit, windows: windows) { !$0.isEmpty }
            guard let cluster = found.first else { return false }
            samples.append(cluster)
        }
        samples.append(keys[keys.count - 1])
        return SteadyTimes.areSteady(samples.map { ($0.position, $0.ticks) })
    }

    /// Whether clusters follow each other to an offset, or behind it.
    private mutating func ascend(from start: Int, to end: Int) throws(MediaError) -> Bool {
        var (place, last) = (start, Int64.min)
        while place < end {
            guard let element = try element(at: place) else { return false }
            if element.name == Name.cluster {
                guard let time = try begin(of: element, at: place), time >= last else {
                    return false
                }
                last = time
            } else if !Name.passed.contains(element.name) {
                return false
            }
            place = element.content.upperBound
        }
        return true
    }

    /// The time of the first cluster, which begins with a keyframe; nil for others.
    private mutating func firstCluster(from start: Int) throws(MediaError) -> Int64? {
        var place = start
        for _ in 0..<Self.mostElements {
            guard let element = try element(at: place) else { return nil }
            if element.name == Name.cluster {
                let time = try begin(of: element, at: place)
                return keys.isEmpty ? nil : time
            }
            guard try pass(element) else { return nil }
            place = element.content.upperBound
        }
        return nil
    }

    private static let mostElements = 64

    /// Reads the clusters from the first place whose elements follow each other to the end of the file.
    private mutating func readTail(
        from start: Int, behind time: Int64
    ) throws(MediaError) -> Bool {
        let window = try heads.source.bytes(end - start, at: start)
        var offset = 0
        while let found = window.nextCluster(from: offset) {
            if let clusters = try chain(from: start + found) {
                var last = time
                for (place, element) in clusters {
                    guard let time = try begin(of: element, at: place), time >= last else {
                        return false
                    }
                    last = time
                }
                return true
            }
            offset = found + 1
        }
        return false
    }

    private func chain(
        from start: Int
    ) throws(MediaError) -> [(place: Int, element: Element)]? {
        var clusters: [(place: Int, element: Element)] = []
        var place = start
        while place < end {
            guard let element = try element(at: place) else { return nil }
            if element.name == Name.cluster {
                clusters.append((place, element))
            } else if !Name.passed.contains(element.name) {
                return nil
            }
            place = element.content.upperBound
        }
        return clusters
    }
}

extension [UInt8] {
    /// Where the name of a cluster is, from an offset on; nil where there is none.
    func nextCluster(from offset: Int) -> Int? {
        var place = offset
        while place + 4 <= count {
            if self[place] == 0x1F, self[place + 1] == 0x43, self[place + 2] == 0xB6,
                self[place + 3] == 0x75
            {
                return place
            }
            place += 1
        }
        return nil
    }
}

// MARK: - Bisection

/// Finds keyframes between those at the ends of a file at a server: what cues would tell.
struct ClusterSearch: Sendable {
    private let bytes: any ByteSource
    private let track: Int
    private let first: MatroskaClusters.Key
    private let last: MatroskaClusters.Key
    /// About as large as a cluster.
    private let window: Int

    /// Clusters less apart than this are read from the first to the last of them.
    private static let near = 1 << 20
    private static let mostSteps = 24
    private static let windows = 1 << 17...1 << 20
    fileprivate static let largestWindow = 1 << 22

    /// Searches between the first cluster and the first one of the last.
    init?(_ ends: MatroskaClusters) {
        guard ends.keys.count > 1 else { return nil }
        (bytes, track) = (ends.heads.source, ends.track)
        (first, last) = (ends.keys[0], ends.keys[1])
        let size = (ends.end - last.position) / (ends.keys.count - 1)
        window = min(max(size, Self.windows.lowerBound), Self.windows.upperBound)
    }

    /// The keyframe of a cluster at or before a time, and those behind it; none outside of what is searched.
    func keys(
        around ticks: Int64, _ cancellation: CancellationFlag
    ) throws(MediaError) -> [MatroskaClusters.Key] {
        guard first.ticks <= ticks, ticks < last.ticks else { return [] }
        var (low, high) = (first, last)
        // Where no keyframe was found up to the next one.
        var ceiling = last.position
        for step in 0..<Self.mostSteps where ceiling - low.position > Self.near {
            let guess = low.position + max(1, place(of: ticks, low, high, ceiling, step))
            var clusters = MatroskaClusters(bytes, track: track, cancellation)
            // No other cluster is between them.
            let next = try clusters.element(at: low.position)?.content.upperBound
            if next == high.position { break }
            try clusters.find(from: guess, to: ceiling, windows: window...Self.largestWindow)
            let found = clusters.keys.filter { (low.ticks...high.ticks).contains($0.ticks) }
            if found.isEmpty { ceiling = guess }
            for key in found where key.position < high.position {
                if key.ticks <= ticks {
                    low = key
                } else {
                    (high, ceiling) = (key, key.position)
                    break
                }
            }
        }
        return try between(low, high, cancellation)
    }

    /// How far behind the lower keyframe to look: in proportion of times, each time farther before that, and now and then
    /// in the middle.
    private func place(
        of ticks: Int64, _ low: MatroskaClusters.Key, _ high: MatroskaClusters.Key, _ ceiling: Int,
        _ step: Int
    ) -> Int {
        let room = ceiling - low.position
        guard step % 4 != 3 else { return room / 2 }
        let part = Double(ticks.since(low.ticks)) / Double(max(1, high.ticks.since(low.ticks)))
        let place = Int(Double(high.position - low.position) * part) - window << min(step, 8)
        return min(max(1, place), room - 1)
    }

    /// All keyframes from one to another, where clusters lead there in few bytes.
    private func between(
        _ low: MatroskaClusters.Key, _ high: MatroskaClusters.Key, _ cancellation: CancellationFlag
    ) throws(MediaError) -> [MatroskaClusters.Key] {
        guard high.position - low.position <= Self.near else { return [low, high] }
        bytes.willRead(low.position..<high.position)
        var clusters = MatroskaClusters(bytes, track: track, cancellation)
        var place = low.position
        while place < high.position, let element = try clusters.element(at: place) {
            guard element.name == MatroskaClusters.Name.cluster else { break }
            _ = try clusters.begin(of: element, at: place)
            place = element.content.upperBound
        }
        let isWhole = place == high.position && clusters.keys.first?.position == low.position
        return isWhole ? clusters.keys + [high] : [low, high]
    }
}

extension MatroskaClusters {
    /// Finds clusters behind a place, and their keyframes, in the first window that has such, or enough clusters.
    @discardableResult
    fileprivate mutating func find(
        from start: Int, to limit: Int, windows: ClosedRange<Int>,
        until isEnough: ([Key]) -> Bool = { _ in false }
    ) throws(MediaError) -> [Key] {
        var (place, size) = (start, windows.lowerBound)
        var clusters: [Key] = []
        while place < limit, keys.isEmpty, !isEnough(clusters) {
            let count = min(size, limit - place)
            heads.source.willRead(place..<place + count)
            // A name may lie across two windows.
            let window = try heads.source.bytes(min(count + 3, end - place), at: place)
            var offset = 0
            while let found = window.nextCluster(from: offset), place + found < limit {
                offset = found + 1
                guard let element = try plausibleCluster(at: place + found) else { continue }
                if let time = try begin(of: element, at: place + found) {
                    clusters.append(Key(position: place + found, ticks: time))
                }
                offset = element.content.upperBound - place
            }
            place += count
            size = min(windows.upperBound, size * 2)
        }
        return clusters
    }

    /// The cluster at a place, whose first elements are those of one; nil for other bytes that look like its name.
    private func plausibleCluster(at place: Int) throws(MediaError) -> Element? {
        guard let cluster = try element(at: place), cluster.name == Name.cluster else { return nil }
        var next = cluster.content.lowerBound
        for _ in 0..<3 where next < cluster.content.upperBound {
            guard let child = try element(at: next), Name.inside.contains(child.name),
                child.content.upperBound <= cluster.content.upperBound
            else { return nil }
            next = child.content.upperBound
        }
        return cluster
    }
}
