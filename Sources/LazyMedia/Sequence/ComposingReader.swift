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

    package func nextFrame() throws(MediaError) -> Frame? {
        try cursor.options.cancellation.check()
        guard let index = cursor.begin(), let frame = try frame(index) else { return nil }
        try cursor.spendTime()
        cursor.position = index + 1
        return frame
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

/// A reader's position in a sequence of known timings, and what it has spent.
package struct FrameCursor: Sendable {
    package let options: ReaderOptions
    package let timings: [FrameTiming]
    /// The first frame that cannot be decoded, or the number of frames.
    package private(set) var end: Int
    /// Damage and irregularities found so far.
    package private(set) var warnings: [MediaWarning]
    /// The number of the next frame.
    fileprivate(set) var position = 0
    private var budget: DecodingBudget
    /// The start of the work that the budget is not yet charged for.
    private var began = ContinuousClock.now

    /// Starts before the first frame.
    package init(
        _ timings: [FrameTiming], _ options: ReaderOptions, warnings: [MediaWarning] = []
    ) {
        self.timings = timings
        self.options = options
        self.warnings = warnings
        end = timings.count
        budget = DecodingBudget(options.limits)
    }

    /// The next frame to decode, whose time starts now; nil at the end.
    fileprivate mutating func begin() -> Int? {
        while options.keyframesOnly, position < end, !timings[position].isKeyframe { position += 1 }
        began = .now
        return position < end ? position : nil
    }

    /// Spends one frame of a size; call it before the frame is decoded.
    package mutating func spend(frame size: PixelSize) throws(MediaError) {
        try budget.spend(frame: size)
    }

    /// Spends the time since the frame was begun, or since the last call.
    package mutating func spendTime() throws(MediaError) {
        let now = ContinuousClock.now
        try budget.spend(time: now - began)
        began = now
    }

    /// Adds a warning once.
    package mutating func warn(_ warning: MediaWarning) {
        if !warnings.contains(warning) { warnings.append(warning) }
    }

    /// Ends the sequence before a damaged frame, with a warning.
    ///
    /// Throws the error where there is no frame before it, and where the data is not at fault.
    package mutating func end(before index: Int, _ error: MediaError) throws(MediaError) {
        guard index > 0, error.code == .malformed || error.code == .truncated else { throw error }
        end(before: index)
        warn(MediaWarning(error.code == .truncated ? .truncated : .malformed, error.message))
    }

    /// Ends the sequence before a frame.
    package mutating func end(before index: Int) { end = min(end, index) }
}

extension FrameTiming {
    /// The timing of a still: at zero, without a duration.
    package static let still = FrameTiming(
        index: 0, presentation: .zero, duration: .zero, isKeyframe: true)

    /// Timings of consecutive frames in a base.
    package static func sequence(
        _ delays: [MediaTime], base: Rational, _ rule: DelayRule, isKeyframe: (Int) -> Bool
    ) -> [FrameTiming] {
        var moment: Int64 = 0
        return delays.indices.map { index in
            let shown = rule.effective(delays[index])
            let ticks = shown.ticks(perSecond: base.denominator, .nearest)
            defer { moment = Int64(clamping: Int128(moment) + Int128(ticks)) }
            return FrameTiming(
                index: index, presentation: MediaTime(ticks: moment, base: base),
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
