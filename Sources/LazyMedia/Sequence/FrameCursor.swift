/// A reader's position in a sequence of known timings, and what it has spent.
package struct FrameCursor: Sendable {
    package let options: ReaderOptions
    package let timings: [FrameTiming]
    /// The first frame that cannot be decoded, or the number of frames.
    package private(set) var end: Int
    /// Damage and irregularities found so far.
    package private(set) var warnings: [MediaWarning]
    /// The number of the next frame.
    var position = 0
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
    mutating func begin() -> Int? {
        while options.keyframesOnly, position < end, !timings[position].isKeyframe { position += 1 }
        began = .now
        return position < end ? position : nil
    }

    /// Spends one frame of a size; call it before the frame is decoded.
    package mutating func spend(frame size: PixelSize) throws(MediaError) {
        try budget.spend(frame: size)
    }

    /// Spends the time since the frame was begun, or since the last call, without that of others.
    package mutating func spendTime(without others: Duration = .zero) throws(MediaError) {
        let now = ContinuousClock.now
        try budget.spend(time: now - began - others)
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
