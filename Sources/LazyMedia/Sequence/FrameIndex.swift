/// The timing of every frame of a sequence, in the order they are shown.
public struct FrameIndex: Sendable {
    /// One timing per frame; `timings[i].index == i`.
    public let timings: [FrameTiming]

    /// Makes an index of timings in order of presentation.
    public init(_ timings: [FrameTiming]) { self.timings = timings }

    /// The number of frames.
    public var count: Int { timings.count }

    /// The length of one play: the end of the last frame.
    public var duration: Duration {
        // The times are added exactly: three thirds are one second, not slightly less.
        timings.last?.end.duration ?? .zero
    }

    /// The frame shown at a time within one play: the last whose PTS is not after it.
    ///
    /// Before the first frame that is 0, after the end the last. Nil only without frames.
    /// O(log n).
    public func frame(at time: Duration) -> Int? {
        guard !timings.isEmpty else { return nil }
        return max(1, timings.partitionPoint { $0.presentation.duration <= time }) - 1
    }
}
