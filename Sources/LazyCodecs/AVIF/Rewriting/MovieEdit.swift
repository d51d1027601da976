internal import LazyMedia

/// A change of a `moov` box: the number of plays and the frames' durations.
struct MovieEdit {
    /// The loop count, or nil to leave it.
    var loop: LoopCount?
    /// The frames' durations, or nil to leave them.
    var timing: MovieTiming?
    /// Whether creation and modification times become 0, which stands for "unknown".
    ///
    /// libavif writes the current time, so equal pictures would give different bytes.
    var clearsClockTimes = false

    /// The box with the change applied; offsets in it are unchanged.
    ///
    /// Throws `.notWritable` and `.malformed` with a sentence.
    func applied(to file: [UInt8], _ movie: ISOBox) throws(MediaError) -> [UInt8] {
        let tracks = movie.children(file).filter { $0.kind == ISOBox.kind("trak") }
        guard let header = movie.child("mvhd", in: file),
            let head = TimedHeader(file, header, kind: .movie), head.timescale > 0,
            let shown = tracks.lazy.compactMap({ AVIFTrack(file, $0, kind: "pict") }).first
        else { throw .unreadableMovie }
        let pictures = tracks.filter { Self.isPicture(file, $0) }
        if let timing {
            guard pictures.count == tracks.count else {
                throw MediaError(
                    .notWritable, "The AVIF has sound, which other delays would part from it.")
            }
            guard timing.ticks.count == shown.frameCount else { throw .unreadableMovie }
        }
        let scale = timing?.timescale ?? head.timescale
        let total = timing?.total ?? shown.total
        let product = Int128(total) * Int128(scale)
        let source = Int128(timing?.timescale ?? shown.timescale)
        // Rounded up, so that one play is not counted as two.
        let segment = UInt64(clamping: max(1, (product + source - 1) / source))
        let length = self.length(of: segment, shown.loop)
        var content: [UInt8] = []
        for box in movie.children(file) {
            if box.kind == header.kind, box.range == header.range {
                content += written(head, timescale: scale, duration: length)
            } else if pictures.contains(where: { $0.range == box.range }) {
                content += try track(file, box, segment: segment, length: length)
            } else {
                content += file[box.range]
            }
        }
        return ISOBox.make("moov", content)
    }

    /// The track's duration with all plays; all ones for forever.
    private func length(of segment: UInt64, _ authored: LoopCount) -> UInt64 {
        // Without an edit list there is one play.
        let count =
            if let loop { loop.plays.map { min(max(1, $0), AVIFRewriter.mostPlays) } } else {
                authored.raw == nil ? 1 : authored.plays
            }
        guard let count else { return .max }
        let (product, overflow) = segment.multipliedReportingOverflow(by: UInt64(count))
        return overflow ? .max : product
    }

    private func track(
        _ file: [UInt8], _ track: ISOBox, segment: UInt64, length: UInt64
    ) throws(MediaError) -> [UInt8] {
        guard let header = track.child("tkhd", in: file),
            let head = TimedHeader(file, header, kind: .track)
        else { throw .unreadableMovie }
        let old = track.child("edts", in: file)
        let edits = try edits(file, old, segment: segment, repeats: length != segment)
        var content: [UInt8] = []
        for box in track.children(file) {
            switch box.kind {
            case ISOBox.kind("tkhd"): content += written(head, timescale: 0, duration: length)
            case ISOBox.kind("edts"): break
            case ISOBox.kind("mdia"):
                content += edits
                content += try media(file, box)
            default: content += file[box.range]
            }
        }
        return ISOBox.make("trak", content)
    }

    /// The edit list: one entry for the whole, repeated or not.
    private func edits(
        _ file: [UInt8], _ old: ISOBox?, segment: UInt64, repeats: Bool
    ) throws(MediaError) -> [UInt8] {
        var start: UInt64 = 0
        if let list = old?.child("elst", in: file) {
            let count = file.bigEndian32(at: list.content.lowerBound + 4)
            guard count <= 1 else {
                throw MediaError(
                    .notWritable,
                    "The AVIF has an edit list of \(count) parts, which is kept as is.")
            }
            if count == 1 {
                let isWide = file.bigEndian32(at: list.content.lowerBound) >> 24 == 1
                start =
                    isWide
                    ? file.bigEndian64(at: list.content.lowerBound + 16)
                    : UInt64(file.bigEndian32(at: list.content.lowerBound + 12))
            }
        } else if loop == nil {
            return []
        }
        let entry =
            UInt32(1).bigEndianBytes + segment.bigEndianBytes + start.bigEndianBytes
            + UInt32(0x10000).bigEndianBytes
        return ISOBox.make(
            "edts", ISOBox.makeFull("elst", version: 1, flags: repeats ? 1 : 0, entry))
    }

