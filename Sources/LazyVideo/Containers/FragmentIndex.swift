internal import LazyMedia

/// Where the fragments of a movie lie, as an index at one of its ends lists them (ISO/IEC 14496-12, 8.8.10 and 8.16.3).
///
/// Only an index that leads to the end of the file: another recording behind the first has none, or one of its own.
struct FragmentIndex: Sendable {
    /// A fragment that begins with a keyframe.
    struct Place: Sendable {
        let offset: Int
        /// When it is decoded or shown, in ticks of the track; writers differ.
        let ticks: Int64
    }

    /// The fragments, in ascending order; at least two.
    private(set) var places: [Place] = []
    /// Where the last fragment ends.
    private let end: Int
    private let bytes: any ByteSource
    private let cancellation: CancellationFlag

    /// What is known of a movie by its beginning.
    struct Beginning {
        var track: Int
        var timescale: Int
        /// The first fragment's offset.
        var first: Int
        /// The contents of indexes before it.
        var indexes: [Range<Int>]
    }

    /// As much is fetched of the end: an index of thousands of fragments, and the last of these.
    private static let tail = 1 << 18
    private static let largest = 1 << 23

    /// Reads the index of a track; nil where there is none, or where it does not tell of the whole file.
    init?(
        _ bytes: any ByteSource, _ beginning: Beginning, _ limits: DecodingLimits,
        _ cancellation: CancellationFlag
    ) throws(MediaError) {
        (self.bytes, self.cancellation) = (bytes, cancellation)
        let count = bytes.count
        bytes.willRead(max(0, count - Self.tail)..<count)
        let last = BoxContent(
            try bytes.bytes(min(16, count), at: max(0, count - 16), cancellation: cancellation))
        // The last box of an index at the end tells how large that is.
        let size = last.number(4) == Self.name("mfro") ? Int(last.number(12)) : 0
        guard size >= 0, size <= min(count, Self.largest) else { return nil }
        end = count - size
        if try !readSegments(beginning) {
            places = []
            guard size > 16, try readRandomAccess(size, beginning.track),
                places.first?.offset == beginning.first
            else { return nil }
        }
        try limits.check(entries: places.count)
        let isAscending = zip(places, places.dropFirst()).allSatisfy {
            $0.offset < $1.offset && $0.ticks < $1.ticks
        }
        guard isAscending, places.count > 1, let final = places.last, final.offset < end else {
            return nil
        }
    }

