internal import LazyMedia

/// The samples of one track as its movie's tables list them (ISO/IEC 14496-12, 8.6 and 8.7).
///
/// Keeps the tables as they are in the file, some 12 bytes a sample; those of fragments are made anew. Only plain
/// ones: one codec, no other kinds of keyframes.
struct SampleTable: Sendable {
    /// One sample.
    ///
    /// Times are in ticks of the track, before any edit.
    struct Sample: Equatable {
        /// When it is decoded.
        var dts: Int64
        /// How much later than that it is shown; negative in some files.
        var offset: Int64
        /// Until the next sample is decoded.
        var duration: Int64
        /// The size in bytes.
        var size: Int
        /// The offset of its bytes in the file.
        var position: Int
        /// Whether decoding can begin here.
        var isKey: Bool

        /// When it is shown.
        var pts: Int64 { dts &+ offset }
    }

    /// The number of samples, at least one.
    let count: Int
    /// The number of the stream.
    let track: MovieTrack
    /// The ticks per second of the track.
    let timescale: Int
    /// The content of the list of edits, if there is one.
    let edits: BoxContent?
    /// Whether samples may be shown in another order than they are decoded in.
    var isReordering: Bool { offsets != nil }
    /// Whether samples have several durations.
    var isUneven: Bool { durations.entryCount > 1 }

    /// Whether fragments list them, so that FFmpeg knows the first ones alone, and edits leave none of them out.
    let isFragmented: Bool

    fileprivate let durations: BoxContent
    fileprivate let offsets: BoxContent?
    fileprivate let sizes: BoxContent
    fileprivate let chunks: BoxContent
    fileprivate let places: BoxContent
    fileprivate let hasWidePlaces: Bool
    fileprivate let keys: BoxContent?

    /// The tables of a track.
    struct Lists {
        var durations: BoxContent
        var offsets: BoxContent?
        var sizes: BoxContent
        var chunks: BoxContent
        /// Of 64 bits each.
        var places: BoxContent
        var keys: BoxContent?
    }

    /// Takes tables that were made of fragments; nil where the header of the track is not plain.
    init?(
        _ track: MovieTrack, count: Int, _ lists: Lists, of bytes: any ByteSource,
        _ cancellation: CancellationFlag
    ) throws(MediaError) {
        guard !track.isUnusual, track.isVideo,
            let codecs = try track.content(.stsd, of: bytes, cancellation),
            codecs.count(entries: 8) == 1,
            let header = try track.content(.mdhd, of: bytes, cancellation)
        else { return nil }
        self.track = track
        self.count = count
        timescale = header.timescale
        edits = try track.content(.elst, of: bytes, cancellation)
        (durations, offsets, sizes) = (lists.durations, lists.offsets, lists.sizes)
        (chunks, places, keys) = (lists.chunks, lists.places, lists.keys)
        (hasWidePlaces, isFragmented) = (true, true)
        guard timescale > 0 else { return nil }
    }

    /// Reads the tables of a track; nil where they are not plain, or contradict each other.
    ///
    /// Costs one read for each table.
    init?(
        _ track: MovieTrack, of bytes: any ByteSource, _ cancellation: CancellationFlag
    ) throws(MediaError) {
        guard !track.isUnusual, track.isVideo, track.sampleCount > 0 else { return nil }
        func content(_ table: MovieTrack.Table) throws(MediaError) -> BoxContent? {
            try track.content(table, of: bytes, cancellation)
        }
        guard let codecs = try content(.stsd), codecs.count(entries: 8) == 1,
            let header = try content(.mdhd),
            let durations = try content(.stts), durations.count(entries: 8) != nil,
            let sizes = try content(.stsz), sizes.number(4) == 0,
            let chunks = try content(.stsc), chunks.count(entries: 12) != nil
        else { return nil }
        let narrow = try content(.stco)
        let wide = try content(.co64)
        guard (narrow == nil) != (wide == nil), let places = narrow ?? wide,
            places.count(entries: wide == nil ? 4 : 8) != nil
        else { return nil }
        self.track = track
        isFragmented = false
        count = track.sampleCount
        timescale = header.timescale
        edits = try content(.elst)
        (self.durations, self.sizes, self.chunks, self.places) = (durations, sizes, chunks, places)
        hasWidePlaces = wide != nil
        offsets = try content(.ctts)
        keys = try content(.stss)
        guard timescale > 0, sizes.size >= 12, (sizes.size - 12) / 4 >= count,
            Int(sizes.number(8)) == count, hasPlainRuns, hasPlainChunks, hasPlainKeys
        else { return nil }
    }

