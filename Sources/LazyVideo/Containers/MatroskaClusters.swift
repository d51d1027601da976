internal import LazyMedia

/// With which keyframes the clusters of a Matroska file begin, and where these lie: what cues would tell.
///
/// Goes from cluster to cluster by their sizes, for about a microsecond each. Nothing between the ends of the file is
/// passed over, so that a second recording behind the first is seen.
struct MatroskaClusters {
    /// A keyframe with which the pictures of a cluster begin.
    struct Key: Sendable {
        /// The offset of the cluster.
        let position: Int
        /// When it is shown, in ticks of the file.
        let ticks: Int64
    }

    /// The keyframes, in ascending order; at least one.
    var keys: [Key] = []
    let heads: MatroskaHeads
    let end: Int
    /// The nanoseconds of a tick, and the number of the one track of pictures.
    private(set) var (scale, track) = (1_000_000, 0)

    /// Walks nothing yet.
    init(_ bytes: any ByteSource, track: Int = 0, _ cancellation: CancellationFlag) {
        heads = MatroskaHeads(bytes, cancellation)
        end = bytes.count
        self.track = track
    }

    /// Walks the clusters of a file whose pictures have these ticks.
    ///
    /// Nil where it is not one recording of one film that is complete, or where a cluster does not say how large it is.
    init?(
        _ bytes: any ByteSource, base: Rational, _ limits: DecodingLimits,
        _ cancellation: CancellationFlag
    ) throws(MediaError) {
        self.init(bytes, cancellation)
        guard let segment = try MatroskaSegment(bytes), case let end = segment.end ?? bytes.count,
            segment.size == nil || segment.end == bytes.count
        else { return nil }
        let opening = limits.opening
        var (place, last, count) = (segment.content, Int64.min, 0)
        while place < end {
            guard let element = try element(at: place), element.content.upperBound <= end else {
                return nil
            }
            if element.name == Name.cluster {
                guard let time = try begin(of: element, at: place), time >= last else {
                    return nil
                }
                last = time
            } else if try !pass(element) {
                return nil
            }
            place = element.content.upperBound
            count += 1
            guard count & 0xFFF == 0 else { continue }
            try cancellation.check()
            try opening.check()
            try limits.check(entries: count)
        }
        guard place == end, !keys.isEmpty, isCounted(in: base) else { return nil }
    }

    /// Whether ticks of the file are those of a stream.
    func isCounted(in base: Rational) -> Bool {
        base == Rational(Int64(scale), 1_000_000_000).reduced
    }

    /// Reads what is no cluster; false for another recording, or what FFmpeg may read in another way.
    mutating func pass(_ element: Element) throws(MediaError) -> Bool {
        switch element.name {
        case Name.info: scale = try scale(in: element.content)
        case Name.tracks: return try readTrack(element.content)
        default: return Name.passed.contains(element.name)
        }
        return true
    }

    enum Name {
        static let cluster: UInt64 = 0x1F43_B675, info: UInt64 = 0x1549_A966
        static let tracks: UInt64 = 0x1654_AE6B, track: UInt64 = 0xAE
        static let trackNumber: UInt64 = 0xD7, trackType: UInt64 = 0x83
        static let scale: UInt64 = 0x2A_D7B1, time: UInt64 = 0xE7, sum: UInt64 = 0xBF
        static let simpleBlock: UInt64 = 0xA3, group: UInt64 = 0xA0
        /// TrackNumber, TrackType, CodecID, CodecPrivate, ContentEncodings.
        static let identifying: Set<UInt64> = [0xD7, 0x83, 0x86, 0x63A2, 0x6D80]
        /// Timestamp, CRC-32, Position, PrevSize, SilentTracks, SimpleBlock, BlockGroup, EncryptedBlock, Void.
        static let inside: Set<UInt64> = [
            0xE7, 0xBF, 0xA7, 0xAB, 0x5854, 0xA3, 0xA0, 0xAF, 0xEC,
        ]
        /// EBML, Segment, Info, Tracks, Cluster: what a file and its parts begin with.
        static let outer: Set<UInt64> = [
            0x1A45_DFA3, 0x1853_8067, 0x1549_A966, 0x1654_AE6B, 0x1F43_B675,
        ]
        /// SeekHead, Cues, Chapters, Tags, Attachments, and space.
        static let passed: Set<UInt64> = [
            0x114D_9B74, 0x1C53_BB6B, 0x1043_A770, 0x1254_C367, 0x1941_A469, 0xEC,
        ]
    }

