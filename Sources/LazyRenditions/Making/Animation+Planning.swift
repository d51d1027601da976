public import LazyEditing
public import LazyMedia

extension Rendition {
    /// The edit that an animation applies to a sequence, and how its segments were selected.
    ///
    /// Decodes a bounded number of small frames; deterministic. Of another kind it is the edit as it is.
    public func animationPlan(
        for sequence: FrameSequence
    ) async throws(MediaError) -> (edit: ClipEdit, choice: SegmentChoice) {
        guard case .animation(let animation) = kind else {
            return (edit, SegmentChoice(reason: .given))
        }
        return try await animation.plan(edit, of: sequence, within: output.platform?.bounds)
    }
}

extension Rendition.Animation {
    /// The edit that is applied to a sequence, and how its segments were selected.
    ///
    /// Selecting segments decodes a bounded number of small frames; it is deterministic. A clip too short
    /// for two frames at the rate gets a higher one, so that it moves. One picture, or a range of one, stays
    /// one frame. If the edit has a maximum number of frames, segments are selected for that many.
    /// `progress` receives the fraction of the search that is done.
    func plan(
        _ asked: ClipEdit, of sequence: FrameSequence,
        within bounds: Rendition.Platform.Bounds? = nil,
        progress: @escaping @Sendable (Double) -> Void = { _ in }
    ) async throws(MediaError) -> (edit: ClipEdit, choice: SegmentChoice) {
        if let refusal = sequence.info.songRefusal { throw refusal }
        var edit = asked
        if edit.placement == nil { edit.size = edit.size ?? Self.usualSize }
        let index = try await sequence.frameIndex()
        guard index.count > 1 else {
            return (edit, SegmentChoice(reason: edit.segments.isEmpty ? .whole : .given))
        }
        // Who lists pictures wants to see them all.
        let isListed = sequence.info.type == .pictures
        if isListed, edit.segments.isEmpty, length == nil, pieces == nil {
            edit.segments = [.zero..<ClipEdit.toTheEnd]
        }
        if edit.frameRate == nil, !isListed {
            edit.frameRate = Self.usualRate(index, speed: edit.speed)
        }
        if let most = bounds?.rate {
            edit.frameRate = edit.frameRate ?? Rational(Int64(most), 1)
            edit.isRateStrict = true
        }
        switch seam {
        case .auto, .none: break
        case .bounce: edit.isBouncing = true
        case .crossfade where edit.crossfade == .zero: edit.crossfade = .milliseconds(500)
        case .crossfade: break
        }
        var choice = SegmentChoice(reason: .given)
        if edit.segments.isEmpty {
            var length = length(of: edit, index)
            // What is played back, too, lasts twice as long.
            let most = bounds?.length.map { $0 * edit.speed / (edit.isBouncing ? 2 : 1) }
            if let most { length = min(length, most) }
            choice = try await SegmentSearch(
                length: length, pieces: pieces ?? 3, longestLoop: self.length == nil ? most : .zero,
                wantsLoop: seam == .auto && !edit.isBouncing
                    && edit.crossfade == .zero
            ).run(sequence, progress: progress)
            edit.segments = choice.segments
            if choice.reason == .loop, let rate = edit.frameRate {
                edit.frameRate = Self.rate(
                    rate, dividing: choice.duration, speed: edit.speed, most: edit.maxTaken)
            }
        }
        var taken = try Self.moving(edit, index).endingWithFrames(index)
        if let most = bounds?.length, asked.segments.isEmpty {
            taken = try Self.shortened(taken, index, to: most)
        }
        return (taken, choice)
    }

    /// An edit with fewer frames where a result would be longer than something; frames end where they end.
    private static func shortened(
        _ edit: ClipEdit, _ index: FrameIndex, to most: Duration
    ) throws(MediaError) -> ClipEdit {
        var edit = edit
        while true {
            let plan = try EditPlan(index, edit)
            let (length, count) = (
                plan.frameIndex(keyframes: index.timings.map(\.isKeyframe)).duration,
                plan.entries.count
            )
            guard length > most, count > 1 else { return edit }
            let fewer = Int(saturating: Double(count) * (most / length))
            edit.maxFrames = max(1, min(count - 1, fewer))
        }
    }

    /// The length of the segments to search: no more than the most frames show, and at least a second, whose
    /// frames can be judged.
    private func length(of edit: ClipEdit, _ index: FrameIndex) -> Duration {
        let length = length ?? .seconds(3)
        guard let frames = edit.maxTaken else { return length }
        let rate =
            edit.frameRate?.doubleValue ?? Double(index.count) / (index.duration / .seconds(1))
        let seconds = Double(frames) / rate * edit.speed
        guard seconds < length / .seconds(1) else { return length }
        return min(length, .microseconds(Int64((max(1, seconds) * 1_000_000).rounded())))
    }

    /// The edit with a higher rate if its own leaves one frame of a short clip that has several.
    private static func moving(
        _ edit: ClipEdit, _ index: FrameIndex
    ) throws(MediaError) -> ClipEdit {
        var edit = edit
        guard try EditPlan(index, edit).entries.count == 1 else { return edit }
        edit.frameRate = nil
        let every = try EditPlan(index, edit)
        guard every.entries.count > 1 else { return edit }
        let length = every.frameIndex(keyframes: index.timings.map(\.isKeyframe)).duration
        var slow = edit
        slow.frameRate = Self.rate(Rational(1, 1_000_000), dividing: length, speed: 1, least: 2)
        return try EditPlan(index, slow).entries.count > 1 ? slow : edit
    }

    /// The rate closest to another that divides a length into whole steps, so that a loop is even.
    static func rate(
        _ rate: Rational, dividing length: Duration, speed: Double, least: Double = 1,
        most: Int? = nil
    ) -> Rational {
        let played = length / .seconds(1) / speed
        let steps = min(
            most.map(Double.init) ?? .infinity,
            max(least == 1 ? 0 : least, (played * rate.doubleValue).rounded()))
        guard steps >= 1, steps < 1e9, played > 0 else { return rate }
        return Rational(Int64(steps) * 1_000_000, max(1, Int64(saturating: played * 1_000_000)))
            .reduced
    }

    /// The default rate: nil, for all frames, if there are few.
    ///
    /// Taking ten of fourteen frames per second would make motion uneven and save little.
    static func usualRate(_ index: FrameIndex, speed: Double) -> Rational? {
        let seconds = index.duration / .seconds(1) / speed
        return Double(index.count) < 20 * seconds ? nil : Rational(10, 1)
    }
}
