public import LazyEditing
public import LazyMedia

extension AnimatedThumbnail {
    /// The edit that is applied to a sequence, and how its segments were selected.
    ///
    /// Selecting segments decodes a bounded number of small frames; it is deterministic. A clip too short
    /// for two frames at the rate gets a higher one, so that it moves. One picture, or a range of one, stays
    /// one frame.
    public func plan(
        for sequence: FrameSequence
    ) async throws(MediaError) -> (edit: ClipEdit, choice: SegmentChoice) {
        if let refusal = sequence.info.songRefusal { throw refusal }
        let index = try await sequence.frameIndex()
        guard index.count > 1 else {
            return (edit, SegmentChoice(reason: edit.segments.isEmpty ? .whole : .given))
        }
        var edit = self.edit
        if edit.frameRate == nil, !keepsAllFrames {
            edit.frameRate = Self.usualRate(index, speed: edit.speed)
        }
        var choice = SegmentChoice(reason: .given)
        if edit.segments.isEmpty {
            choice = try await SegmentSearch(
                length: length, pieces: pieces,
                wantsLoop: seam == .auto && !edit.isBouncing
                    && edit.crossfade == .zero
            ).run(sequence)
            edit.segments = choice.segments
            if choice.reason == .loop, let rate = edit.frameRate {
                edit.frameRate = Self.rate(rate, dividing: choice.duration, speed: edit.speed)
            }
        }
        switch seam {
        case .auto, .none: break
        case .bounce: edit.isBouncing = true
        case .crossfade where edit.crossfade == .zero: edit.crossfade = .milliseconds(500)
        case .crossfade: break
        }
        return (try Self.moving(edit, index), choice)
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
        _ rate: Rational, dividing length: Duration, speed: Double, least: Double = 1
    ) -> Rational {
        let played = length / .seconds(1) / speed
        let steps = max(least == 1 ? 0 : least, (played * rate.doubleValue).rounded())
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
