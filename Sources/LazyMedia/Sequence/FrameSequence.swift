/// A looping, silent sequence of frames with a poster: the form of GIF, video and stills.
///
/// Holds the encoded bytes and decodes on demand, so memory does not grow with the number of
/// frames. Sendable and cheap to copy; any number of readers may work at once. Times count from where the presentation
/// begins, as in players: with the first picture or the first sound (see <doc:Timing>).
///
/// ```swift
/// let clip = try FrameSequence(path: "clip.mp4")
/// for try await frame in clip.frames() {
///     print(frame.index, frame.presentationTime, frame.bitmap.size)
/// }
/// ```
public struct FrameSequence: Sendable {
    package let media: any OpenedMedia
    let readers: IdleReaders
    let pool: BlockingPool
    /// The most that each reader may cost.
    public let limits: DecodingLimits
    /// The rule for very short delays.
    public let delayRule: DelayRule

    /// Makes a sequence of opened media; see `DecoderRegistry.open`.
    public init(
        _ media: any OpenedMedia, limits: DecodingLimits = .web, delayRule: DelayRule = .browsers,
        pool: BlockingPool = .shared
    ) {
        self.media = media
        self.limits = limits
        self.delayRule = delayRule
        self.pool = pool
        readers = IdleReaders()
    }

    /// What the header says; see `detailedInfo()` for what must be counted.
    public var info: MediaInfo { media.info }

    /// The timing of every frame; for video this reads the whole container once.
    public func frameIndex() async throws(MediaError) -> FrameIndex {
        let media = self.media
        return try await cancellable { (flag) throws(MediaError) in try media.frameIndex(flag) }
    }

    /// The frames by what the container says; decodes nothing.
    ///
    /// Those of damaged video may be others. Readers of single frames verify their times, and count by decoding where
    /// one is not there: from then on this is `frameIndex()`.
    package func containerIndex() async throws(MediaError) -> FrameIndex {
        let media = self.media
        return try await cancellable { (flag) throws(MediaError) in
            try media.containerIndex(flag)
        }
    }

    /// The description with frame count and duration, counted where the header does not say.
    ///
    /// This counts the container's packets and decodes nothing. `frameIndex()` is exact even for damaged
    /// video.
    public func detailedInfo() async throws(MediaError) -> MediaInfo {
        let known = media.info
        guard !known.isMeasured else { return known }
        let media = self.media
        let index = try await cancellable { (flag) throws(MediaError) in
            try media.containerIndex(flag)
        }
        // What counting has found out beside the frames.
        var info = media.info
        info.count(index)
        return info
    }

    /// Makes a reader for synchronous use.
    ///
    /// Its methods block while they decode: keep them off the cooperative thread pool.
    public func makeReader(_ options: ReaderOptions) throws(MediaError) -> any FrameReader {
        try media.makeReader(options)
    }

    /// The frames in order, decoded on demand, at most `lookAhead` of them in advance.
    ///
    /// With a `lookAhead` of 0 decoding and consuming alternate, which saves the memory of one or two
    /// frames. Each iteration has its own reader. Ending the iteration or cancelling its task ends the
    /// decoding within one packet; a cancelled iteration throws `.cancelled`. With `planes`, frames
    /// also carry the codec's planes, where the source has them.
    public func frames(
        looping: Looping = .times(1), size: TargetSize? = nil, lookAhead: Int = 2, threads: Int = 1,
        planes: Bool = false
    ) -> Frames {
        let plays = looping.plays(info.loop)
        let size = size.map(decodedSize)
        return Frames {
            let flag = CancellationFlag()
            var options = options(size: size, threads: threads, cancellation: flag)
            options.planes = planes
            let wanted = options
            let cycle = ReaderCycle(plays: plays) { () throws(MediaError) in
                try makeReader(wanted)
            }
            let depth = limits.lookAhead(lookAhead, of: size ?? info.size)
            return FramePump(cycle, depth: depth, pool: pool, cancellation: flag)
        }
    }

