internal import CFFmpeg
internal import LazyMedia

/// Returns the frames of a video in order, from any position.
///
/// Holds one decoded picture back, because a frame's exact duration is the time to the next one. Each value below
/// keeps one kind of state, and changes by its own methods only.
final class VideoFrameReader: FrameReader {
    let media: OpenedVideo
    let options: ReaderOptions
    let pictures: PictureSource
    var position = ReadingPosition()
    var times: FrameTimes
    var fields: Deinterlacing
    var announced = AnnouncedFrames()
    private var sizes = CodedSizes()
    private var budget: DecodingBudget
    private let output: FrameOutput
    private let size: PixelSize
    // The last returned picture, in a reader of single frames.
    private var last: (picture: Picture, timing: FrameTiming)?
    // Why the last seek failed; the reader then has no position.
    private(set) var failedSeek: MediaError?

    init(_ media: OpenedVideo, _ options: ReaderOptions) throws(MediaError) {
        self.media = media
        self.options = options
        let info = media.info
        if case .sRGB = options.color, let dolby = media.stream.colors.dolbyVision,
            dolby.isOnlyDolby
        {
            throw dolby.refusal
        }
        size = options.size ?? info.size
        try options.limits.check(canvas: size)
        budget = DecodingBudget(options.limits)
        fields = Deinterlacing(media.stream, info, options)
        times = FrameTimes(from: media.stream.zero, countsAll: !options.keyframesOnly)
        output = FrameOutput(media.stream, options, size: size)
        pictures = try media.makePictures(
            threads: options.isSingleFrame ? 1 : options.threads,
            canvas: FrameOutput.byteCount(size, options, depth: info.bitDepth)
                * (options.isSingleFrame ? 1 : 2),
            isSingleFrame: options.isSingleFrame, options.cancellation)
        pictures.selection.endsAtDamage = media.isPartial
        pictures.selection.isQuick = options.isQuick
        if options.keyframesOnly, media.stream.container.isTimed {
            pictures.selection.discard = AVDISCARD_NONKEY
        }
    }

    var warnings: [MediaWarning] {
        var findings = pictures.findings
        var warnings: [MediaWarning] = []
        if media.stream.isStill, let damage = stillDamage {
            warnings.append(damage)
            findings.corruptCount = 0
        }
        warnings += findings.warnings.filter {
            $0 != .clockJump || !media.header.warnings.contains($0)
        }
        if let change = sizes.warning { warnings.append(change) }
        return warnings
    }

    private var stillDamage: MediaWarning? {
        guard pictures.damage.count > 0 else { return nil }
        let line = pictures.damage.firstLine
        return MediaWarning(
            .corruptPackets, "The picture is damaged\(line.isEmpty ? "" : ": \(line)").")
    }

    func nextFrame(
        where isWanted: (FrameTiming) -> Bool
    ) throws(MediaError) -> (timing: FrameTiming, frame: Frame?)? {
        if let failedSeek { throw failedSeek }
        guard !position.isAtEnd else { return nil }
        return try timed { () throws(MediaError) in try decodeFrame(where: isWanted) }
    }

    func seek(toIndex index: Int) throws(MediaError) {
        times.willSeek()
        do throws(MediaError) {
            try timed { () throws(MediaError) in try go(to: max(0, index)) }
            failedSeek = nil
        } catch {
            failedSeek = error
            throw error
        }
    }

    func seek(toTime time: Duration) throws(MediaError) {
        times.willSeek()
        let start = ContinuousClock.now
        if try seekByCues(to: time) {
            failedSeek = nil
            return try budget.spend(time: .now - start)
        }
        let packets = try packetIndex()
        guard let number = packets.number(at: time, media.stream.timeBase) else { return }
        try seek(toIndex: number)
    }

    func lastFrame(at size: PixelSize) throws(MediaError) -> Frame? {
        // Keyframes decoded in isolation may differ from those of a sequential read.
        guard let last, !options.keyframesOnly, !options.isQuick else { return nil }
        try options.limits.check(canvas: size)
        return try output.frame(last.picture, last.timing, at: size)
    }

    /// Charges the budget with the time that some work takes.
    private func timed<Result>(
        _ work: () throws(MediaError) -> Result
    ) throws(MediaError) -> Result {
        let start = ContinuousClock.now
        let result = try work()
        try budget.spend(time: .now - start)
        return result
    }

    // MARK: - Sequential reading

    private func decodeFrame(
        where isWanted: (FrameTiming) -> Bool
    ) throws(MediaError) -> (timing: FrameTiming, frame: Frame?)? {
        try startInIsolation()
        guard let picture = try announcedPicture() else {
            position.end()
            if position.number == 0 { throw noFrame }
            return nil
        }
        position.hold(picture)
        let indexed = indexedLength
        let following = options.isSingleFrame || indexed != nil ? nil : try takePicture()
        // Decoding costs the whole size, whatever the size of the frame.
        try budget.spend(frame: media.header.size)
        let timing = try timing(picture, following, indexed)
        let after = options.isSingleFrame ? try pictureAfter(picture) : following
        var frame: Frame?
        if following == nil || isWanted(timing) {
            let shown = try deinterlaced(picture, before: after)
            frame = try output.frame(shown, timing)
            if options.isSingleFrame { last = (shown, timing) }
        }
        times.didRead(timing, picture)
        position.advance(keeping: fields.hasFields ? picture : nil, next: after)
        didReturnAnnounced()
        if following == nil, indexed == nil, !options.isSingleFrame {
            position.end()
            if let sum = times.sum {
                media.didRead(sum, pictures.findings)
            }
        }
        return (timing, frame)
    }

    func heldPicture() throws(MediaError) -> Picture? {
        if let held = position.held { return held }
        // What follows a keyframe that was decoded in isolation needs that keyframe again.
        if pictures.isExhausted, !options.keyframesOnly {
            try go(to: position.number)
            if let held = position.held { return held }
        }
        return try takePicture()
    }

    func takePicture() throws(MediaError) -> Picture? {
        while let picture = try pictures.next(), try isSettled(picture) {
            try note(picture)
            if picture.isKey || !countsOthers { return picture }
        }
        return nil
    }

    /// Whether the pictures between keyframes are decoded too, because only counting tells times.
    private var countsOthers: Bool { options.keyframesOnly && !media.stream.container.isTimed }

    /// Remembers the time and the size of a picture that was decoded.
    func note(_ picture: Picture) throws(MediaError) {
        if times.first == nil { times.begin(at: try firstTicks(picture)) }
        if let coded = picture.size { try sizes.add(coded, options.limits) }
    }

    /// A reader of keyframes alone may not see the first frame.
    private func firstTicks(_ picture: Picture) throws(MediaError) -> Int64 {
        guard options.keyframesOnly else { return picture.ticks }
        return try packetIndex().frames.first?.ticks ?? picture.ticks
    }

    /// For a single picture an estimate is enough: its time is verified, and its number matters little.
    func packetIndex() throws(MediaError) -> PacketIndex {
        try (pictures.source as? Demuxer)?.leaveParts()
        return try media.packetIndex(
            options.cancellation, acceptsEstimate: options.isSingleFrame,
            unread: pictures.packetNumber == 0 ? pictures.source as? Demuxer : nil)
    }

    private var noFrame: MediaError {
        if media.isPartial { return MediaError(.truncated, "The first frame has not arrived yet.") }
        return pictures.damage.firstFault
            ?? MediaError(.truncated, "The file holds no frame of its video.")
    }
}
