internal import LazyMedia

/// What the fragments of a movie say of their samples where they leave it out (ISO/IEC 14496-12, 8.8.3).
struct FragmentDefaults: Equatable {
    var duration: UInt32
    var size: UInt32
    var flags: UInt32
}

extension SampleTable {
    /// Collects the samples of a track from the fragments of a movie; nil where these are not plain, or not whole.
    ///
    /// Costs one read for each fragment, of some 20 bytes a sample, and none of the samples themselves. Of the first and
    /// some later ones the last sample of the first lasts until these begin, which each has to tell.
    init?(
        fragments: [Range<Int>], areAll: Bool = true, _ defaults: FragmentDefaults,
        _ track: MovieTrack,
        of bytes: any ByteSource, _ limits: DecodingLimits, _ cancellation: CancellationFlag
    ) throws(MediaError) {
        guard track.sampleCount == 0, !fragments.isEmpty else { return nil }
        var list = FragmentList(track: track.id, defaults, end: bytes.count, areTimed: !areAll)
        for place in fragments {
            let content = try bytes.bytes(
                place.count, at: place.lowerBound, cancellation: cancellation)
            guard content.count == place.count, list.add(content, at: place.lowerBound) else {
                return nil
            }
            try limits.check(entries: list.sizes.count)
        }
        guard list.finish() else { return nil }
        try self.init(
            track, count: list.sizes.count,
            Lists(
                durations: list.durations.content, offsets: list.offsetContent,
                sizes: list.sizeContent,
                chunks: list.chunks, places: list.places, keys: list.keyContent),
            of: bytes, cancellation)
    }
}

/// The samples of one track in the fragments of a movie, as FFmpeg lists them (`mov_read_trun`).
private struct FragmentList {
    private let track: Int
    private let defaults: FragmentDefaults
    /// The number of bytes of the file.
    private let end: Int
    /// Whether each fragment has to tell its time.
    private let areTimed: Bool
    private(set) var sizes: [UInt32] = []
    private(set) var durations = Runs()
    private var offsets = Runs()
    private var runLengths: [UInt32] = []
    private var runPlaces: [Int] = []
    private var keys: [UInt32] = []
    private var next: Int64?
    private var lastStep: UInt32 = 0
    // FFmpeg shifts times by the least offset that it has seen.
    private var (leastOffset, leastOfFirst): (Int32, Int32?) = (0, nil)

    /// Equal numbers in a row, as tables of movies have them.
    struct Runs {
        /// Version and flags, the number of runs, and for each its length and its value.
        private var numbers: [UInt32] = [0, 0]
        private var last: UInt32?
        private(set) var isZero = true

        mutating func add(_ value: UInt32) {
            if value == last {
                numbers[numbers.count - 2] += 1
                return
            }
            numbers.append(1)
            numbers.append(value)
            numbers[1] += 1
            last = value
            if value != 0 { isZero = false }
        }

        var content: BoxContent { BoxContent(numbers: numbers) }
    }

    /// What a run may say of each sample.
    private struct Each {
        let duration, size, flags, offset: UInt32

        var all: UInt32 { duration | size | flags | offset }
    }

    private enum Flag {
        static let base: UInt32 = 1, description: UInt32 = 2, duration: UInt32 = 8
        static let size: UInt32 = 0x10, flags: UInt32 = 0x20, isMovieFragmentBase: UInt32 = 0x20000
        static let dataOffset: UInt32 = 1, firstFlags: UInt32 = 4
        static let each = Each(duration: 0x100, size: 0x200, flags: 0x400, offset: 0x800)
        /// A sample that is no keyframe, or depends on others.
        static let notKey: UInt32 = 0x101_0000
    }

    init(track: Int, _ defaults: FragmentDefaults, end: Int, areTimed: Bool) {
        (self.track, self.defaults, self.end) = (track, defaults, end)
        self.areTimed = areTimed
    }

    /// Adds a fragment by the content of its box, which lies at an offset; false where it is not plain.
    mutating func add(_ content: [UInt8], at place: Int) -> Bool {
        let box = BoxContent(content)
        let start = place - 8
        var isFirst = true
        for part in box.boxes(in: 0..<content.count) ?? [] where part.type == "traf" {
            guard let inner = box.boxes(in: part.content) else { return false }
            guard let header = inner.first, header.type == "tfhd", header.content.count >= 8
            else { return false }
            defer { isFirst = false }
            guard Int(box.number(header.content.lowerBound + 4)) == track else { continue }
            guard
                let settings = Settings(box, header.content, defaults, start, isFirst: isFirst),
                take(inner, of: box, settings)
            else { return false }
        }
        if leastOfFirst == nil, !sizes.isEmpty { leastOfFirst = leastOffset }
        return true
    }

    /// What the header of a track in a fragment says.
    private struct Settings {
        var (base, values): (Int, FragmentDefaults)

        init?(
            _ box: BoxContent, _ header: Range<Int>, _ defaults: FragmentDefaults, _ start: Int,
            isFirst: Bool
        ) {
            let flags = box.number(header.lowerBound) & 0xFF_FFFF
            var place = header.lowerBound + 8
            func next() -> UInt32 {
                defer { place += 4 }
                return box.number(place)
            }
            (base, values) = (start, defaults)
            if flags & Flag.base != 0 {
                let high = next()
                guard high < 1 << 28 else { return nil }
                base = Int(high) << 32 | Int(next())
            } else if flags & Flag.isMovieFragmentBase == 0, !isFirst {
                // It begins where the samples of the track before end.
                return nil
            }
            if flags & Flag.description != 0, next() != 1 { return nil }
            if flags & Flag.duration != 0 { values.duration = next() }
            if flags & Flag.size != 0 { values.size = next() }
            if flags & Flag.flags != 0 { values.flags = next() }
            guard place <= header.upperBound else { return nil }
        }
    }