    /// Durations that FFmpeg does not correct, and no sample without a time.
    private var hasPlainRuns: Bool {
        let isPlain = durations.sum(entries: 8) { $0.1 <= UInt32(Int32.max) } == count
        guard isPlain, let offsets else { return isPlain }
        return offsets.count(entries: 8) != nil && offsets.sum(entries: 8) { _ in true } == count
    }

    private var hasPlainChunks: Bool {
        let entries = chunks.count(entries: 12) ?? 0
        guard entries > 0, chunks.number(8) == 1 else { return false }
        var samples = 0
        for entry in 0..<entries {
            let place = 8 + entry * 12
            let first = Int(chunks.number(place))
            let next = entry + 1 < entries ? Int(chunks.number(place + 12)) : chunkCount + 1
            guard first > 0, next > first, chunks.number(place + 4) > 0,
                chunks.number(place + 8) == 1
            else { return false }
            let (part, isTooMany) = (next - first)
                .multipliedReportingOverflow(by: Int(chunks.number(place + 4)))
            guard !isTooMany, part <= count - samples else { return false }
            samples += part
        }
        return samples == count
    }

    private var hasPlainKeys: Bool {
        guard let keys else { return true }
        guard let number = keys.count(entries: 4), number > 0, keys.number(8) == 1 else {
            return false
        }
        var last: UInt32 = 0
        for entry in 0..<number {
            let next = keys.number(8 + entry * 4)
            guard next > last, next <= count else { return false }
            last = next
        }
        return true
    }

    fileprivate var chunkCount: Int { Int(places.number(4)) }

    fileprivate func place(ofChunk chunk: Int) -> Int {
        guard hasWidePlaces else { return Int(places.number(8 + chunk * 4)) }
        let high = Int(places.number(8 + chunk * 8))
        // Beyond any file.
        guard high < 1 << 28 else { return .max >> 1 }
        return high << 32 | Int(places.number(12 + chunk * 8))
    }
}

extension MovieTrack {
    /// Reads one of its boxes; nil where it has none of that kind.
    func content(
        _ table: Table, of bytes: any ByteSource, _ cancellation: CancellationFlag
    ) throws(MediaError) -> BoxContent? {
        guard let place = boxes[table] else { return nil }
        return BoxContent(
            try bytes.bytes(place.count, at: place.lowerBound, cancellation: cancellation))
    }
}

extension SampleTable {
    /// A place between two samples, from which they are read in decoding order.
    struct Cursor {
        private let table: SampleTable
        /// The number of the next sample.
        private(set) var number = 0
        private var dts: Int64 = 0
        private var duration: Run
        private var offset: Run
        private var key = 0
        private var nextKey: Int
        // The chunk of the next sample, how many samples of it are left, and where that sample is.
        private var chunk = -1
        private var left = 0
        private var position = 0
        private var group = 0

        /// Equal entries of a table of runs.
        private struct Run {
            var entry = -1
            var left = 0
            var value: UInt32 = 0

            @inline(__always)
            mutating func next(in table: BoxContent) -> UInt32 {
                while left == 0 { load(entry + 1, of: table) }
                left -= 1
                return value
            }

            mutating func load(_ number: Int, of table: BoxContent) {
                entry = number
                left = Int(table.number(8 + entry * 8))
                value = table.number(12 + entry * 8)
            }
        }

        /// Begins at a sample, at most at the end.
        ///
        /// Passes over the lists before it: some microseconds for thousands of samples.
        init(_ table: SampleTable, at wanted: Int = 0) {
            self.table = table
            (duration, offset) = (Run(), Run())
            nextKey = table.keys.map { Int($0.number(8)) - 1 } ?? 0
            if wanted > 0 { pass(min(wanted, table.count)) }
        }