    private func media(_ file: [UInt8], _ media: ISOBox) throws(MediaError) -> [UInt8] {
        guard let timing else { return Array(file[media.range]) }
        guard let header = media.child("mdhd", in: file),
            let head = TimedHeader(file, header, kind: .media),
            let table = media.child("minf", "stbl", in: file),
            let times = table.child("stts", in: file),
            AVIFTrack.frameCount(file, times) == timing.ticks.count
        else { throw .unreadableMovie }
        return Self.replacing(
            file, media,
            [
                (
                    header.range,
                    written(head, timescale: timing.timescale, duration: timing.total)
                ),
                (times.range, timing.box),
            ])
    }

    private func written(
        _ head: TimedHeader, timescale: UInt32, duration: UInt64
    ) -> [UInt8] {
        var head = head
        if clearsClockTimes { head.clearClockTimes() }
        return head.written(timescale: timescale, duration: duration)
    }

    /// A box with some inner boxes replaced and all lengths updated.
    static func replacing(
        _ file: [UInt8], _ box: ISOBox, _ changes: [(Range<Int>, [UInt8])]
    ) -> [UInt8] {
        if let change = changes.first(where: { $0.0 == box.range }) { return change.1 }
        guard changes.contains(where: { box.content.contains($0.0.lowerBound) }) else {
            return Array(file[box.range])
        }
        let content = box.children(file).flatMap { replacing(file, $0, changes) }
        return ISOBox.make(box.kind, content)
    }

    private static func isPicture(_ file: [UInt8], _ track: ISOBox) -> Bool {
        guard let handler = track.child("mdia", "hdlr", in: file) else { return false }
        let kinds = [ISOBox.kind("pict"), ISOBox.kind("auxv"), ISOBox.kind("vide")]
        return kinds.contains(file.bigEndian32(at: handler.content.lowerBound + 8))
    }
}

extension MediaError {
    static let unreadableMovie = MediaError(
        .malformed, "The AVIF's boxes of tracks cannot be understood.")
}

/// A header box with a duration: `mvhd`, `tkhd` or `mdhd` (ISO/IEC 14496-12, 8.2.2, 8.3.2, 8.4.2).
struct TimedHeader {
    enum Kind {
        case movie, track, media
    }

    let kind: Kind
    /// The timescale of movie and media headers.
    let timescale: UInt32
    private let name: UInt32
    private let flags: UInt32
    private var created: UInt64
    private var changed: UInt64
    /// A track's ID and the reserved bytes after it.
    private let number: [UInt8]
    private let rest: [UInt8]

    init?(_ file: [UInt8], _ box: ISOBox, kind: Kind) {
        self.kind = kind
        name = box.kind
        let start = box.content.lowerBound
        let isWide = file.bigEndian32(at: start) >> 24 == 1
        flags = file.bigEndian32(at: start) & 0xFF_FFFF
        let middle = kind == .track ? 8 : 4
        let end = start + (isWide ? 28 : 16) + middle
        guard end <= box.content.upperBound else { return nil }
        created = isWide ? file.bigEndian64(at: start + 4) : UInt64(file.bigEndian32(at: start + 4))
        changed =
            isWide ? file.bigEndian64(at: start + 12) : UInt64(file.bigEndian32(at: start + 8))
        let place = start + (isWide ? 20 : 12)
        timescale = kind == .track ? 0 : file.bigEndian32(at: place)
        number = Array(file[place..<(place + middle)])
        rest = Array(file[end..<box.content.upperBound])
    }

    /// Sets the times of creation and modification to 0.
    mutating func clearClockTimes() { (created, changed) = (0, 0) }

    /// The box with other times, in version 1 with 64-bit numbers.
    func written(timescale: UInt32, duration: UInt64) -> [UInt8] {
        let middle = kind == .track ? number : timescale.bigEndianBytes
        let content =
            (1 << 24 | flags).bigEndianBytes + created.bigEndianBytes + changed.bigEndianBytes
            + middle + duration.bigEndianBytes + rest
        return ISOBox.make(name, content)
    }
}
