package import LazyMedia

/// Reads AVIF pictures and sequences with libavif.
///
/// Declines where the library is missing.
package struct AVIFDecoder: MediaDecoding {
    /// Makes the decoder.
    package init() {}

    package let name = "libavif"

    /// Whether the bytes are an AVIF, of one picture or of many.
    package func canOpen(_ type: MediaType) -> Bool { type == .avif || type == .avifSequence }

    package var loadsLibrary: Bool { true }

    /// Throws where libavif is missing.
    package func requireSupport(of type: MediaType) throws(MediaError) {
        _ = try AVIFLibrary.load()
    }

    /// Reads the boxes; no pixel is decoded.
    ///
    /// Throws `.truncated`, `.malformed`, `.limitExceeded`, `.unsupported` and what reading bytes
    /// throws.
    package func open(
        _ bytes: any ByteSource, type: MediaType, limits: DecodingLimits
    ) throws(MediaError) -> any OpenedMedia {
        try OpenedAVIF(bytes, type: type, limits: limits)
    }
}

/// An AVIF whose boxes have been read.
struct OpenedAVIF: OpenedMedia {
    let bytes: any ByteSource
    let shape: AVIFShape
    private(set) var info: MediaInfo
    /// The light of the content, which libavif does not tell.
    let tables: AVIFTables
    /// The words that libavif gets in place of those of the file.
    let replaced: [ReplacedWord]
    private let durations: [MediaTime]
    private let keyframes: [Bool]

    init(_ bytes: any ByteSource, type: MediaType, limits: DecodingLimits) throws(MediaError) {
        tables = try AVIFTables.check(bytes, limits)
        let movie = type == .avifSequence ? try AVIFTrack.movie(of: bytes) : nil
        let track = movie.flatMap { AVIFTrack.first(in: $0.file, $0.movie) }
        let (handle, replaced) = try Self.handle(bytes, movie, track, tables.replaced, limits)
        self.replaced = replaced
        guard let shape = handle.shape() else {
            throw MediaError(.malformed, "The AVIF has no usable size.")
        }
        try limits.check(canvas: shape.coded)
        try limits.check(entries: handle.frameCount)
        try limits.check(memory: handle.decodedBytes)
        self.bytes = bytes
        self.shape = shape
        let count = handle.frameCount
        var loop = LoopCount.still
        if count > 1 {
            loop = track?.loop ?? LoopCount(raw: nil, plays: nil)
            durations = Self.durations(handle, track)
        } else {
            durations = [.zero]
        }
        keyframes = (0..<count).map { handle.isKeyframe($0) }
        let index = FrameIndex(Self.timings(durations, keyframes, .browsers))
        info = MediaInfo(
            type: type, codec: "av1", size: shape.shown, frameCount: count,
            duration: index.duration, loop: loop, hasAlpha: handle.hasAlpha,
            rotation: shape.orientation.quarterTurns * 90, isMirrored: shape.orientation.isMirrored,
            isTruncated: tables.isCut, warnings: tables.isCut ? [Self.cutWarning] : [],
            streams: [
                StreamInfo(
                    index: 0, kind: .video, codec: "av1", codedSize: shape.coded, isChosen: true)
            ])
        info.color = handle.color(tables)
        info.bitDepth = handle.bitDepth
        info.pixelFormat = handle.pixelFormat
        info.hdrFormat = info.color.hdrFormat
    }

    private static let cutWarning = MediaWarning(
        .truncated, "The AVIF ends before the data of its last picture.")

    /// Opens a decoder, with a single run of durations where our track has those of all frames.
    private static func handle(
        _ bytes: any ByteSource, _ movie: (file: [UInt8], movie: ISOBox, offset: Int)?,
        _ track: AVIFTrack?, _ items: [ReplacedWord], _ limits: DecodingLimits
    ) throws(MediaError) -> (AVIFDecoderHandle, [ReplacedWord]) {
        func handle(_ replaced: [ReplacedWord]) throws(MediaError) -> AVIFDecoderHandle {
            try AVIFDecoderHandle(
                bytes, replacing: replaced, limits: limits, threads: 1,
                cancellation: CancellationFlag())
        }
        guard let (file, movie, offset) = movie else { return (try handle(items), items) }
        let tracks =
            items + AVIFTrack.hidingOtherTracks(in: file, movie).map { $0.moved(by: offset) }
        let runs = AVIFTrack.joiningRuns(in: file, movie).map { $0.moved(by: offset) }
        if let track, !runs.isEmpty {
            let handle = try handle(tracks + runs)
            if handle.frameCount == track.frameCount { return (handle, tracks + runs) }
        }
        return (try handle(tracks), tracks)
    }

    func frameIndex(_ cancellation: CancellationFlag) -> FrameIndex {
        FrameIndex(timings(.browsers))
    }

    func makeReader(_ options: ReaderOptions) throws(MediaError) -> any FrameReader {
        try AVIFReader(self, options)
    }

    /// When each frame is shown, by a rule for short delays.
    func timings(_ rule: DelayRule) -> [FrameTiming] { Self.timings(durations, keyframes, rule) }

    private static func durations(_ handle: AVIFDecoderHandle, _ track: AVIFTrack?) -> [MediaTime] {
        let count = handle.frameCount
        if let track, track.frameCount == count {
            let base = Rational(1, Int64(track.timescale))
            return track.runs.flatMap { run in
                Array(repeating: MediaTime(ticks: Int64(run.ticks), base: base), count: run.count)
            }
        }
        let base = Rational(1, Int64(clamping: max(1, handle.timescale)))
        // Each call takes time proportional to the index, so only the first frames of an unreadable
        // table are asked for.
        return (0..<count).map {
            MediaTime(ticks: $0 < 2000 ? Int64(clamping: handle.ticks(of: $0)) : 0, base: base)
        }
    }

    private static func timings(
        _ durations: [MediaTime], _ keyframes: [Bool], _ rule: DelayRule
    ) -> [FrameTiming] {
        guard durations.count > 1 else { return [.still] }
        // A tenth of a second is a whole number of ticks in ten times the timescale.
        let base = Rational(1, durations[0].base.denominator * 10)
        return FrameTiming.sequence(durations, base: base, rule) { keyframes[$0] }
    }
}