    private mutating func take(
        _ boxes: [BoxContent.Inner], of box: BoxContent, _ settings: Settings
    ) -> Bool {
        guard !areTimed || boxes.dropFirst().first?.type == "tfdt" else { return false }
        for inner in boxes.dropFirst() {
            switch inner.type {
            case "tfdt":
                let isWide = box.number(inner.content.lowerBound) >> 24 == 1
                let high = isWide ? box.number(inner.content.lowerBound + 4) : 0
                let low = box.number(inner.content.lowerBound + (isWide ? 8 : 4))
                guard high < 1 << 30,
                    begin(at: Int64(high) << 32 | Int64(low))
                else { return false }
            case "trun": guard take(inner.content, of: box, settings) else { return false }
            // Which samples others depend on.
            case "sdtp", "free": break
            default: return false
            }
        }
        return true
    }

    /// The next sample is decoded at a time: the one before lasts until then.
    private mutating func begin(at time: Int64) -> Bool {
        defer { next = time }
        guard let next, !sizes.isEmpty, time != next else { return true }
        let step = Int64(lastStep) + (time - next)
        guard (1...Int64(Int32.max)).contains(step) else { return false }
        lastStep = UInt32(step)
        return true
    }

    private mutating func take(
        _ run: Range<Int>, of box: BoxContent, _ settings: Settings
    ) -> Bool {
        let flags = box.number(run.lowerBound) & 0xFF_FFFF
        let count = Int(box.number(run.lowerBound + 4))
        guard flags & Flag.dataOffset != 0, run.count >= 12, count > 0 else { return false }
        var place = run.lowerBound + 8
        func next() -> UInt32 {
            defer { place += 4 }
            return box.number(place)
        }
        var position = settings.base + Int(Int32(bitPattern: next()))
        let firstFlags = flags & Flag.firstFlags != 0 ? next() : nil
        let each = Flag.each
        let width = (flags & each.all).nonzeroBitCount * 4
        guard position >= 0, count <= (run.upperBound - place) / max(1, width) else { return false }
        runPlaces.append(position)
        runLengths.append(UInt32(count))
        for number in 0..<count {
            let duration = flags & each.duration != 0 ? next() : settings.values.duration
            let size = flags & each.size != 0 ? next() : settings.values.size
            let own = flags & each.flags != 0 ? next() : settings.values.flags
            let offset = flags & each.offset != 0 ? next() : 0
            guard duration > 0, duration <= Int32.max, size > 0, Int(size) <= end - position
            else { return false }
            if !sizes.isEmpty { durations.add(lastStep) }
            lastStep = duration
            self.next = (self.next ?? 0) + Int64(duration)
            offsets.add(offset)
            leastOffset = min(leastOffset, Int32(bitPattern: offset))
            sizes.append(size)
            let isKey = (number == 0 ? firstFlags ?? own : own) & Flag.notKey == 0
            if isKey { keys.append(UInt32(sizes.count)) }
            position += Int(size)
        }
        return true
    }

    // MARK: - Tables

    /// Ends the lists; false where FFmpeg gives samples times of several shifts, or the first one is no keyframe.
    mutating func finish() -> Bool {
        guard keys.first == 1, leastOfFirst == leastOffset, sizes.count < Int(Int32.max) else {
            return false
        }
        durations.add(lastStep)
        return true
    }

    var sizeContent: BoxContent {
        BoxContent(numbers: [0, 0, UInt32(sizes.count)] + sizes)
    }

    var offsetContent: BoxContent? { offsets.isZero ? nil : offsets.content }

    var keyContent: BoxContent? {
        keys.count == sizes.count ? nil : .init(numbers: [0, UInt32(keys.count)] + keys)
    }

    /// Each run is a chunk.
    var chunks: BoxContent {
        var entries: [UInt32] = []
        for (number, length) in runLengths.enumerated()
        where number == 0 || runLengths[number - 1] != length {
            entries += [UInt32(number + 1), length, 1]
        }
        return BoxContent(numbers: [0, UInt32(entries.count / 3)] + entries)
    }

    var places: BoxContent {
        BoxContent(
            numbers: [0, UInt32(runPlaces.count)]
                + runPlaces.flatMap { [UInt32($0 >> 32), UInt32(truncatingIfNeeded: $0)] })
    }
}

extension BoxContent {
    /// A box inside of another, and where its content is.
    fileprivate struct Inner {
        let type: String
        let content: Range<Int>
    }

    /// The boxes in a range, which they fill; nil where they do not.
    fileprivate func boxes(in range: Range<Int>) -> [Inner]? {
        var boxes: [Inner] = []
        var place = range.lowerBound
        while place < range.upperBound {
            let length = Int(number(place))
            guard length >= 8, length <= range.upperBound - place else { return nil }
            let name = String(decoding: number(place + 4).bigEndianBytes, as: UTF8.self)
            boxes.append(Inner(type: name, content: place + 8..<place + length))
            place += length
        }
        return boxes
    }
}
