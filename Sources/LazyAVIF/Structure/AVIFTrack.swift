internal import LazyMedia

/// What a track of pictures says about time: its frames' lengths, and how often it repeats.
struct AVIFTrack {
    /// Ticks a second of the media.
    let timescale: UInt32
    /// Runs of frames of one length: how many, and how long.
    let runs: [(count: Int, ticks: UInt32)]
    /// How often it plays.
    let loop: LoopCount

    /// The number of frames.
    var frameCount: Int { runs.reduce(0) { $0 + $1.count } }

    /// The length of all frames, in ticks.
    var total: UInt64 { runs.reduce(0) { $0 &+ UInt64($1.count) &* UInt64($1.ticks) } }

    /// The number of frames that a `stts` box tells of.
    static func frameCount(_ file: [UInt8], _ times: ISOBox) -> Int {
        let count = Int(file.number32(at: times.content.lowerBound + 4))
        guard count <= (times.content.count - 8) / 8 else { return -1 }
        return (0..<count).reduce(0) {
            $0 + Int(file.number32(at: times.content.lowerBound + 8 + 8 * $1))
        }
    }

    /// The first track of pictures that are shown, or nil where there is none that can be read.
    static func first(in file: [UInt8], _ movie: ISOBox) -> AVIFTrack? {
        let tracks = movie.children(file).filter { $0.kind == ISOBox.kind("trak") }
        return tracks.lazy.compactMap { AVIFTrack(file, $0, kind: "pict") }.first
    }

    init?(_ file: [UInt8], _ track: ISOBox, kind: StaticString) {
        guard let media = track.child("mdia", file), let handler = media.child("hdlr", file),
            file.number32(at: handler.content.lowerBound + 8) == ISOBox.kind(kind),
            let header = media.child("mdhd", file),
            let table = media.child("minf", file)?.child("stbl", file),
            let times = table.child("stts", file)
        else { return nil }
        let isWide = file.number32(at: header.content.lowerBound) >> 24 == 1
        timescale = file.number32(at: header.content.lowerBound + (isWide ? 20 : 12))
        guard timescale > 0 else { return nil }
        let count = Int(file.number32(at: times.content.lowerBound + 4))
        guard count <= (times.content.count - 8) / 8 else { return nil }
        runs = (0..<count).map { i in
            let place = times.content.lowerBound + 8 + 8 * i
            return (Int(file.number32(at: place)), file.number32(at: place + 4))
        }
        loop = Self.loop(file, track)
    }

    /// Edit list and track header say how often it plays (ISO/IEC 14496-12, 8.6.6 and 8.3.2): an edit
    /// list that repeats fills the track's length, all ones being for ever; none is for ever too, as
    /// libavif 1 and Chromium have it.
    private static func loop(_ file: [UInt8], _ track: ISOBox) -> LoopCount {
        guard let list = track.child("edts", file)?.child("elst", file),
            let header = track.child("tkhd", file)
        else { return LoopCount(raw: nil, plays: nil) }
        let word = file.number32(at: list.content.lowerBound)
        guard word & 1 == 1, list.content.count >= 20 else { return LoopCount(raw: 0, plays: 1) }
        let segment =
            word >> 24 == 1
            ? file.number64(at: list.content.lowerBound + 8)
            : UInt64(file.number32(at: list.content.lowerBound + 8))
        let isWide = file.number32(at: header.content.lowerBound) >> 24 == 1
        let narrow = file.number32(at: header.content.lowerBound + 20)
        let length =
            isWide
            ? file.number64(at: header.content.lowerBound + 28)
            : narrow == .max ? .max : UInt64(narrow)
        guard length != .max, segment > 0 else { return LoopCount(raw: -1, plays: nil) }
        let plays = Int(clamping: length / segment + (length % segment > 0 ? 1 : 0))
        guard plays <= Int32.max else { return LoopCount(raw: -1, plays: nil) }
        return LoopCount(raw: max(1, plays) - 1, plays: max(1, plays))
    }
}

extension AVIFTrack {
    /// Where tracks that are no pictures say that they are tracks, from the beginning of `moov` on.
    static func otherTracks(in file: [UInt8], _ movie: ISOBox) -> [Int] {
        let pictures = [ISOBox.kind("pict"), ISOBox.kind("auxv"), ISOBox.kind("vide")]
        return movie.children(file).filter { $0.kind == ISOBox.kind("trak") }.compactMap { track in
            guard let handler = track.child("mdia", file)?.child("hdlr", file),
                !pictures.contains(file.number32(at: handler.content.lowerBound + 8))
            else { return nil }
            return track.range.lowerBound + 4
        }
    }

    /// Finds `moov` in a file and reads it; nil where there is none.
    ///
    /// The box stands at its offset in the result's own bytes, which begin with it.
    static func movie(
        of bytes: any ByteSource
    ) throws(MediaError) -> (file: [UInt8], movie: ISOBox, offset: Int)? {
        var offset = 0
        while let head = try TopBox(bytes, at: offset) {
            if head.kind == ISOBox.kind("moov") {
                guard head.length <= 1 << 28 else { return nil }
                let file = try bytes.bytes(at: offset, count: head.length)
                guard let movie = ISOBox.boxes(file, in: file.indices).first else { return nil }
                return (file, movie, offset)
            }
            offset += head.length
        }
        return nil
    }
}

/// The head of a box of the file itself.
struct TopBox {
    let kind: UInt32
    let length: Int
    /// Bytes of the head.
    let headCount: Int

    init?(_ bytes: any ByteSource, at offset: Int) throws(MediaError) {
        let head = try bytes.bytes(at: offset, count: min(16, bytes.count - offset))
        guard head.count >= 8 else { return nil }
        var length = Int(head.number32(at: 0))
        headCount = length == 1 ? 16 : 8
        if length == 1 { length = Int(clamping: head.number64(at: 8)) }
        if length == 0 { length = bytes.count - offset }
        guard length >= headCount, length <= bytes.count - offset else { return nil }
        kind = head.number32(at: 4)
        self.length = length
    }
}

extension ByteSource {
    /// Copies so many bytes from an offset on; fewer at the end.
    func bytes(at offset: Int, count: Int) throws(MediaError) -> [UInt8] {
        guard count > 0 else { return [] }
        var failure: MediaError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            do throws(MediaError) {
                while filled < count {
                    let rest = UnsafeMutableRawBufferPointer(
                        rebasing: UnsafeMutableRawBufferPointer(buffer)[filled..<count])
                    let got = try read(at: offset + filled, into: rest)
                    guard got > 0 else { break }
                    filled += got
                }
            } catch { failure = error }
        }
        if let failure { throw failure }
        return bytes
    }
}
