internal import LazyMedia

/// A movie behind the first one of a file.
struct FollowingMovie {
    /// The offset of its first box.
    let start: Int
    /// The tracks of its header.
    let tracks: [MovieTrack]
    /// Whether fragments list its samples.
    let isFragmented: Bool
}

/// Counts the samples that a movie's tables declare, before FFmpeg allocates memory for them.
///
/// A table of equal samples is a size and a count (ISO/IEC 14496-12, 8.7.3.2), and a `trun` may be a
/// count alone (8.8.8): a few bytes declare millions of samples, and each costs FFmpeg some 40 bytes.
/// Real samples have bytes in the file. Reads 16 bytes per box, and no farther than requested.
struct MovieTables {
    private let bytes: any ByteSource
    private let limits: DecodingLimits
    private var window: HeaderWindow
    private var opening: OpeningTime
    private var boxes = 0
    private var tracks = 0
    private var fragments = 0
    // The current track.
    private var samples = 0
    private var edits = 0
    private var videoSamples = 0
    private var audioSamples = 0
    private var isAudio = false
    private var isInTrack = false
    private var isMovieSeen = false
    private var isFragmentSeen = false
    // The top-level box before the current one.
    private var lastType = (name: "", position: 0)
    /// The end of the usable bytes: before a fragment's tables that have not arrived completely.
    private(set) var end: Int?
    /// Ends a read once it is set.
    var cancellation: CancellationFlag {
        get { window.cancellation }
        set { window.cancellation = newValue }
    }
    /// The offset of the first top-level box that was not read.
    private(set) var position = 0
    /// The tracks of the movie, without those of its fragments.
    private(set) var listed: [MovieTrack] = []
    /// The movies that follow in the file.
    private(set) var followers: [FollowingMovie] = []
    /// The ticks per second of the movie, in which its edits are; 0 before its header.
    private(set) var timescale = 0
    /// Whether samples may be listed elsewhere than in the tables of the tracks.
    private(set) var isFragmented = false
    /// Where the contents of fragments' tables are, in order.
    private(set) var fragmentTables: [Range<Int>] = []
    /// The end of the first fragment with its samples; nil where these do not follow its tables.
    private(set) var firstFragmentEnd: Int?
    /// The contents of indexes before the first fragment.
    private(set) var segmentIndexes: [Range<Int>] = []
    /// Whether fragments of the movies that follow count from the start of their own file, not from their tables.
    private(set) var haveFileOffsets = false
    /// What the header says of samples in fragments, by the numbers of their tracks.
    private(set) var fragmentDefaults: [Int: FragmentDefaults] = [:]
    /// Whether a box, of samples or of tables, ends behind the file.
    private(set) var isCut = false
    /// The ranges of the samples, in order; small ones may be missing.
    private(set) var media: [Range<Int>] = []

    /// Makes tables before anything is read.
    init(_ bytes: any ByteSource, _ limits: DecodingLimits) {
        self.bytes = bytes
        self.limits = limits
        window = HeaderWindow(bytes)
        opening = limits.opening
    }

    /// Reads all top-level boxes that begin before `wanted`.
    ///
    /// Throws `.malformed` if more samples are declared than the file can contain, and
    /// `.limitExceeded` for more frames than the limits allow.
    mutating func advance(to wanted: Int) throws(MediaError) {
        let count = bytes.count
        opening = limits.opening
        while position < wanted {
            guard position + 8 <= count, let box = try box(at: position, end: count) else {
                // FFmpeg stops reading at anything that is no box, too.
                position = .max
                return
            }
            if bytes.isPartial {
                if box.isCut, box.type == "moof", isFragmentSeen {
                    (end, position) = (position, .max)
                    return
                }
                try requireComplete(box)
            }
            if box.isCut, ["mdat", "moof", "moov"].contains(box.type) { isCut = true }
            if box.type == "mdat" {
                if box.end - box.content >= Self.leastSkippedSize {
                    media.append(box.content..<box.end)
                }
                if fragmentTables.count == 1, firstFragmentEnd == nil { firstFragmentEnd = box.end }
            }
            announce(box)
            if box.type == "moov", !listed.isEmpty {
                try follow(box)
            } else {
                try enter(box, depth: 0)
            }
            lastType = (box.type, position)
            position = box.end
        }
    }

