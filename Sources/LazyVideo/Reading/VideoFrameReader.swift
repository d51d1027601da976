internal import CFFmpeg
internal import LazyMedia

/// Returns the frames of a video in order, from any position.
///
/// Holds one decoded picture back, because a frame's exact duration is the time to the next one.
final class VideoFrameReader: FrameReader {
    let media: OpenedVideo
    let options: ReaderOptions
    let pictures: PictureSource
    let output: PictureOutput
    let converter: FrameConverter
    // The last returned picture, in a reader of single frames.
    private(set) var last: (picture: Picture, timing: FrameTiming)?
    let planes: PlaneConverter?
    let deferred: DeferredConverter
    private let size: PixelSize
    // The decoded size, whatever the output size: the budget is charged for it.
    private let wholeSize: PixelSize
    private var budget: DecodingBudget
    // Nil where fields are left as they are.
    let deinterlacer: Deinterlacer?
    // The picture before the held one, kept for deinterlacing; nil where it is unknown.
    var previous: Picture?
    // Whether pictures of two fields are to be expected.
    var hasFields: Bool
    var held: Picture?
    var nextNumber = 0
    var isAtEnd = false
    // The ticks of the first frame, once known.
    var origin: Int64?
    // Whether the frame number is only estimated from the time.
    var isEstimated = false
    // The number of the previous frame, or nil after a seek.
    private var lastNumber: Int?
    // The previous frame's duration, or nil after a seek.
    var lastLength: Int64?
    // The times of all frames since the first, or nil after a seek.
    var times: TimesSum?
    // The frames that are going to be sought, while others may be left out.
    var announced: AnnouncedFrames?
    // Whether pictures were left out that may be wanted after all: then only a seek leads to the next.
    var hasGaps = false
    // Why the last seek failed; the reader then has no position.
    var failedSeek: MediaError?
    private var codedSize: PixelSize?
    private var changesSize = false

    init(_ media: OpenedVideo, _ options: ReaderOptions) throws(MediaError) {
        self.media = media
        self.options = options
        let info = media.info
        if case .sRGB = options.color, let dolby = media.stream.colors.dolbyVision,
            dolby.isOnlyDolby
        {
            throw dolby.refusal
        }
        wholeSize = info.size
        size = options.size ?? info.size
        try options.limits.check(canvas: size)
        budget = DecodingBudget(options.limits)
        deinterlacer = options.deinterlaces && !media.stream.isStill ? Deinterlacer() : nil
        hasFields = info.fieldOrder != .progressive
        output = PictureOutput(colors: media.stream.colors, output: options.color)
        converter = Self.makeConverter(media, output, to: size)
        planes =
            options.planes ? PlaneConverter(to: size, media.stream.orientation, output) : nil
        deferred = DeferredConverter(size, output)
        pictures = try media.makePictures(
            threads: options.isSingleFrame ? 1 : options.threads,
            canvas: Self.frameBytes(size, options, depth: info.bitDepth)
                * (options.isSingleFrame ? 1 : 2),
            isSingleFrame: options.isSingleFrame, options.cancellation)
        pictures.endsAtDamage = media.isPartial
        pictures.isQuick = options.isQuick
        if options.keyframesOnly { pictures.wanted = AVDISCARD_NONKEY } else { times = TimesSum() }
    }

    var warnings: [MediaWarning] {
        var warnings: [MediaWarning] = []
        if pictures.damagedCount > 0 {
            warnings.append(
                MediaWarning(
                    .corruptPackets,
                    "\(pictures.damagedCount) packets were damaged and were skipped or concealed."))
        }
        if let damage = pictures.containerDamage {
            warnings.append(
                MediaWarning(.malformed, "The file could not be read to its end: \(damage)."))
        }
        if changesSize {
            warnings.append(
                MediaWarning(.sizeChange, "The coded size changes; all frames come out at \(size).")
            )
        }
        return warnings
    }

    func nextFrame(
        where isWanted: (FrameTiming) -> Bool
    ) throws(MediaError) -> (timing: FrameTiming, frame: Frame?)? {
        if let failedSeek { throw failedSeek }
        guard !isAtEnd else { return nil }
        let clock = ContinuousClock()
        let start = clock.now
        let frame = try decodeFrame(where: isWanted)
        try budget.spend(time: clock.now - start)
        return frame
    }

    func seek(toIndex index: Int) throws(MediaError) {
        lastNumber = nil
        let clock = ContinuousClock()
        let start = clock.now
        do throws(MediaError) {
            try go(to: max(0, index))
            try budget.spend(time: clock.now - start)
            failedSeek = nil
        } catch {
            failedSeek = error
            throw error
        }
    }

    func seek(toTime time: Duration) throws(MediaError) {
        lastNumber = nil
        let clock = ContinuousClock()
        let start = clock.now
        if try seekByCues(to: time) { return try budget.spend(time: clock.now - start) }
        let packets = try packetIndex()
        guard let number = packets.number(at: time, media.stream.timeBase) else { return }
        try seek(toIndex: number)
    }