    typealias Element = (name: UInt64, content: Range<Int>)

    /// The element at an offset; nil where its size is not known.
    func element(at place: Int) throws(MediaError) -> Element? {
        guard let name = try heads.number(at: place), name.count <= 4,
            let size = try heads.number(at: place + name.count), !size.isUnknown
        else { return nil }
        let start = place + name.count + size.count
        guard size.value <= UInt64(max(0, end - start)) else { return nil }
        return (name.marked, start..<start + Int(size.value))
    }

    // MARK: - The header

    private func number(_ content: Range<Int>) throws(MediaError) -> Int {
        guard content.count <= 7 else { return 0 }
        return try heads.bytes(content.count, at: content.lowerBound).reduce(0) {
            $0 << 8 | Int($1)
        }
    }

    func each(
        in content: Range<Int>, _ body: (Element) throws(MediaError) -> Void
    ) throws(MediaError) {
        var place = content.lowerBound
        while place < content.upperBound, let element = try element(at: place) {
            try body(element)
            place = element.content.upperBound
        }
    }

    /// The nanoseconds of a tick by the general part of a file.
    func scale(in info: Range<Int>) throws(MediaError) -> Int {
        var found = 1_000_000
        try each(in: info) { (element) throws(MediaError) in
            if element.name == Name.scale { found = try number(element.content) }
        }
        return max(1, found)
    }

    /// Finds the track of pictures; false where there is not exactly one.
    private mutating func readTrack(_ tracks: Range<Int>) throws(MediaError) -> Bool {
        var found: [Int] = []
        try each(in: tracks) { (entry) throws(MediaError) in
            guard entry.name == Name.track else { return }
            var (number, isVideo) = (0, false)
            try each(in: entry.content) { (element) throws(MediaError) in
                if element.name == Name.trackNumber { number = try self.number(element.content) }
                if element.name == Name.trackType {
                    isVideo = try self.number(element.content) == 1
                }
            }
            if isVideo { found.append(number) }
        }
        track = found.first ?? 0
        return found.count == 1 && track > 0
    }

    // MARK: - Clusters

    /// As many blocks of sound are looked at before one of pictures.
    private static let mostBlocks = 32

    /// The time of a cluster, whose first picture is kept where it is a keyframe; nil where the time is not there.
    mutating func begin(of cluster: Element, at place: Int) throws(MediaError) -> Int64? {
        var next = cluster.content.lowerBound
        var first = try element(at: next)
        if let sum = first, sum.name == Name.sum { first = try element(at: sum.content.upperBound) }
        guard let first, first.name == Name.time,
            first.content.upperBound <= cluster.content.upperBound
        else { return nil }
        let time = Int64(try number(first.content))
        next = first.content.upperBound
        for _ in 0..<Self.mostBlocks where next < cluster.content.upperBound {
            guard let block = try element(at: next), block.name != Name.group else { break }
            next = block.content.upperBound
            guard block.name == Name.simpleBlock else { continue }
            let start = block.content.lowerBound
            guard let number = try heads.number(at: start),
                number.count + 3 <= block.content.count
            else { break }
            guard number.value == UInt64(track) else { continue }
            let rest = try Array(heads.bytes(3, at: start + number.count))
            guard rest.count == 3, rest[2] & 0x80 != 0 else { break }
            let offset = UInt16(rest[0]) << 8 | UInt16(rest[1])
            let ticks = time + Int64(Int16(bitPattern: offset))
            if ticks > keys.last?.ticks ?? .min { keys.append(Key(position: place, ticks: ticks)) }
            break
        }
        return time
    }
}