    /// Reads the header of another movie, without what it says of the first one.
    private mutating func follow(_ box: Box) throws(MediaError) {
        let (tracks, defaults, scale) = (listed, fragmentDefaults, timescale)
        let wasFragmented = isFragmented
        listed = []
        try enter(box, depth: 0)
        let start = lastType.name == "ftyp" ? lastType.position : position
        followers.append(FollowingMovie(start: start, tracks: listed, isFragmented: isFragmented))
        (listed, fragmentDefaults, timescale) = (tracks, defaults, scale)
        isFragmented = wasFragmented
    }

    /// FFmpeg reads all of the tables, which most files have after large samples if not before.
    private func announce(_ box: Box) {
        if box.type == "moov" { bytes.willRead(box.content..<box.end) }
        let rest = bytes.count - box.end
        if box.type == "mdat", listed.isEmpty, !isFragmentSeen, !bytes.isPartial,
            rest > 0, rest <= (box.end - box.content) / Self.leastRatio
        {
            bytes.willRead(box.end..<bytes.count)
        }
    }

    /// Samples take at least so many times the bytes of their tables.
    private static let leastRatio = 8
    private static let leastSkippedSize = 512

    private static let containers: Set<String> = [
        "moov", "trak", "mdia", "minf", "stbl", "moof", "traf", "edts", "mvex", "mfra", "udta",
    ]

    /// The tables of a file that is still arriving can be checked only once they are complete.
    private mutating func requireComplete(_ box: Box) throws(MediaError) {
        if box.type == "moov" { isMovieSeen = true }
        if box.type == "moof" { isFragmentSeen = true }
        let isTable = ["moov", "moof", "ftyp", "meta"].contains(box.type)
        if box.isCut && isTable || box.type == "mdat" && !isMovieSeen {
            throw MediaError(.truncated, "The tables of the movie have not arrived yet.")
        }
    }

    private mutating func enter(_ box: Box, depth: Int) throws(MediaError) {
        try countBox(box)
        if ["moof", "mvex"].contains(box.type) { isFragmented = true }
        if box.type == "moof" { fragmentTables.append(box.content..<box.end) }
        guard Self.containers.contains(box.type) || box.type == "meta" && depth > 0 else {
            return try look(at: box)
        }
        if box.type == "trak" {
            (samples, edits) = (0, 0)
            listed.append(MovieTrack())
            isInTrack = true
        }
        var position = box.content
        // ISO's box has a version before its children, QuickTime's has none.
        if box.type == "meta", try number(at: box.content + 4) != 0x6864_6C72 { position += 4 }
        while depth < 8, position + 8 <= box.end,
            let inner = try self.box(at: position, end: box.end)
        {
            try enter(inner, depth: depth + 1)
            position = inner.end
        }
        if box.type == "trak" {
            try checkEdits()
            let count = samples
            change { $0.sampleCount = count }
            isInTrack = false
        }
    }

    /// Hostile files have many boxes without content; real ones have content.
    private mutating func countBox(_ box: Box) throws(MediaError) {
        boxes += 1
        switch box.type {
        case "trak":
            tracks += 1
            try limits.check(tracks: tracks)
        case "moof": try countFragments(1)
        default: break
        }
        guard boxes & 0xFF == 0 else { return }
        try opening.check()
        guard boxes <= 100_000 + bytes.count / 256 else {
            throw MediaError(
                .malformed, "The file has \(boxes) boxes and more, most of them empty.")
        }
    }

    /// FFmpeg lists all samples for each edit that shows them.
    private func checkEdits() throws(MediaError) {
        let (entries, isTooMany) = samples.multipliedReportingOverflow(by: max(1, edits))
        try limits.check(entries: isTooMany ? .max : entries)
    }

    /// FFmpeg keeps an entry for each pair of fragment and track.
    private mutating func countFragments(_ count: Int) throws(MediaError) {
        fragments += count
        try limits.check(entries: fragments * max(1, tracks) / 2)
    }