    private static func name(_ name: StaticString) -> UInt32 {
        name.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt32($1) } }
    }

    // MARK: - mfra

    private mutating func readRandomAccess(
        _ size: Int, _ track: Int
    ) throws(MediaError) -> Bool {
        let box = BoxContent(try bytes.bytes(size, at: end, cancellation: cancellation))
        guard box.size == size, Int(box.number(0)) == size, box.number(4) == Self.name("mfra")
        else { return false }
        var place = 8
        while place + 24 <= size {
            let length = Int(box.number(place))
            guard length >= 8, length <= size - place else { return false }
            if box.number(place + 4) == Self.name("tfra"), Int(box.number(place + 12)) == track {
                return readEntries(box, place + 8..<place + length)
            }
            place += length
        }
        return false
    }

    private mutating func readEntries(_ box: BoxContent, _ content: Range<Int>) -> Bool {
        let isWide = box.number(content.lowerBound) >> 24 == 1
        let widths = box.number(content.lowerBound + 8)
        let extra = [4, 2, 0].reduce(0) { $0 + Int(widths >> UInt32($1) & 3) + 1 }
        let count = Int(box.number(content.lowerBound + 12))
        let width = (isWide ? 16 : 8) + extra
        guard count <= (content.count - 16) / width else { return false }
        for number in 0..<count {
            let start = content.lowerBound + 16 + number * width
            guard let time = box.number(start, isWide: isWide),
                let offset = box.number(start + (isWide ? 8 : 4), isWide: isWide)
            else { return false }
            // Other keyframes of the same fragment.
            if places.last?.offset == offset { continue }
            places.append(Place(offset: offset, ticks: Int64(time)))
        }
        return true
    }

    // MARK: - sidx

    private mutating func readSegments(_ beginning: Beginning) throws(MediaError) -> Bool {
        for index in beginning.indexes where index.count <= Self.largest {
            let box = BoxContent(
                try bytes.bytes(index.count, at: index.lowerBound, cancellation: cancellation))
            guard Int(box.number(4)) == beginning.track else { continue }
            return readReferences(box, from: index.upperBound, beginning)
        }
        return false
    }

    private mutating func readReferences(
        _ box: BoxContent, from anchor: Int, _ beginning: Beginning
    ) -> Bool {
        let isWide = box.number(0) >> 24 == 1
        let scale = Int(box.number(8))
        let start = isWide ? 28 : 20
        let count = Int(box.number(start) & 0xFFFF)
        guard scale > 0, let skipped = box.number(isWide ? 20 : 16, isWide: isWide),
            var time = box.number(12, isWide: isWide), count <= (box.size - start - 4) / 12
        else { return false }
        var offset = anchor + skipped
        for number in 0..<count {
            let entry = start + 4 + number * 12
            let size = box.number(entry)
            let (scaled, isTooFar) = time.multipliedReportingOverflow(by: beginning.timescale)
            // References to other indexes have the highest bit.
            guard size < 1 << 31, !isTooFar else { return false }
            places.append(Place(offset: offset, ticks: Int64(scaled / scale)))
            offset += Int(size)
            time += Int(box.number(entry + 4))
        }
        // The last fragments may have nothing of the track; they are looked at with those before.
        return offset <= end
            && places.first.map { $0.offset...$0.offset + Int(box.number(start + 4)) }?
                .contains(beginning.first) == true
    }

    // MARK: - Fragments

    /// As many boxes are passed between places.
    private static let mostBoxes = 512

    /// The number of the last place that is not after a time since the first one; at least the first.
    func number(at ticks: Int64) -> Int {
        let first = places[0].ticks
        return max(1, places.partitionPoint { $0.ticks.since(first) <= ticks }) - 1
    }

    /// The contents of the tables of fragments from one place to another, which boxes fill; nil where they do not.
    func tables(of numbers: Range<Int>) throws(MediaError) -> [Range<Int>]? {
        let end = numbers.upperBound < places.count ? places[numbers.upperBound].offset : end
        var place = places[numbers.lowerBound].offset
        // Most of what lies between is going to be read.
        if end - place <= Self.tail { bytes.willRead(place..<end) }
        var tables: [Range<Int>] = []
        var count = 0
        while place < end {
            let head = try bytes.bytes(min(16, end - place), at: place, cancellation: cancellation)
            guard let box = ISOBoxHeader(head, room: end - place), box.length <= end - place,
                count < Self.mostBoxes
            else { return nil }
            guard Self.passed.contains(box.kind) else { return nil }
            if box.kind == Self.name("moof") {
                tables.append(place + box.headerSize..<place + box.length)
            }
            place += box.length
            count += 1
        }
        return place == end && !tables.isEmpty ? tables : nil
    }

    private static let passed = Set([
        name("moof"), name("mdat"), name("styp"), name("sidx"), name("emsg"), name("prft"),
        name("free"), name("skip"),
    ])
}

/// Some fragments that an index lists.
struct FragmentParts: Sendable {
    let index: FragmentIndex
    /// The numbers of their places.
    var numbers: Range<Int>
}

extension BoxContent {
    /// The number of four or eight bytes at an offset; nil where it is beyond any file.
    fileprivate func number(_ offset: Int, isWide: Bool) -> Int? {
        guard isWide else { return Int(number(offset)) }
        let high = Int(number(offset))
        return high < 1 << 28 ? high << 32 | Int(number(offset + 4)) : nil
    }
}
