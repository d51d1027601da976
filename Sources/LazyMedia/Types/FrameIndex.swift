internal import LazyBase

/// The timing of every frame of a sequence, in the order they are shown.
public struct FrameIndex: Sendable {
    private enum Storage {
        case listed([FrameTiming])
        case computed(ComputedTimings)
    }

    private let storage: Storage

    /// What the container's own clock shows at the time 0 of the index; nil where it is not known.
    ///
    /// Parts of one recording that are opened by themselves are placed in it by that.
    package var clock: MediaTime?

    /// Makes an index of timings in order of presentation.
    public init(_ timings: [FrameTiming]) { storage = .listed(timings) }

    /// Makes an index whose timings are computed when they are asked for.
    ///
    /// A film of hours has hundreds of thousands, and a poster needs a dozen.
    package init(
        count: Int, keyframes: @escaping @Sendable () -> [Int],
        timing: @escaping @Sendable (Int) -> FrameTiming
    ) {
        storage = .computed(ComputedTimings(count: count, keyframes: keyframes, timing: timing))
    }

    /// One timing per frame; `timings[i].index == i`.
    ///
    /// The first access may make the list, which then is kept.
    public var timings: [FrameTiming] {
        switch storage {
        case .listed(let timings): timings
        case .computed(let timings): timings.all
        }
    }

    /// The number of frames.
    public var count: Int {
        switch storage {
        case .listed(let timings): timings.count
        case .computed(let timings): timings.count
        }
    }

    /// The timing of a frame, without making the list.
    package subscript(number: Int) -> FrameTiming {
        switch storage {
        case .listed(let timings): timings[number]
        case .computed(let timings): timings.timing(number)
        }
    }

    /// The timings of the frames that can be decoded alone.
    package var keyframes: [FrameTiming] {
        switch storage {
        case .listed(let timings): timings.filter(\.isKeyframe)
        case .computed(let timings): timings.keyframes().map(timings.timing)
        }
    }

    /// The length of one play: the end of the last frame.
    public var duration: Duration {
        // The times are added exactly: three thirds are one second, not slightly less.
        count > 0 ? self[count - 1].end.duration : .zero
    }

    /// The frame shown at a time within one play: the last whose PTS is not after it.
    ///
    /// Before the first frame that is 0, after the end the last. Nil only without frames.
    /// O(log n).
    public func frame(at time: Duration) -> Int? {
        guard count > 0 else { return nil }
        return max(1, (0..<count).partitionPoint { self[$0].presentation.duration <= time }) - 1
    }
}

/// Timings that are computed one by one, and listed at most once.
private final class ComputedTimings: Sendable {
    let count: Int
    let keyframes: @Sendable () -> [Int]
    let timing: @Sendable (Int) -> FrameTiming
    private let list = Locked<[FrameTiming]?>(nil)

    init(
        count: Int, keyframes: @escaping @Sendable () -> [Int],
        timing: @escaping @Sendable (Int) -> FrameTiming
    ) {
        self.count = count
        self.keyframes = keyframes
        self.timing = timing
    }

    var all: [FrameTiming] {
        if let made = list.withLock({ $0 }) { return made }
        // Made outside of the lock; the second caller keeps that of the first.
        let made = (0..<count).map(timing)
        return list.withLock { list in
            let kept = list ?? made
            list = kept
            return kept
        }
    }
}
