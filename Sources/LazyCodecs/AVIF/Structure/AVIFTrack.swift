internal import LazyMedia

/// The timing of a track of pictures: its frames' durations and its loop.
struct AVIFTrack {
    /// The media's timescale.
    let timescale: UInt32
    /// Runs of frames with equal durations.
    let runs: [(count: Int, ticks: UInt32)]
    /// How often it plays.
    let loop: LoopCount

    /// The number of frames.
    var frameCount: Int { runs.reduce(0) { $0 + $1.count } }

    /// The total duration in ticks.
    var total: UInt64 { runs.reduce(0) { $0 &+ UInt64($1.count) &* UInt64($1.ticks) } }

    /// The number of frames in a `stts` box.
    static func frameCount(_ file: [UInt8], _ times: ISOBox) -> Int {
        let count = Int(file.bigEndian32(at: times.content.lowerBound + 4))
        guard count <= (times.content.count - 8) / 8 else { return -1 }
        return (0..<count).reduce(0) {
            $0 + Int(file.bigEndian32(at: times.content.lowerBound + 8 + 8 * $1))
        }
    }

    /// The first readable track of shown pictures, or nil.
    static func first(in file: [UInt8], _ movie: ISOBox) -> AVIFTrack? {
        let tracks = movie.children(file).filter { $0.kind == ISOBox.kind("trak") }
        return tracks.lazy.compactMap { AVIFTrack(file, $0, kind: "pict") }.first
    }

    init?(_ file: [UInt8], _ track: ISOBox, kind: StaticString) {
        guard let media = track.child("mdia", in: file),
            let handler = media.child("hdlr", in: file),
            file.bigEndian32(at: handler.content.lowerBound + 8) == ISOBox.kind(kind),
            let header = media.child("mdhd", in: file),
            let table = media.child("minf", "stbl", in: file),
            let times = table.child("stts", in: file)
        else { return nil }
        let isWide = file.bigEndian32(at: header.content.lowerBound) >> 24 == 1
        timescale = file.bigEndian32(at: header.content.lowerBound + (isWide ? 20 : 12))
        guard timescale > 0 else { return nil }
        let count = Int(file.bigEndian32(at: times.content.lowerBound + 4))
        guard count <= (times.content.count - 8) / 8 else { return nil }
        runs = (0..<count).map { i in
            let place = times.content.lowerBound + 8 + 8 * i
            return (Int(file.bigEndian32(at: place)), file.bigEndian32(at: place + 4))
        }
        loop = Self.loop(file, track)
    }

    /// Edit list and track header say how often it plays (ISO/IEC 14496-12, 8.6.6 and 8.3.2): a
    /// repeating edit list fills the track's duration, all ones for forever; none means forever
    /// too, as in libavif 1 and Chromium.
    private static func loop(_ file: [UInt8], _ track: ISOBox) -> LoopCount {
        guard let list = track.child("edts", "elst", in: file),
            let header = track.child("tkhd", in: file)
        else { return LoopCount(raw: nil, plays: nil) }
        let word = file.bigEndian32(at: list.content.lowerBound)
        guard word & 1 == 1, list.content.count >= 20 else { return LoopCount(raw: 0, plays: 1) }
        let segment =
            word >> 24 == 1
            ? file.bigEndian64(at: list.content.lowerBound + 8)
            : UInt64(file.bigEndian32(at: list.content.lowerBound + 8))
        let isWide = file.bigEndian32(at: header.content.lowerBound) >> 24 == 1
        let narrow = file.bigEndian32(at: header.content.lowerBound + 20)
        let length =
            isWide
            ? file.bigEndian64(at: header.content.lowerBound + 28)
            : narrow == .max ? .max : UInt64(narrow)
        guard length != .max, segment > 0 else { return LoopCount(raw: -1, plays: nil) }
        let plays = Int(clamping: length / segment + (length % segment > 0 ? 1 : 0))
        guard plays <= AVIFRewriter.mostPlays else { return LoopCount(raw: -1, plays: nil) }
        return LoopCount(raw: max(1, plays) - 1, plays: max(1, plays))
    }
}

/// A word of four bytes that libavif gets in place of that of the file.
struct ReplacedWord {
    /// Its offset.
    let offset: Int
    /// Its value, stored in big-endian order.
    let word: UInt32

    /// The same word at an offset that is higher by a distance.
    func moved(by distance: Int) -> ReplacedWord {
        ReplacedWord(offset: offset + distance, word: word)
    }
}

extension AVIFTrack {
    /// What hides other tracks than pictures: their kinds in `moov`.
    ///
    /// libavif 0.11 takes a track of sound for a picture without a size.
    static func hidingOtherTracks(in file: [UInt8], _ movie: ISOBox) -> [ReplacedWord] {
        let pictures = [ISOBox.kind("pict"), ISOBox.kind("auxv"), ISOBox.kind("vide")]
        return movie.children(file).filter { $0.kind == ISOBox.kind("trak") }.compactMap { track in
            guard let handler = track.child("mdia", "hdlr", in: file),
                !pictures.contains(file.bigEndian32(at: handler.content.lowerBound + 8))
            else { return nil }
            return ReplacedWord(offset: track.range.lowerBound + 4, word: ISOBox.kind("free"))
        }
    }

    /// What leaves one run in each `stts` box of `moov`: its number of runs.
    ///
    /// For each frame libavif adds up the durations of all frames before it, and searches the runs for each of them.
    static func joiningRuns(in file: [UInt8], _ movie: ISOBox) -> [ReplacedWord] {
        movie.children(file).compactMap { track in
            guard let times = track.child("mdia", "minf", "stbl", "stts", in: file),
                case let place = times.content.lowerBound + 4, times.content.count >= 16,
                file.bigEndian32(at: place) > 1
            else { return nil }
            return ReplacedWord(offset: place, word: 1)
        }
    }

    /// Finds `moov` in a file and reads it; nil where there is none.
    ///
    /// The result's bytes begin with the box.
    static func movie(
        of bytes: any ByteSource
    ) throws(MediaError) -> (file: [UInt8], movie: ISOBox, offset: Int)? {
        var offset = 0
        while let head = try ISOBoxHeader(bytes, at: offset) {
            if head.kind == ISOBox.kind("moov") {
                guard head.length <= 1 << 28 else { return nil }
                let file = try bytes.bytes(head.length, at: offset)
                guard let movie = ISOBox.boxes(file, in: file.indices).first else { return nil }
                return (file, movie, offset)
            }
            offset += head.length
        }
        return nil
    }
}

extension ISOBoxHeader {
    /// Reads the head of a box of the file itself; nil where no whole box begins.
    init?(_ bytes: any ByteSource, at offset: Int) throws(MediaError) {
        let room = bytes.count - offset
        self.init(try bytes.bytes(min(16, room), at: offset), room: room)
        guard length <= room else { return nil }
    }
}
