import Glibc
internal import LazyBase
internal import LazyMedia

/// A movie's bytes, passed to FFmpeg only after `MovieTables` has checked them.
///
/// The variant with headers only returns zeros for the samples and fetches nothing there: all times,
/// sizes and keyframes of a movie are in its tables.
final class MovieBytes: RangedBytes {
    let bytes: any ByteSource
    private let hasOnlyHeaders: Bool
    let tables: Shared
    private let trim: TrimmedTables?
    /// The end of what FFmpeg opens; nil for all of it.
    let end: Int?

    /// The state of the check, shared by both variants.
    final class Shared: Sendable {
        let state: Locked<MovieTables>

        init(_ tables: MovieTables) { state = Locked(tables) }
    }

    /// Wraps a movie's bytes.
    convenience init(_ bytes: any ByteSource, _ limits: DecodingLimits) {
        self.init(bytes, hasOnlyHeaders: false, Shared(MovieTables(bytes, limits)))
    }

    init(
        _ bytes: any ByteSource, hasOnlyHeaders: Bool, _ tables: Shared,
        _ trim: TrimmedTables? = nil, to end: Int? = nil
    ) {
        self.bytes = bytes
        self.trim = trim
        self.end = end
        self.hasOnlyHeaders = hasOnlyHeaders
        self.tables = tables
    }

    /// The same movie without its samples.
    var headersOnly: MovieBytes { MovieBytes(bytes, hasOnlyHeaders: true, tables, trim) }

    /// The same movie with shortened tables; nil where nothing is to be gained.
    func trimmed(
        to extent: TrimmedTables.Extent, _ cancellation: CancellationFlag
    ) throws(MediaError) -> MovieBytes? {
        guard let tracks = try listedTracks(cancellation) else { return nil }
        let trim = try TrimmedTables(tracks, of: bytes, to: extent, cancellation)
        guard !trim.patches.isEmpty else { return nil }
        return MovieBytes(bytes, hasOnlyHeaders: false, tables, trim)
    }

    /// The samples of a track; nil where the tables do not list them plainly.
    func samples(
        ofTrack id: Int, _ cancellation: CancellationFlag
    ) throws(MediaError) -> SampleTable? {
        let tracks = try listedTracks(cancellation)?.filter { $0.id == id } ?? []
        guard let track = tracks.first, tracks.count == 1 else { return nil }
        return try SampleTable(track, of: bytes, cancellation)
    }

    /// When tracks begin in the presentation, by the empty edits before them; nil where the tables do not say so plainly.
    ///
    /// The rest of an edit list tells which part of a track is shown, and so what is not heard of a codec's delay.
    func starts(
        _ cancellation: CancellationFlag, of kind: (MovieTrack) -> Bool
    ) throws(MediaError) -> [MediaTime]? {
        guard let tracks = try listedTracks(cancellation)?.filter(kind), timescale > 0 else {
            return nil
        }
        var starts: [MediaTime] = []
        for track in tracks {
            var delay: Int64 = 0
            if let place = track.boxes[.elst] {
                let list = BoxContent(
                    try bytes.bytes(place.count, at: place.lowerBound, cancellation: cancellation))
                guard !track.isUnusual, let length = list.emptyLength else { return nil }
                delay = length
            }
            starts.append(MediaTime(ticks: delay, base: Rational(1, Int64(timescale))))
        }
        return starts
    }

    /// The ticks per second of the movie's edits; 0 before the tables have been read.
    var timescale: Int { tables.state.withLock { $0.timescale } }

    /// The tracks, if they list all samples.
    private func listedTracks(
        _ cancellation: CancellationFlag
    ) throws(MediaError) -> [MovieTrack]? {
        guard !isPartial else { return nil }
        while tables.state.withLock({ $0.listed.isEmpty && $0.position < count }) {
            try look(to: tables.state.withLock { $0.position } + 1, cancellation)
        }
        return tables.state.withLock { $0.isFragmented ? nil : $0.listed }
    }

    var count: Int { bytes.count }
    var isRemote: Bool { bytes.isRemote }
    var isPartial: Bool { bytes.isPartial }
    var fetchesRanges: Bool { bytes.hasReachableEnd }
    var arrived: Int? { bytes.arrived }

    func contiguous() throws(MediaError) -> MemoryBytes { try bytes.contiguous() }

    func willRead(_ range: Range<Int>) { bytes.willRead(range) }

    func cancelReads() { bytes.cancelReads() }

    func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(MediaError) -> Int {
        try read(at: offset, into: buffer, cancellation: CancellationFlag())
    }

    func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer, cancellation: CancellationFlag
    ) throws(MediaError) -> Int {
        guard offset >= 0, offset < count, let target = buffer.baseAddress else { return 0 }
        var end = offset + min(buffer.count, count - offset)
        try look(to: end, cancellation)
        if let limit = tables.state.withLock({ $0.end }), limit < end {
            guard limit > offset else { return 0 }
            end = limit
        }
        guard hasOnlyHeaders, let gap = gap(at: offset), gap.lowerBound < end else {
            return try readHeaders(
                at: offset, into: .init(start: target, count: end - offset), cancellation)
        }
        if gap.lowerBound > offset {
            return try readHeaders(
                at: offset, into: .init(start: target, count: gap.lowerBound - offset),
                cancellation)
        }
        let length = min(end, gap.upperBound) - offset
        memset(target, 0, length)
        return length
    }

    private func readHeaders(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer,
        _ cancellation: CancellationFlag
    ) throws(MediaError) -> Int {
        let length = try bytes.read(at: offset, into: buffer, cancellation: cancellation)
        trim?.apply(to: .init(rebasing: buffer[..<length]), at: offset)
        return length
    }

    /// Checks the boxes that begin before `end`.
    ///
    /// Not under the lock, because it reads: concurrent checks have the same result.
    func look(
        to end: Int, _ cancellation: CancellationFlag
    ) throws(MediaError) {
        let known = tables.state.withLock { $0.position < end ? $0 : nil }
        guard var tables = known else { return }
        tables.cancellation = cancellation
        try tables.advance(to: end)
        self.tables.state.withLock { [tables] state in
            if tables.position > state.position { state = tables }
        }
    }

    /// The first range of samples that ends after an offset.
    private func gap(at offset: Int) -> Range<Int>? {
        tables.state.withLock { state in
            let next = state.media.partitionPoint { $0.upperBound <= offset }
            return next < state.media.count ? state.media[next] : nil
        }
    }
}
