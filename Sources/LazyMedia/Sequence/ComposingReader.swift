/// A reader that knows all its frames in advance and composes them by number.
package protocol ComposingReader: FrameReader {
    /// The position in the sequence.
    var cursor: FrameCursor { get set }

    /// What the samples of its pictures mean.
    var color: ColorDescription { get }

    /// The picture of a frame, or nil where damage ends the sequence before it.
    func picture(_ index: Int) throws(MediaError) -> Bitmap?

    /// Whether a frame has more than 8 bits a sample; asked where the options keep them.
    func isDeep(_ index: Int) -> Bool

    /// The picture of such a frame, or nil where damage ends the sequence before it.
    func deepPicture(_ index: Int) throws(MediaError) -> DeepBitmap?
}

extension ComposingReader {
    package var warnings: [MediaWarning] { cursor.warnings }

    /// sRGB.
    package var color: ColorDescription { .sRGB }

    /// No frame has.
    package func isDeep(_ index: Int) -> Bool { false }

    /// None: no frame is deep.
    package func deepPicture(_ index: Int) throws(MediaError) -> DeepBitmap? { nil }

    /// Every frame is composed, because only that shows damage.
    package func nextFrame(
        where isWanted: (FrameTiming) -> Bool
    ) throws(MediaError) -> (timing: FrameTiming, frame: Frame?)? {
        try cursor.options.cancellation.check()
        guard let index = cursor.begin(), let frame = try frame(index) else { return nil }
        try cursor.spendTime()
        cursor.position = index + 1
        return (frame.timing, frame)
    }

    private func frame(_ index: Int) throws(MediaError) -> Frame? {
        let timing = cursor.timings[index]
        if cursor.options.keepsDepth, isDeep(index) {
            guard let deep = try deepPicture(index) else { return nil }
            return try Frame(deep: deep, timing: timing, color: color)
        }
        return try picture(index).map { Frame(bitmap: $0, timing: timing, color: color) }
    }

    package func seek(toIndex index: Int) throws(MediaError) {
        cursor.position = min(max(0, index), cursor.end)
    }

    package func seek(toTime time: Duration) throws(MediaError) {
        cursor.position = min(FrameIndex(cursor.timings).frame(at: time) ?? 0, cursor.end)
    }
}

extension FrameTiming {
    /// The timing of a still: at zero, without a duration.
    package static let still = FrameTiming(
        index: 0, presentation: .zero, duration: .zero, isKeyframe: true)

    /// Timings of consecutive frames in a base.
    package static func sequence(
        _ delays: [MediaTime], base: Rational, _ rule: DelayRule, isKeyframe: (Int) -> Bool
    ) -> [FrameTiming] {
        var instant: Int64 = 0
        return delays.indices.map { index in
            let shown = rule.effective(delays[index])
            let ticks = shown.ticks(perSecond: base.denominator, .nearest)
            defer { instant = Int64(clamping: Int128(instant) + Int128(ticks)) }
            return FrameTiming(
                index: index, presentation: MediaTime(ticks: instant, base: base),
                duration: shown == delays[index] ? shown : MediaTime(ticks: ticks, base: base),
                rawDuration: delays[index], isKeyframe: isKeyframe(index))
        }
    }
}

extension ReaderOptions {
    /// A scaler for pictures of a size, or nil where no scaling is needed.
    package func scaler(from source: PixelSize) -> BitmapScaler? {
        size.flatMap { $0 == source ? nil : BitmapScaler(from: source, to: $0) }
    }
}