    /// The frame shown at a time within one play; clamped to the first and last frame.
    ///
    /// Exact: the same frame and pixels as in a sequential read. Decodes from the preceding keyframe on.
    public func frame(
        at time: Duration, size: TargetSize? = nil
    ) async throws(MediaError) -> Frame {
        try await readFrame(size) { (reader) throws(MediaError) in
            try reader.seek(toTime: time)
        }.frame
    }

    /// The frame of a number from 0; throws `.notFound` beyond the last one.
    ///
    /// Exact: identical to the i-th frame of a sequential read, after any order of seeks.
    public func frame(
        _ index: Int, size: TargetSize? = nil
    ) async throws(MediaError) -> Frame {
        try await frameWithWarnings(index, size: size).frame
    }

    /// The same, with what the reader has found of damage.
    func frameWithWarnings(
        _ index: Int, size: TargetSize?
    ) async throws(MediaError) -> (frame: Frame, warnings: [MediaWarning]) {
        try await readFrame(size) { (reader) throws(MediaError) in
            try reader.seek(toIndex: index)
        }
    }

    /// The size that frames are decoded at to fit a target.
    public func decodedSize(_ target: TargetSize) -> PixelSize { target.scaledSize(of: info.size) }

    func options(
        size: PixelSize?, threads: Int = 1, cancellation: CancellationFlag
    ) -> ReaderOptions {
        ReaderOptions(
            size: size, limits: limits, delayRule: delayRule, threads: threads,
            cancellation: cancellation)
    }

    /// The container's own picture, whose aspect ratio may differ from that of the frames.
    func embeddedPoster(size: TargetSize?) async throws(MediaError) -> Bitmap? {
        let media = self.media
        return try await cancellable { (flag) throws(MediaError) in
            let whole = try media.embeddedPoster(options(size: nil, cancellation: flag))
            guard let whole, let size else { return whole }
            return try whole.scaled(to: size.scaledSize(of: whole.size))
        }
    }

    private func readFrame(
        _ size: TargetSize?,
        _ seek: @escaping @Sendable (any FrameReader) throws(MediaError) -> Void
    ) async throws(MediaError) -> (frame: Frame, warnings: [MediaWarning]) {
        let size = size.map(decodedSize)
        if let lease = readers.take(size) {
            do throws(MediaError) {
                return try await readFrame(with: lease, seek)
            } catch  where error.code == .limitExceeded {
                // The kept reader has spent its budget on earlier calls; a new reader has its own.
            }
        }
        return try await readFrame(with: IdleReaders.Lease(size: size), seek)
    }

    private func readFrame(
        with lease: IdleReaders.Lease,
        _ seek: @escaping @Sendable (any FrameReader) throws(MediaError) -> Void
    ) async throws(MediaError) -> (frame: Frame, warnings: [MediaWarning]) {
        let media = self.media
        let (frame, warnings) = try await cancellable(lease.cancellation) {
            (flag) throws(MediaError) in
            let reader = try lease.reader { () throws(MediaError) in
                try media.makeReader(options(size: lease.size, cancellation: flag))
            }
            try seek(reader)
            let frame = try reader.nextFrame()
            return (frame, reader.warnings)
        }
        readers.release(lease)
        guard let frame else {
            throw MediaError(.notFound, "The sequence has no frame of that number.")
        }
        return (frame, warnings)
    }

    /// Runs blocking work on the pool; cancelling the task sets the flag that the work checks.
    package func cancellable<Result: Sendable>(
        _ flag: CancellationFlag = CancellationFlag(),
        _ work: @escaping @Sendable (CancellationFlag) throws(MediaError) -> Result
    ) async throws(MediaError) -> Result {
        let outcome = await withTaskCancellationHandler {
            () async -> Swift.Result<Result, MediaError> in
            do throws(MediaError) {
                return .success(try await pool.run { () throws(MediaError) in try work(flag) })
            } catch {
                return .failure(error)
            }
        } onCancel: {
            flag.cancel()
        }
        return try outcome.get()
    }
}
