package import LazyBase
package import LazyMedia

/// Decides what of a body without a known length answers a use, and when.
///
/// Such a body may end soon, as a chunked response or a pipe from a file does, or never, as a camera does. It is
/// waited for until it ends. It counts as unending once its first pictures are there and nothing more has come for a
/// while, or, in a container that is broadcast, once it has gone on for some seconds as slowly as what is watched
/// while it is made. What needs no more than the first pictures of a film does not wait for either.
package struct ArrivingOpening: Sendable {
    /// What media is opened for.
    package enum Use: Sendable {
        /// Its description.
        case facts
        /// One picture.
        case poster(PosterChoice)
        /// All frames in their order.
        case playing
    }
    /// What there is of a body.
    package enum Opened: Sendable {
        /// All of it: it has ended.
        case whole(Blob)
        /// Its first bytes, which have what is wanted.
        case part(Blob, MediaType)
        /// A film that goes on, and is read as it arrives.
        case playing(MediaType)
        /// No film, of which nothing can be played before its end.
        case other
    }

    /// The containers of what is broadcast, which begin anywhere and have no end.
    private static let broadcast: Set<MediaType> = [
        .mpegTS, .mpegPS, .flv, .matroska, .webm, .ogg, .mjpeg, .h264, .hevc, .mpegVideo,
        .mpeg4Video, .y4m, .nut, .ivf, .av1,
    ]
    /// Nothing has come for this long, in such a container and in others.
    private static let pauses = (broadcast: Duration.seconds(1), other: Duration.seconds(5))
    /// It goes on for this long, with fewer bytes a second.
    private static let patience = Duration.seconds(3), rate = 4_000_000.0
    /// How long to wait for bytes before the time is looked at.
    private static let step = Duration.milliseconds(100)

    private let use: Use
    private let decoders: DecoderRegistry
    private let limits: DecodingLimits
    private let flag: CancellationFlag
    private let clock: any SteadyClock

    package init(
        for use: Use, decoders: DecoderRegistry, limits: DecodingLimits, flag: CancellationFlag,
        clock: any SteadyClock = SystemSteadyClock()
    ) {
        self.use = use
        self.decoders = decoders
        self.limits = limits
        self.flag = flag
        self.clock = clock
    }

    /// Waits for the end, or for what is wanted; blocks.
    package func open(_ bytes: StreamedBytes) throws(MediaError) -> Opened {
        var progress = Progress(clock.now)
        while true {
            try flag.check()
            let (received, isEnded) = try bytes.wait(beyond: progress.count, for: Self.step)
            if isEnded { return .whole(bytes.present) }
            progress.didReceive(received, at: clock.now)
            // A pipe from a file ends before that.
            guard received > 0, progress.time >= Self.step, progress.isWorthALook,
                let type = try? decoders.type(of: BlobBytes(bytes.present)), type != .unknown
            else { continue }
            if case .playing = use, type.family != .video { return .other }
            let isUnending = isUnending(progress, type)
            guard isUnending || use.mayAnswerBefore && type.family == .video,
                try isThere(bytes.present, type, isUnending)
            else {
                progress.didLook()
                continue
            }
            guard case .playing = use else { return .part(bytes.present, type) }
            bytes.settle()
            return .playing(type)
        }
    }

    /// What came of a body, and when.
    private struct Progress {
        private(set) var count = 0
        private var begin: Duration
        private var last: Duration
        private var now: Duration
        private var nextLook = 1

        init(_ now: Duration) { (begin, last, self.now) = (now, now, now) }

        mutating func didReceive(_ count: Int, at now: Duration) {
            if self.count == 0 { begin = now }
            if count > self.count { last = now }
            (self.count, self.now) = (count, now)
        }

        /// The time since the first byte, and since the last one.
        var time: Duration { now - begin }
        var pause: Duration { now - last }

        /// Looking reads everything: the next time waits for a quarter more, or for a pause.
        var isWorthALook: Bool { count >= nextLook || pause >= ArrivingOpening.pauses.broadcast }

        mutating func didLook() {
            nextLook = count + max(4096, count / 4)
        }
    }

    private func isUnending(_ progress: Progress, _ type: MediaType) -> Bool {
        guard Self.broadcast.contains(type) else { return progress.pause >= Self.pauses.other }
        return progress.pause >= Self.pauses.broadcast
            || progress.time >= Self.patience
                && Double(progress.count) < Self.rate * (progress.time / .seconds(1))
    }

    /// Whether the first picture is there, and what is wanted.
    private func isThere(
        _ part: Blob, _ type: MediaType, _ isUnending: Bool
    ) throws(MediaError) -> Bool {
        guard type.family == .video || type.family == .animation,
            let media = try? decoders.open(
                BlobBytes(partial: part), as: type, limits: limits, cancellation: flag),
            let reader = try? media.makeReader(
                ReaderOptions(limits: limits, isSingleFrame: true)),
            (try? reader.nextFrame()) != nil
        else { return false }
        return try suffices(media, isUnending)
    }

    private func suffices(
        _ media: any OpenedMedia, _ isUnending: Bool
    ) throws(MediaError) -> Bool {
        switch use {
        case .playing, .poster(.first): return true
        case .poster(.chapter(let number)):
            guard let chapter = try? media.info.chapter(number) else { return isUnending }
            return try reaches(chapter.start, media)
        case .facts, .poster(.auto), .poster(.within), .poster(.embedded): return isUnending
        case .poster(.index(let number)) where number >= 0:
            return (try? media.frameIndex(flag))?.count ?? 0 > number + 1
        case .poster(.at(let time)):
            return try reaches(time, media)
        case .poster(.percent), .poster(.index):
            guard isUnending else { return false }
            throw MediaError(
                .unending,
                "The stream goes on, so nothing can be counted from its end: name a time, a number or 'first'."
            )
        }
    }

    private func reaches(_ time: Duration, _ media: any OpenedMedia) throws(MediaError) -> Bool {
        let last = (try? media.frameIndex(flag))?.timings.last
        return last.map { $0.presentation.duration > time } ?? false
    }

    /// Opens the first bytes of a body.
    package func media(
        _ part: Blob, _ type: MediaType
    ) throws(MediaError) -> any OpenedMedia {
        ArrivedPart(
            base: try decoders.open(
                BlobBytes(partial: part), as: type, limits: limits, cancellation: flag))
    }

    /// Opens a body that goes on.
    package func media(
        _ bytes: StreamedBytes, _ type: MediaType
    ) throws(MediaError) -> any OpenedMedia {
        ArrivedPart(
            base: try decoders.open(bytes, as: type, limits: limits, cancellation: flag))
    }
}

/// Media of a stream that goes on: neither its length nor its number of frames is known.
private struct ArrivedPart: MappedMedia {
    let base: any OpenedMedia

    var info: MediaInfo {
        var info = base.info
        (info.frameCount, info.duration, info.bitRate) = (nil, nil, nil)
        info.isTruncated = false
        info.warnings.removeAll { $0.code == .truncated }
        info.warnings.append(
            MediaWarning(
                .note, "This is a stream without a known length; what has arrived of it was read."))
        return info
    }
}

extension ArrivingOpening.Use {
    /// Whether the first pictures may be enough before it is known that the stream goes on.
    fileprivate var mayAnswerBefore: Bool {
        switch self {
        case .playing, .poster(.first), .poster(.at): true
        case .poster(.index(let number)): number >= 0
        case .facts, .poster: false
        }
    }
}

extension MediaError.Code {
    /// The end of a stream is not known, and what is wanted is counted from there.
    package static let unending = MediaError.Code(rawValue: "unending")
}