        private mutating func pass(_ wanted: Int) {
            var rest = wanted
            while rest > 0 {
                if duration.left == 0 { duration.load(duration.entry + 1, of: table.durations) }
                let part = min(rest, duration.left)
                dts &+= Int64(part) &* Int64(duration.value)
                duration.left -= part
                rest -= part
            }
            rest = table.offsets == nil ? 0 : wanted
            while rest > 0, let offsets = table.offsets {
                if offset.left == 0 { offset.load(offset.entry + 1, of: offsets) }
                let part = min(rest, offset.left)
                offset.left -= part
                rest -= part
            }
            rest = wanted
            while rest > 0 {
                if left == 0 { enterChunk() }
                let part = min(rest, left)
                for sample in number..<number + part { position &+= size(sample) }
                left -= part
                number += part
                rest -= part
            }
            while nextKey < number, advanceKey() {}
        }

        /// The next sample, or nil at the end.
        @inline(__always)
        mutating func next() -> Sample? {
            guard number < table.count else { return nil }
            if left == 0 { enterChunk() }
            let step = Int64(duration.next(in: table.durations))
            var shift: Int64 = 0
            // Signed in both versions: writers of version 0 have negative ones, too.
            if let offsets = table.offsets {
                shift = Int64(Int32(bitPattern: offset.next(in: offsets)))
            }
            let isKey = table.keys == nil || number == nextKey
            if isKey, table.keys != nil { _ = advanceKey() }
            let sample = Sample(
                dts: dts, offset: shift, duration: step, size: size(number), position: position,
                isKey: isKey)
            dts &+= step
            position &+= sample.size
            left -= 1
            number += 1
            return sample
        }

        private mutating func enterChunk() {
            chunk += 1
            let entries = table.chunks.entryCount
            while group + 1 < entries, Int(table.chunks.number(20 + group * 12)) == chunk + 1 {
                group += 1
            }
            left = Int(table.chunks.number(12 + group * 12))
            position = table.place(ofChunk: chunk)
        }

        private mutating func advanceKey() -> Bool {
            guard let keys = table.keys, key + 1 < keys.entryCount else {
                nextKey = .max
                return false
            }
            key += 1
            nextKey = Int(keys.number(8 + key * 4)) - 1
            return true
        }

        @inline(__always)
        private func size(_ sample: Int) -> Int { Int(table.sizes.number(12 + sample * 4)) }
    }
}

/// The content of a box that begins with a version and flags, mostly followed by a count of entries.
struct BoxContent: Sendable {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// A content of numbers of four bytes.
    init(numbers: [UInt32]) {
        bytes = Array(unsafeUninitializedCapacity: numbers.count * 4) { bytes, filled in
            let bytes = UnsafeMutableRawBufferPointer(bytes)
            for number in numbers {
                bytes.storeBytes(of: number.bigEndian, toByteOffset: filled, as: UInt32.self)
                filled += 4
            }
        }
    }

    var size: Int { bytes.count }

    /// The number of four bytes at an offset; 0 beyond the end.
    @inline(__always)
    func number(_ offset: Int) -> UInt32 {
        guard offset >= 0, offset <= bytes.count - 4 else { return 0 }
        return bytes.withUnsafeBytes {
            $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self).bigEndian
        }
    }

    /// The ticks per second in the header of a track's media.
    var timescale: Int { Int(number(number(0) >> 24 == 1 ? 20 : 12)) }

    /// The number of entries that the box states.
    var entryCount: Int { Int(number(4)) }

    /// The number of entries of a size, or nil where the box is too small for them.
    func count(entries size: Int) -> Int? {
        guard bytes.count >= 8, entryCount <= (bytes.count - 8) / size else { return nil }
        return entryCount
    }

    /// The sum of the first numbers of all entries; nil where an entry does not satisfy a condition.
    func sum(entries size: Int, where isPlain: ((UInt32, UInt32)) -> Bool) -> Int? {
        var sum = 0
        for entry in 0..<entryCount {
            let pair = (number(8 + entry * size), number(12 + entry * size))
            guard isPlain(pair) else { return nil }
            sum += Int(pair.0)
        }
        return sum
    }
}
