internal import CFFmpeg
internal import LazyMedia

/// Hands out the frames of a video one after the other, from any place.
///
/// Holds one decoded picture back, because a frame's true duration is the time to the next.
final class VideoFrameReader: FrameReader {
    let media: OpenedVideo
    let options: ReaderOptions
    let pictures: PictureSource
    private let converter: FrameConverter
    // The picture handed out last, of a reader of single frames.
    private var last: (picture: Picture, timing: FrameTiming)?
    private let planes: PlaneConverter?
    private let late: LateConverter
    private let size: PixelSize
    // What is decoded, however small it comes out: the budget pays for this.
    private let wholeSize: PixelSize
    private var budget: DecodingBudget
    private var held: Picture?
    private(set) var nextNumber = 0
    private var isAtEnd = false
    // The ticks of the first frame of all, once it is known.
    var origin: Int64?
    // Whether the number is only reckoned from the time.
    private var isReckoned = false
    // How long the frame before was shown, or nil after a jump.
    private var lastLength: Int64?
    // The times handed out since the first frame, or nil after a jump.
    private var times: TimesSum?
    // Why the last jump did not arrive; the reader then stands nowhere.
    private var failedJump: MediaError?
    private var codedSize: PixelSize?
    private var changesSize = false

    init(_ media: OpenedVideo, _ options: ReaderOptions) throws(MediaError) {
        self.media = media
        self.options = options
        let info = media.info
        wholeSize = info.size
        size = options.size ?? info.size
        try options.limits.check(canvas: size)
        budget = DecodingBudget(options.limits)
        converter = Self.makeConverter(media, to: size)
        planes =
            options.planes
            ? PlaneConverter(
                to: size, media.stream.orientation, guessesHD: info.type.family == .video) : nil
        late = LateConverter(size, guessesHD: info.type.family == .video)
        pictures = try media.makePictures(
            threads: options.isSingleFrame ? 1 : options.threads, options.cancellation)
        pictures.endsAtDamage = media.isPartial
        pictures.isQuick = options.isQuick
        if options.keyframesOnly { pictures.wanted = AVDISCARD_NONKEY } else { times = TimesSum() }
    }

