package import LazyMedia

/// `maxFrames` are the first frames of the result, as they are where single frames are written
/// (`FrameSelection.maximum`).
///
/// They are counted after speed and frame rate. Reverse, bounce and cross-fade apply to these frames, so
/// that a loop still closes; a cross-fade leaves fewer.
extension ClipEdit {
    /// The most frames that are taken of the segments: a bounce makes 2n - 2 of n.
    package var maxTaken: Int? { maxFrames.map { isBouncing ? $0 / 2 + 1 : $0 } }

    /// The edit with segments that end where its `maxFrames` do.
    ///
    /// At a lower rate it then has fewer frames and not more of the clip.
    package func endingWithFrames(_ index: FrameIndex) throws(MediaError) -> ClipEdit {
        guard let maxTaken else { return self }
        var taken = self
        (taken.isReversed, taken.isBouncing, taken.crossfade) = (false, false, .zero)
        taken.maxFrames = maxTaken
        let plan = try EditPlan(index, taken)
        let shown = plan.frameIndex(keyframes: index.timings.map(\.isKeyframe)).duration
        var (rest, pieces) = (speed == 1 ? shown : shown * speed, [Range<Duration>]())
        for segment in segments.isEmpty ? [.zero..<Self.toTheEnd] : segments where rest > .zero {
            let length = min(min(segment.upperBound, index.duration) - segment.lowerBound, rest)
            guard length > .zero else { continue }
            pieces.append(segment.lowerBound..<segment.lowerBound + length)
            rest -= length
        }
        // Frames without a duration end nowhere.
        guard !pieces.isEmpty else { return self }
        var edit = self
        edit.segments = pieces
        return edit
    }
}
