package import LazyMedia

/// Changes how often an AVIF sequence plays, and how fast, without touching a coded picture.
///
/// The loop is a repeating edit list and a track duration of that many plays, all ones for forever
/// (ISO/IEC 14496-12, 8.6.6), as in libavif 1 and browsers. Where `moov` grows, offsets after it
/// are moved.
package struct AVIFRewriter: MediaRewriting {
    /// Above these, libavif and `AVIFTrack` read a sequence that plays forever.
    static let mostPlays = Int(Int32.max)

    /// Makes a rewriter.
    package init() {}

    /// AVIF sequences.
    package var type: MediaType { .avifSequence }

    /// Copies a file with the change made; see `MediaRewriting`.
    package func rewrite(
        _ bytes: any ByteSource, _ change: TimingChange, limits: DecodingLimits,
        to write: ([UInt8]) throws(MediaError) -> Void
    ) throws(MediaError) {
        try limits.check(input: bytes)
        guard let found = try AVIFTrack.movie(of: bytes),
            let track = AVIFTrack.first(in: found.file, found.movie)
        else {
            throw MediaError(
                .notWritable, "The AVIF has no track of pictures, and a single picture has no loop."
            )
        }
        try limits.check(entries: track.frameCount)
        // A table of a few bytes can declare billions; libavif has this limit too.
        guard track.frameCount <= 1 << 22 else { throw .unreadableMovie }
        var edit = MovieEdit()
        edit.loop = change.loop
        _ = try change.loop?.number(upTo: Self.mostPlays, in: type.title)
        if let delays = change.delays { edit.timing = try Self.timing(track, delays) }
        try edit.write(bytes, found, to: write)
    }

    private static func timing(
        _ track: AVIFTrack, _ delays: TimingChange.Delays
    ) throws(MediaError) -> MovieTiming {
        let count = track.frameCount
        switch delays {
        case .each(let length):
            guard length >= .zero, length <= MediaTime.farthest else {
                throw MediaError(.notWritable, "A delay of \(length) cannot be written.")
            }
            return MovieTiming(Array(repeating: MediaTime(length), count: count))
        case .speed(let factor):
            guard factor > 0, factor.isFinite else {
                throw MediaError(.notWritable, "A speed is a number above 0.")
            }
            // Keeps ticks and scales the timescale where that is a whole number.
            let hundredths = Int64(saturating: factor * 10_000)
            guard hundredths > 0, hundredths <= 1 << 30 else {
                throw MediaError(.notWritable, "A speed of \(factor) cannot be written.")
            }
            let base = Rational(10_000, Int64(track.timescale) * hundredths)
            return MovieTiming(
                track.runs.flatMap { run in
                    Array(
                        repeating: MediaTime(ticks: Int64(run.ticks), base: base), count: run.count)
                })
        }
    }
}

extension MovieEdit {
    /// Copies a file with its `moov` box changed.
    func write(
        _ bytes: any ByteSource, _ found: (file: [UInt8], movie: ISOBox, offset: Int),
        to write: ([UInt8]) throws(MediaError) -> Void
    ) throws(MediaError) {
        var movie = try applied(to: found.file, found.movie)
        let end = found.offset + found.movie.range.count
        let distance = movie.count - found.movie.range.count
        try MovieOffsets.move(&movie, from: end, by: distance)
        var offset = 0
        while let head = try ISOBoxHeader(bytes, at: offset) {
            let boxEnd = offset + head.length
            switch head.kind {
            case ISOBox.kind("moof"), ISOBox.kind("mfra"), ISOBox.kind("sidx"):
                throw MediaError(
                    .notWritable, "The AVIF is in fragments, whose times are kept as is.")
            case ISOBox.kind("moov") where offset == found.offset: try write(movie)
            case ISOBox.kind("meta"):
                guard head.length <= 1 << 28 else { throw .unreadableMovie }
                var meta = try bytes.bytes(head.length, at: offset)
                try MovieOffsets.moveItems(&meta, from: end, by: distance)
                try write(meta)
            default: try bytes.copy(offset..<boxEnd, called: "AVIF", to: write)
            }
            offset = boxEnd
        }
        guard offset > found.offset else { throw .unreadableMovie }
        // Bytes after the last complete box stay as they are.
        try bytes.copy(offset..<bytes.count, called: "AVIF", to: write)
    }
}