    private static func makeConverter(_ media: OpenedVideo, to size: PixelSize) -> FrameConverter {
        FrameConverter(
            to: size, media.stream.orientation, guessesHD: media.info.type.family == .video,
            isAlwaysOpaque: media.stream.isAlwaysOpaque)
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

    func nextFrame() throws(MediaError) -> Frame? {
        if let failedJump { throw failedJump }
        guard !isAtEnd else { return nil }
        let clock = ContinuousClock()
        let start = clock.now
        let frame = try decodeFrame()
        try budget.spend(time: clock.now - start)
        return frame
    }

    func seek(toIndex index: Int) throws(MediaError) {
        let clock = ContinuousClock()
        let start = clock.now
        do throws(MediaError) {
            try go(to: max(0, index))
            try budget.spend(time: clock.now - start)
            failedJump = nil
        } catch {
            failedJump = error
            throw error
        }
    }

    func seek(toTime time: Duration) throws(MediaError) {
        let clock = ContinuousClock()
        let start = clock.now
        if try seekByCues(to: time) { return try budget.spend(time: clock.now - start) }
        let packets = try packetIndex()
        guard let number = packets.number(at: time, media.stream.timeBase) else { return }
        try seek(toIndex: number)
    }

    // MARK: - In sequence

    private func decodeFrame() throws(MediaError) -> Frame? {
        guard let picture = try heldPicture() else {
            isAtEnd = true
            return try nextNumber == 0 ? reportNoFrame() : nil
        }
        held = picture
        let following = options.isSingleFrame ? nil : try takePicture()
        try budget.spend(frame: wholeSize)
        let timing = try timing(picture, following)
        // The header need not have told the length, nor told it truly.
        try options.limits.check(
            duration: timing.presentation.duration + timing.duration.duration)
        let frame = try convert(picture, timing)
        if options.isSingleFrame { last = (picture, timing) }
        held = following
        times?.add(picture.ticks)
        nextNumber += 1
        if following == nil, !options.isSingleFrame {
            isAtEnd = true
            if let times {
                media.didRead(times, isDamaged: pictures.damagedCount > 0)
            }
        }
        return frame
    }

    /// Scaling is what costs: where planes are scaled, the bitmap is made of them; not before it is
    /// looked at.
    private func convert(
        _ picture: Picture, _ timing: FrameTiming
    ) throws(MediaError) -> Frame {
        guard let planes, let planar = try planes.planes(picture) else {
            return Frame(bitmap: try converter.bitmap(picture), timing: timing)
        }
        let bitmap =
            planes.isWhole(picture)
            ? try late.bitmap(planar, from: picture) : try planar.bitmap()
        return Frame(bitmap: bitmap, timing: timing, planes: planar)
    }

    func lastFrame(at size: PixelSize) throws(MediaError) -> Frame? {
        // Keyframes decoded for themselves may differ from those of a sequential reading.
        guard let last, !options.keyframesOnly, !options.isQuick else { return nil }
        try options.limits.check(canvas: size)
        let bitmap = try Self.makeConverter(media, to: size).bitmap(last.picture)
        return Frame(bitmap: bitmap, timing: last.timing)
    }

    private func heldPicture() throws(MediaError) -> Picture? {
        if let held { return held }
        // What comes after a keyframe that was decoded for itself needs that keyframe again.
        if pictures.isSpent, !options.keyframesOnly {
            try go(to: nextNumber)
            if let held { return held }
        }
        return try takePicture()
    }

    private func takePicture() throws(MediaError) -> Picture? {
        guard let picture = try pictures.next(), try isSettled(picture) else { return nil }
        if origin == nil { origin = try firstTicks(picture) }
        if let coded = picture.size {
            if let codedSize, codedSize != coded {
                changesSize = true
                try options.limits.check(canvas: coded)
            }
            codedSize = coded
        }
        return picture
    }

    /// A reader of keyframes alone may not see the first frame.
    private func firstTicks(_ picture: Picture) throws(MediaError) -> Int64 {
        guard options.keyframesOnly else { return picture.ticks }
        return try packetIndex().frames.first?.ticks ?? picture.ticks
    }

    private func timing(_ picture: Picture, _ next: Picture?) throws(MediaError) -> FrameTiming {
        let length: Int64
        var number = nextNumber
        if options.keyframesOnly, !isReckoned,
            let found = try packetIndex().number(at: picture.ticks)
        {
            // The next picture here is the next keyframe, which says nothing about this one's end.
            number = found
            length = try packetIndex().duration(found)
        } else if let next {
            length = next.ticks.since(picture.ticks)
        } else {
            length = try lastLength(picture)
        }
        lastLength = length
        let base = media.stream.timeBase
        return FrameTiming(
            index: number,
            presentation: MediaTime(
                ticks: picture.ticks.since(origin ?? picture.ticks), base: base),
            duration: MediaTime(ticks: length, base: base), isKeyframe: picture.isKey)
    }

    /// How long the last frame is shown: what its packet says, else as long as the one before.
    private func lastLength(_ picture: Picture) throws(MediaError) -> Int64 {
        if media.stream.isStill || options.isSingleFrame || picture.duration > 0 {
            return picture.duration
        }
        if let told = media.stream.told, told.count == nextNumber + 1, let origin {
            let rest = told.ticks.since(picture.ticks.since(origin))
            if rest > 0 { return rest }
        }
        if let lastLength { return lastLength }
        let packets = try packetIndex()
        return packets.frames.indices.contains(nextNumber) ? packets.duration(nextNumber) : 0
    }

    /// For one picture a guess will do: its time is verified, and its number matters little.
    func packetIndex() throws(MediaError) -> PacketIndex {
        try media.packetIndex(options.cancellation, isGuessEnough: options.isSingleFrame)
    }

    private func reportNoFrame() throws(MediaError) -> Frame? {
        if media.isPartial {
            throw MediaError(.truncated, "The first frame has not arrived yet.")
        }
        if let fault = pictures.firstFault { throw fault }
        throw MediaError(.truncated, "The file holds no frame of its video.")
    }

    // MARK: - Jumps

    private func go(to wanted: Int) throws(MediaError) {
        // Keyframes alone are counted otherwise than frames.
        let isKnownPlace =
            failedJump == nil && !isAtEnd && !options.keyframesOnly && !isReckoned
            && (!pictures.isSpent || held != nil)
        if wanted == nextNumber, isKnownPlace { return }
        (times, isReckoned) = (nil, false)
        if options.keyframesOnly { return try seekToKeyframe(wanted) }
        if wanted == 0 {
            if options.isSingleFrame, let entry = media.firstEntry, try stand(on: entry, number: 0)
            {
                origin = entry.pts
                return
            }
            return try restart()
        }
        // Close by, going on is cheaper than an index and a jump.
        if isKnownPlace, !pictures.isSpent, wanted > nextNumber, wanted - nextNumber <= 8 {
            if let packets = media.skippingIndex, canLeaveOut, wanted < packets.frames.count {
                return try jump(to: wanted, packets)
            }
            return try decodeForward(to: wanted)
        }
        let packets = try packetIndex()
        guard wanted < packets.frames.count else { return finish(at: packets.frames.count) }
        try jump(to: wanted, packets)
    }

    private func restart() throws(MediaError) {
        try pictures.restart()
        (held, nextNumber, isAtEnd, lastLength) = (nil, 0, false, nil)
    }

    private func finish(at count: Int) {
        (held, nextNumber, isAtEnd) = (nil, count, true)
    }

    /// Stands before a picture that has been found without an index.
    func stand(before picture: Picture, number: Int) {
        (times, failedJump, isReckoned) = (nil, nil, true)
        (held, nextNumber, isAtEnd, lastLength) = (picture, number, false, nil)
    }

    /// Whether pictures that nothing refers to may be left undecoded on the way.
    ///
    /// Not after damage, nor of interlaced pictures, where it would be verified at a high price.
    private var canLeaveOut: Bool {
        guard let held, pictures.damagedCount == 0 else { return false }
        return pictures.canSkipUnreferenced && !held.isInterlaced
    }

    private func decodeForward(to wanted: Int) throws(MediaError) {
        while nextNumber < wanted {
            guard try heldPicture() != nil else { return finish(at: nextNumber) }
            held = nil
            (nextNumber, lastLength) = (nextNumber + 1, nil)
        }
    }

    private func seekToKeyframe(_ wanted: Int) throws(MediaError) {
        let packets = try packetIndex()
        guard wanted < packets.frames.count else { return finish(at: packets.frames.count) }
        if options.isSingleFrame, try takeKeyframe(from: packets.frames[wanted].ticks, packets) {
            return
        }
        try restart()
        while let picture = try takePicture() {
            held = picture
            if picture.ticks >= packets.frames[wanted].ticks { return }
        }
        finish(at: packets.frames.count)
    }

    /// Goes to the first keyframe from a time on and reads nothing but that; false where it cannot.
    private func takeKeyframe(
        from ticks: Int64, _ packets: PacketIndex
    ) throws(MediaError) -> Bool {
        guard packets.isSeekable, media.stream.container.isSeekable,
            let entry = packets.keys.first(where: { $0.pts ?? .min >= ticks })
        else { return false }
        guard let picture = try pictures.only(entry), picture.ticks == entry.pts else {
            return false
        }
        origin = packets.frames.first?.ticks
        (held, isAtEnd, lastLength) = (picture, false, nil)
        return true
    }

    private func jump(to wanted: Int, _ packets: PacketIndex) throws(MediaError) {
        origin = packets.frames.first?.ticks
        if packets.isSeekable, try jumpAndVerify(to: wanted, packets) { return }
        if packets.isSketch {
            media.didFindSketchWrong()
            let packets = try packetIndex()
            guard wanted < packets.frames.count else { return finish(at: packets.frames.count) }
            return try jump(to: wanted, packets)
        }
        if packets.isExact || !packets.isSeekable {
            try restart()
            return try decodeForward(to: wanted)
        }
        // The packets promised other frames than the decoder gives: ask the decoder about all.
        let exact = try media.exactIndex(keys: packets.keys, options.cancellation)
        guard wanted < exact.frames.count else { return finish(at: exact.frames.count) }
        try jump(to: wanted, exact)
    }

    /// Decodes from a keyframe up to the wanted picture; false where it did not come out so.
    private func jumpAndVerify(to wanted: Int, _ packets: PacketIndex) throws(MediaError) -> Bool {
        let ticks = packets.frames[wanted].ticks
        guard let entry = try media.entry(for: ticks, packets) else { return false }
        let isAhead =
            failedJump == nil && !isAtEnd && !pictures.isSpent && wanted > nextNumber
            && pictures.packetNumber > entry.number
        if !isAhead {
            // For one frame at the beginning more threads only add latency; for a long way they pay.
            let distance = packets.number(at: entry.pts ?? ticks).map { wanted - $0 } ?? 0
            if options.isSingleFrame, distance > 16 {
                try pictures.renewDecoder(threads: options.threads)
            }
            if entry.pts == ticks, try stand(on: entry, number: wanted) { return true }
            try pictures.start(at: entry, canSeek: media.stream.container.isSeekable)
        }
        let damaged = pictures.damagedCount
        var candidate = isAhead ? held : nil
        held = nil
        while true {
            if candidate == nil { candidate = try pictures.next(skippingBefore: ticks) }
            guard let picture = candidate else { return false }
            guard picture.ticks < ticks else {
                guard picture.ticks == ticks, pictures.damagedCount == damaged,
                    packets.isExact || !picture.isInterlaced
                else { return false }
                held = picture
                (nextNumber, isAtEnd, lastLength) = (wanted, false, nil)
                return true
            }
            candidate = nil
        }
    }

    /// Decodes a keyframe for itself; false where it did not come out as it would in sequence.
    ///
    /// A decoder that reorders would else ask for the packets of several pictures behind it.
    private func stand(
        on entry: PacketIndex.Entry, number: Int
    ) throws(MediaError) -> Bool {
        guard options.isSingleFrame, media.stream.isReordering else { return false }
        let damaged = pictures.damagedCount
        held = nil
        guard let picture = try pictures.only(entry), picture.ticks == entry.pts,
            pictures.damagedCount == damaged, !picture.isInterlaced
        else { return false }
        held = picture
        (nextNumber, isAtEnd, lastLength) = (number, false, nil)
        return true
    }
}
