/// One length of a play, that of `detailedInfo()`, for all that divides a play: percentages, posters, samples.
///
/// The length in a header may be that of a download that was complete, or the time of day at its end.
extension FrameSequence {
    /// The length of one play: counted where the header does not count the frames, unless that is expensive.
    package func playLength() async throws(MediaError) -> Duration {
        if let known = info.measuredLength { return known }
        return try await cancellable { (flag) throws(MediaError) in try playLength(flag) }
    }

    /// The same on this thread, which it blocks.
    func playLength(_ flag: CancellationFlag) throws(MediaError) -> Duration {
        if let known = info.measuredLength { return known }
        if let index = try media.cheapFrameIndex(flag) { return index.duration }
        // Where packets are expensive the media has found its length in another way by now.
        if let told = info.duration { return told }
        return try media.containerIndex(flag).duration
    }
}

extension MediaInfo {
    /// Whether the container counts its frames or its ends tell its length, so that nothing has to be counted.
    var isMeasured: Bool { measuredLength != nil }

    fileprivate var measuredLength: Duration? {
        frameCount == nil && estimatedFrameCount == nil ? nil : duration
    }

    /// Replaces what the header says by what an index counts.
    package mutating func count(_ index: FrameIndex) {
        (frameCount, estimatedFrameCount) = (index.count, nil)
        measure(index)
    }

    /// Replaces the times that the header says by those of an index.
    package mutating func measure(_ index: FrameIndex) {
        duration = index.duration
        if index.count > 0 { start = index[0].presentation.duration }
    }
}