    private mutating func look(at box: Box) throws(MediaError) {
        change { $0.add(box.type, box.content..<box.end) }
        switch box.type {
        // QuickTime has a second handler for the location of the data ("dhlr", "alis").
        case "hdlr" where try number(at: box.content + 4) != 0x6468_6C72:
            let handler = try number(at: box.content + 8)
            isAudio = handler == 0x736F_756E
            change { $0.didFind(handler: handler) }
        // Without a common size each sample has its own entry, which must be in the file.
        case "stsz" where try number(at: box.content + 4) != 0:
            try count(Int(try number(at: box.content + 8)))
        case "stsz", "stz2":
            let entries = Int(try number(at: box.content + 8))
            try countListed(min(entries, (box.end - box.content) * 2))
        case "tkhd":
            let isWide = try number(at: box.content) >> 24 == 1
            let id = Int(try number(at: box.content + (isWide ? 20 : 12)))
            change { $0.id = id }
        case "mvhd":
            let isWide = try number(at: box.content) >> 24 == 1
            timescale = Int(try number(at: box.content + (isWide ? 20 : 12)))
        // Groups of samples may be keyframes, too: random access points.
        case "sbgp" where [0x7261_7020, 0x7379_6E63].contains(try number(at: box.content + 4)):
            change { $0.isUnusual = true }
        case "elst": edits += min(Int(try number(at: box.content + 4)), box.end - box.content)
        case "trex" where box.end - box.content >= 24:
            let track = Int(try number(at: box.content + 4))
            fragmentDefaults[track] = FragmentDefaults(
                duration: try number(at: box.content + 12),
                size: try number(at: box.content + 16), flags: try number(at: box.content + 20))
        case "tfhd" where !followers.isEmpty:
            if try number(at: box.content) & 1 == 1 { haveFileOffsets = true }
        case "sidx":
            if fragmentTables.isEmpty { segmentIndexes.append(box.content..<box.end) }
            let isWide = try number(at: box.content) >> 24 != 0
            let place = box.content + (isWide ? 28 : 20) + 2
            try countFragments(Int(try number(at: place) >> 16))
        case "tfra": try countFragments(Int(try number(at: box.content + 12)))
        // FFmpeg searches this list once for each of its entries.
        case "keys": try refuseLongList(Int(try number(at: box.content + 4)))
        case "trun": try count(Int(try number(at: box.content + 4)))
        default: break
        }
    }

    // Changes the track that is being read.
    private mutating func change(_ body: (inout MovieTrack) -> Void) {
        if isInTrack, !listed.isEmpty { body(&listed[listed.count - 1]) }
    }

    private mutating func count(_ samples: Int) throws(MediaError) {
        if isAudio { audioSamples += samples } else { videoSamples += samples }
        // Old QuickTime counts audio samples before compression: up to six per byte.
        guard videoSamples <= bytes.count, audioSamples <= bytes.count * 8 else {
            throw MediaError(.malformed, "The file declares more samples than it has bytes for.")
        }
        try countListed(samples)
    }

    private mutating func countListed(_ samples: Int) throws(MediaError) {
        self.samples += samples
        if !isAudio { try limits.check(entries: self.samples) }
    }

    private func refuseLongList(_ count: Int) throws(MediaError) {
        guard count > 10_000 else { return }
        throw MediaError(.malformed, "The file has \(count) keys of metadata.")
    }

    private struct Box {
        let type: String
        let content: Int
        let end: Int
        let isCut: Bool
    }

    private mutating func box(at position: Int, end: Int) throws(MediaError) -> Box? {
        let head = Array(try window.read(at: position, count: 16))
        guard let box = ISOBoxHeader(head, room: end - position) else { return nil }
        let isCut = box.length > end - position
        return Box(
            type: String(decoding: head[4..<8], as: UTF8.self), content: position + box.headerSize,
            end: isCut ? end : position + box.length, isCut: isCut)
    }

    private mutating func number(at position: Int) throws(MediaError) -> UInt32 {
        UInt32(truncatingIfNeeded: try window.number(at: position, count: 4))
    }
}
