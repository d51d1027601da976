internal import LazyMedia

/// Weighs a few frames of what is to be written.
struct SizeSampling {
    private let draft: Draft
    private let ladder: BudgetLadder
    private let frameCount: Int
    /// The first frames of the windows.
    private let heads: FrameSequence
    /// The windows whole.
    private let windows: FrameSequence
    private let headCount: Int
    private let windowCount: Int

    init(
        _ draft: Draft, _ edited: FrameSequence, _ ladder: BudgetLadder
    ) async throws(MediaError) {
        self.draft = draft
        self.ladder = ladder
        let index = try await edited.frameIndex()
        frameCount = index.count
        let ranges = Self.windows(of: index.count)
        headCount = ranges.count
        windowCount = ranges.reduce(0) { $0 + $1.count }
        let times = ranges.map { Self.time($0, index) }
        windows = try await edited.edited(ClipEdit(segments: times))
        heads = try await edited.edited(
            ClipEdit(segments: ranges.map { Self.time($0.lowerBound..<$0.lowerBound + 1, index) }))
    }

    /// The model that the samples give.
    func model(sections: Int) async throws(MediaError) -> SizeModel {
        let fine = try await sample(SizeModel.Level())
        let coarse = try await sample(SizeModel.Level(coarseness: 1))
        return SizeModel(
            fine: fine, coarse: coarse, frames: frameCount, sections: min(sections, frameCount))
    }

    /// Two windows of frames that follow each other, or one where there are few frames.
    static func windows(of count: Int) -> [Range<Int>] {
        let length = max(2, min(6, count / 8))
        guard count >= 4 * length else { return [0..<min(count, 4)] }
        let last = count * 3 / 4
        return [(count / 5)..<(count / 5 + length), last..<min(count, last + length)]
    }

    private static func time(_ range: Range<Int>, _ index: FrameIndex) -> Range<Duration> {
        let start = index.timings[range.lowerBound].presentation.duration
        let isLast = range.upperBound >= index.count
        let end = isLast ? index.duration : index.timings[range.upperBound].presentation.duration
        return start..<max(end, start + .nanoseconds(1))
    }

    private func sample(_ level: SizeModel.Level) async throws(MediaError) -> SizeModel.Sample {
        let settings = ladder.settings(level)
        let alone = Double(try await weigh(heads, settings)) / Double(headCount)
        guard windowCount > headCount else { return .init(first: alone, following: alone) }
        let whole = Double(try await weigh(windows, settings))
        let rest = (whole - alone * Double(headCount)) / Double(windowCount - headCount)
        return SizeModel.Sample(first: alone, following: max(1, rest))
    }

    private func weigh(
        _ sequence: FrameSequence, _ settings: Settings
    ) async throws(MediaError) -> Int {
        try await draft.encode(sequence, settings, to: { _ in }).byteCount
    }
}
