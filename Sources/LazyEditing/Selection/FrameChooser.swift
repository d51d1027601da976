internal import LazyMedia

/// Chooses the frames of a selection while their times arrive; pure.
///
/// An item stands for a frame: the frame itself, or its number in an index.
struct FrameChooser<Item> {
    typealias Timed = (item: Item, timing: FrameTiming)

    private let selection: FrameSelection
    private var sampler: RateSampler<Item>?
    private var counted = 0
    /// The next time of an interval.
    private var due: Duration
    private var hasEnded = false

    init(_ selection: FrameSelection, _ limits: DecodingLimits) {
        self.selection = selection
        due = selection.part.start
        // A number of frames that was asked for ends the selection before the limit does.
        let limits = selection.maximum == nil ? limits : DecodingLimits(frames: .max)
        sampler = selection.rate.map { RateSampler(rate: $0, part: selection.part, limits: limits) }
    }

    /// The next chosen frame and when it is shown, or nil at the end.
    ///
    /// `source` returns all frames from the start of the part on, then nil; it is told which may be chosen.
    mutating func next(
        _ source: ((FrameTiming) -> Bool) throws(MediaError) -> Timed?
    ) throws(MediaError) -> Timed? {
        guard sampler != nil else { return try nextInPart(source) }
        while true {
            switch sampler?.step() {
            case .emit(let item, let timing): return (item, timing)
            case .needsFrame:
                let sampler = sampler
                try self.sampler?.feed(source { sampler?.mayEmit($0) ?? true })
            case .end, nil: return nil
            }
        }
    }

    private func isInSelection(_ timing: FrameTiming) -> Bool {
        selection.part.relation(of: timing) == .inside && isChosen(timing)
    }

    /// Whether a frame of the part is chosen.
    private func isChosen(_ timing: FrameTiming) -> Bool {
        if let numbers = selection.numbers { return numbers.contains(sorted: timing.index) }
        guard timing.isKeyframe || !selection.keyframesOnly else { return false }
        guard selection.interval != nil else { return counted % selection.every == 0 }
        return timing.end.duration > due || timing.presentation.duration >= due
    }

    /// Notes a frame of the part.
    private mutating func pass(_ timing: FrameTiming) {
        if timing.isKeyframe || !selection.keyframesOnly { counted += 1 }
        if let last = selection.numbers?.last, timing.index >= last { hasEnded = true }
        guard let step = selection.interval?.attoseconds, step > 0 else { return }
        let (start, end) = (timing.presentation.duration, timing.end.duration)
        let behind = max(end - due, start - due + .nanoseconds(1)).attoseconds
        if behind > 0 { due += Duration(attoseconds: (behind + step - 1) / step * step) }
    }

    private mutating func nextInPart(
        _ source: ((FrameTiming) -> Bool) throws(MediaError) -> Timed?
    ) throws(MediaError) -> Timed? {
        while !hasEnded, let frame = try source(isInSelection) {
            switch selection.part.relation(of: frame.timing) {
            case .after: hasEnded = true
            case .inside:
                defer { pass(frame.timing) }
                if isChosen(frame.timing) { return frame }
            case .before: break
            }
        }
        hasEnded = true
        return nil
    }
}

/// The frames that a selection chooses from an index, by their numbers.
struct IndexedChoice: Sequence, IteratorProtocol {
    private let index: FrameIndex
    private var chooser: FrameChooser<Int>
    private var position: Int

    init(_ index: FrameIndex, _ selection: FrameSelection, _ limits: DecodingLimits) {
        self.index = index
        chooser = FrameChooser(selection, limits)
        position = selection.part.start > .zero ? index.frame(at: selection.part.start) ?? 0 : 0
    }

    /// The next frame's number and when it is shown, or nil at the end.
    mutating func nextTimed() throws(MediaError) -> (item: Int, timing: FrameTiming)? {
        let index = index
        var position = position
        defer { self.position = position }
        return try chooser.next { _ in
            guard position < index.count else { return nil }
            defer { position += 1 }
            return (position, index[position])
        }
    }

    /// The next frame's number.
    mutating func next() -> Int? { try? nextTimed()?.item }
}

extension [Int] {
    /// Whether a number is among those in ascending order.
    fileprivate func contains(sorted number: Int) -> Bool {
        let place = indices.partitionPoint { self[$0] < number }
        return place < count && self[place] == number
    }
}