    // MARK: - Sequential reading

    private func decodeFrame(
        where isWanted: (FrameTiming) -> Bool
    ) throws(MediaError) -> (timing: FrameTiming, frame: Frame?)? {
        try startInIsolation()
        guard let picture = try announcedPicture() else {
            isAtEnd = true
            if nextNumber == 0 { throw noFrame }
            return nil
        }
        held = picture
        let indexed = indexedLength
        let following = options.isSingleFrame || indexed != nil ? nil : try takePicture()
        try budget.spend(frame: wholeSize)
        let timing = try timing(picture, following, indexed)
        let after = options.isSingleFrame ? try pictureAfter(picture) : following
        var frame: Frame?
        if following == nil || isWanted(timing) {
            let shown = try deinterlaced(picture, before: after)
            frame = try convert(shown, timing)
            if options.isSingleFrame { last = (shown, timing) }
        }
        lastNumber = timing.index
        previous = hasFields ? picture : nil
        held = after
        times?.add(picture.ticks)
        nextNumber += 1
        didReturnAnnounced()
        if following == nil, indexed == nil, !options.isSingleFrame {
            isAtEnd = true
            if let times {
                media.didRead(times, isDamaged: pictures.damagedCount > 0)
            }
        }
        return (timing, frame)
    }

    func heldPicture() throws(MediaError) -> Picture? {
        if let held { return held }
        // What follows a keyframe that was decoded in isolation needs that keyframe again.
        if pictures.isExhausted, !options.keyframesOnly {
            try go(to: nextNumber)
            if let held { return held }
        }
        return try takePicture()
    }

    func takePicture() throws(MediaError) -> Picture? {
        guard let picture = try pictures.next(), try isSettled(picture) else { return nil }
        try note(picture)
        return picture
    }

    /// Remembers the time and the size of a picture that was decoded.
    func note(_ picture: Picture) throws(MediaError) {
        if origin == nil { origin = try firstTicks(picture) }
        guard let coded = picture.size else { return }
        if let codedSize, codedSize != coded {
            changesSize = true
            try options.limits.check(canvas: coded)
        }
        codedSize = coded
    }

    /// A reader of keyframes alone may not see the first frame.
    private func firstTicks(_ picture: Picture) throws(MediaError) -> Int64 {
        guard options.keyframesOnly else { return picture.ticks }
        return try packetIndex().frames.first?.ticks ?? picture.ticks
    }

    private func timing(
        _ picture: Picture, _ next: Picture?, _ indexed: Int64?
    ) throws(MediaError) -> FrameTiming {
        let length: Int64
        var number = nextNumber
        if options.keyframesOnly, !isEstimated, let found = try keyframeNumber(picture) {
            // The next picture here is the next keyframe, which does not end this one.
            number = found
            length = try packetIndex().duration(found)
        } else if let indexed {
            length = indexed
        } else if let next {
            length = next.ticks.since(picture.ticks)
        } else {
            length = try lastLength(picture)
        }
        if let lastNumber { number = max(number, lastNumber + 1) }
        lastLength = length
        let base = media.stream.timeBase
        return FrameTiming(
            index: number,
            presentation: MediaTime(
                ticks: picture.ticks.since(origin ?? picture.ticks), base: base),
            duration: MediaTime(ticks: length, base: base), isKeyframe: picture.isKey)
    }

    /// The number of a keyframe among all frames, or nil.
    private func keyframeNumber(_ picture: Picture) throws(MediaError) -> Int? {
        let packets = try packetIndex()
        let least = lastNumber.map { $0 + 1 } ?? 0
        if let found = packets.number(at: picture.ticks), found >= least { return found }
        // Damaged times are not in order: then one after the other is looked at.
        return packets.frames.indices.dropFirst(least).first {
            packets.frames[$0].ticks == picture.ticks
        }
    }

    /// The last frame's duration: its packet's, else that of the frame before.
    private func lastLength(_ picture: Picture) throws(MediaError) -> Int64 {
        if media.stream.isStill || options.isSingleFrame || picture.duration > 0 {
            return picture.duration
        }
        if let declared = media.stream.declared, declared.count == nextNumber + 1, let origin {
            let rest = declared.ticks.since(picture.ticks.since(origin))
            if rest > 0 { return rest }
        }
        if let lastLength { return lastLength }
        let packets = try packetIndex()
        return packets.frames.indices.contains(nextNumber) ? packets.duration(nextNumber) : 0
    }

    /// For a single picture an estimate is enough: its time is verified, and its number matters little.
    func packetIndex() throws(MediaError) -> PacketIndex {
        try media.packetIndex(
            options.cancellation, acceptsEstimate: options.isSingleFrame,
            unread: pictures.packetNumber == 0 ? pictures.source as? Demuxer : nil)
    }

    private var noFrame: MediaError {
        if media.isPartial { return MediaError(.truncated, "The first frame has not arrived yet.") }
        return pictures.firstFault
            ?? MediaError(.truncated, "The file holds no frame of its video.")
    }
}
