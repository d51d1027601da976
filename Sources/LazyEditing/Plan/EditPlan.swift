package import LazyMedia

/// The frames of a source in the order and for the time an edit shows them; pure.
package struct EditPlan: Hashable, Sendable {
    /// One frame of the result.
    package struct Entry: Hashable, Sendable {
        /// The number of the source's frame.
        package var source: Int
        /// The number of steps it is shown for.
        package var length: Int64
        /// The frame that is blended in during a cross-fade.
        package var blend: Blend?
    }

    /// A second frame over the first.
    package struct Blend: Hashable, Sendable {
        /// The number of the source's frame.
        package var source: Int
        /// Its opacity in 1/256, from 1 to 255.
        package var share: Int
    }

    /// The frames in the order they are shown.
    package private(set) var entries: [Entry]
    /// The length of a step in seconds.
    package private(set) var base: Rational

    /// The most steps of a result, so that sums of lengths do not overflow.
    private static let maxSteps: Int64 = 1 << 60

    /// Plans an edit of a source.
    ///
    /// Throws `.notFound` if nothing is left of it, and `.notWritable` if its duration overflows.
    /// O(frames), however long they are shown.
    package init(_ index: FrameIndex, _ edit: ClipEdit) throws(MediaError) {
        guard index.count > 0 else { throw MediaError(.notFound, "The sequence has no frame.") }
        guard TimingChange.speeds.contains(edit.speed) else {
            throw MediaError(.notWritable, "The speed is a factor from 0.01 to 100.")
        }
        if let rate = edit.frameRate, rate.numerator < 1 {
            throw MediaError(.notWritable, "A frame rate is above 0.")
        }
        if let most = edit.maxFrames, most < 1 {
            throw MediaError(.notWritable, "The most frames of a clip are at least 1.")
        }
        let pieces = edit.segments.map { piece in
            (Edge(piece.lowerBound, index), Edge(piece.upperBound, index))
        }
        let grid = TimeGrid(
            index.timings.lazy.flatMap { [$0.presentation.base, $0.duration.base] },
            pieces.flatMap { [$0.0.instant, $0.1.instant] }.compactMap(\.self))
        let cut = Self.cut(index, pieces.map { ($0.0.steps(grid), $0.1.steps(grid)) }, grid)
        if cut.count > 1, let empty = cut.firstIndex(where: \.isEmpty) {
            throw MediaError(
                .notFound, "No frame is in segment \(empty + 1) of those that were asked for.")
        }
        entries = cut.flatMap(\.self)
        // So that no product below overflows.
        let fineness: Int64 = grid.perSecond > 1_000_000_000 ? 1000 : 1_000_000
        let times = Int64((edit.speed * Double(fineness)).rounded())
        let speed = Rational(max(1, times), fineness).reduced
        base = Rational(speed.denominator, grid.perSecond * speed.numerator).reduced
        guard !entries.isEmpty else {
            throw MediaError(.notFound, "No frame is in the range that was asked for.")
        }
        try checkLength()
        if let rate = edit.frameRate { try limit(to: rate, keepingTimes: !edit.isRateStrict) }
        if let most = edit.maxTaken { entries = Array(entries.prefix(most)) }
        if edit.isReversed { entries.reverse() }
        if edit.isBouncing { entries += entries.dropFirst().dropLast().reversed() }
        try checkLength()
        coarsen()
        if edit.crossfade > .zero { crossfade(edit.crossfade) }
    }

    /// The timing of every frame of the result.
    package func frameIndex(keyframes: [Bool]) -> FrameIndex {
        var start: Int64 = 0
        return FrameIndex(
            entries.enumerated().map { number, entry in
                defer { start += entry.length }
                return FrameTiming(
                    index: number, presentation: MediaTime(ticks: start, base: base),
                    duration: MediaTime(ticks: entry.length, base: base),
                    isKeyframe: entry.blend == nil && keyframes[entry.source])
            })
    }

    /// An end of a segment: the boundary of a frame if one is meant, else a time.
    private enum Edge {
        case frame(MediaTime)
        case instant(Duration)
        case end

        /// Printed times are rounded to microseconds: this close to a frame's start it is meant.
        private static let nearness = Duration.microseconds(1)

        init(_ time: Duration, _ index: FrameIndex) {
            if time >= index.duration - Self.nearness {
                self = .end
            } else if let number = index.frame(at: time + Self.nearness),
                time - index.timings[number].presentation.duration <= Self.nearness,
                index.timings[number].presentation.duration - time <= Self.nearness
            {
                self = .frame(index.timings[number].presentation)
            } else {
                self = .instant(time)
            }
        }

        var instant: Duration? {
            if case .instant(let time) = self { time } else { nil }
        }

        func steps(_ grid: TimeGrid) -> Int64 {
            switch self {
            case .frame(let time): grid.steps(time)
            case .instant(let time): grid.steps(time)
            case .end: .max
            }
        }
    }

    /// The frames of each segment; the first and last are shown for what is left of their time.
    private static func cut(
        _ index: FrameIndex, _ pieces: [(Int64, Int64)], _ grid: TimeGrid
    ) -> [[Entry]] {
        let starts = index.timings.map { grid.steps($0.presentation) }
        guard let last = index.timings.last, let lastStart = starts.last else { return [] }
        let length = lastStart.addingReportingOverflow(grid.steps(last.duration))
        let end = length.overflow ? .max : length.partialValue
        // A frame is shown until the next one is.
        let ends = Array(starts.dropFirst()) + [end]
        let pieces = pieces.isEmpty ? [(Int64.min, Int64.max)] : pieces
        return pieces.map { from, to in
            var number = max(0, starts.partition(after: from) - 1)
            var piece: [Entry] = []
            while number < starts.count, starts[number] < to {
                let (start, finish) = (max(starts[number], from), min(ends[number], to))
                // A frame without duration counts at its own time only.
                let isMoment = starts[number] == ends[number] && starts[number] >= from
                if finish > start || isMoment {
                    let length = finish.subtractingReportingOverflow(start)
                    piece.append(
                        Entry(
                            source: number,
                            length: length.overflow ? .max : max(0, length.partialValue)))
                }
                number += 1
            }
            return piece
        }
    }

    /// At most so many frames a second (`RateLimit`).
    private mutating func limit(
        to rate: Rational, keepingTimes keepsTimes: Bool
    ) throws(MediaError) {
        (entries, base) = try RateLimit(base, rate).limited(entries, keepingTimes: keepsTimes)
    }

    /// Throws if the sum of the lengths overflows.
    private func checkLength() throws(MediaError) {
        var rest = Self.maxSteps
        for entry in entries {
            guard entry.length <= rest else {
                throw MediaError(.notWritable, "The result would play for too long.")
            }
            rest -= entry.length
        }
    }

    /// Makes the step the longest that all lengths are multiples of.
    private mutating func coarsen() {
        let common = entries.reduce(UInt64(0)) { greatestDivisor($0, $1.length.magnitude) }
        let divisor = Int64(clamping: common)
        guard divisor > 1, entries.contains(where: { $0.length > 0 }) else { return }
        let (numerator, overflow) = base.numerator.multipliedReportingOverflow(by: divisor)
        guard !overflow else { return }
        base = Rational(numerator, base.denominator).reduced
        for number in entries.indices { entries[number].length /= divisor }
    }

    /// Removes the beginning and fades into it at the end, so that the last frame leads to the first.
    private mutating func crossfade(_ wanted: Duration) {
        var starts: [Int64] = []
        let total = entries.reduce(into: Int64(0)) {
            starts.append($0)
            $0 += $1.length
        }
        let most = min(total / 2, Int64(saturating: wanted / .seconds(1) / base.doubleValue))
        let first = max(0, starts.partition(after: most) - 1)
        let fade = starts[first]
        guard fade > 0 else { return }
        let begin = total - fade
        let clean = entries
        for number in first..<entries.count where starts[number] >= begin {
            let time = starts[number] - begin
            let middle = Double(time) + Double(entries[number].length) / 2
            let share = Int((256 * middle / Double(fade)).rounded())
            let other = max(0, starts.partition(after: time) - 1)
            entries[number].blend = Blend(
                source: clean[other].source, share: min(255, max(1, share)))
        }
        entries.removeFirst(first)
    }
}

extension [Int64] {
    /// The number of elements of an ascending list that are at most a value.
    func partition(after value: Int64) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] <= value { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
