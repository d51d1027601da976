internal import LazyEditing
internal import LazyMedia

/// Encodes a few frames to estimate the size of the whole.
struct SizeSampling {
    private let encoder: ThumbnailEncoding
    private let ladder: BudgetLadder
    private let frameCount: Int
    private let edited: FrameSequence
    private let windows: Windows

    /// A few frames out of all of them.
    private struct Windows {
        /// The first frames.
        let heads: FrameSequence
        /// All frames.
        let wholes: FrameSequence
        let headCount: Int
        let wholeCount: Int

        init(_ sequence: FrameSequence, _ index: FrameIndex) async throws(MediaError) {
            let ranges = SizeSampling.windows(of: index.count)
            headCount = ranges.count
            wholeCount = ranges.reduce(0) { $0 + $1.count }
            let times = ranges.map { SizeSampling.time($0, index) }
            let firsts = ranges.map {
                SizeSampling.time($0.lowerBound..<$0.lowerBound + 1, index)
            }
            wholes = try await sequence.edited(ClipEdit(segments: times))
            heads = try await sequence.edited(ClipEdit(segments: firsts))
        }
    }

    init(
        _ encoder: ThumbnailEncoding, _ edited: FrameSequence, _ ladder: BudgetLadder
    ) async throws(MediaError) {
        self.encoder = encoder
        self.ladder = ladder
        self.edited = edited
        let index = try await edited.frameIndex()
        frameCount = index.count
        windows = try await Windows(edited, index)
    }

    /// The model fitted on samples at the quality asked for and at the lowest.
    func model(sections: Int) async throws(MediaError) -> SizeModel {
        let fine = try await sample(windows, ladder.settings(SizeModel.Level()))
        let coarse =
            ladder.hasQuality
            ? try await sample(windows, ladder.settings(ladder.coarsest)) : fine
        return SizeModel(
            fine: fine, coarse: coarse, frames: frameCount, sections: min(sections, frameCount))
    }

    /// Teaches a model how bytes shrink with the sides, by a sample of half of them.
    func learnSides(_ model: inout SizeModel) async throws(MediaError) {
        var level = ladder.coarsest
        level.scale = 0.5
        let settings = ladder.settings(level)
        let halves = try await edited.edited(ClipEdit(size: settings.edit.size))
        let half = try await sample(Windows(halves, try await halves.frameIndex()), settings)
        model.learn(half, scale: 0.5)
    }

    /// The bytes of the whole with some settings, by samples of it.
    func estimate(
        _ settings: ThumbnailSettings, _ sections: Int
    ) async throws(MediaError) -> Double {
        let sequence = try await encoder.source.edited(settings.edit)
        let index = try await sequence.frameIndex()
        let windows = try await Windows(sequence, index)
        let heads = Double(try await measure(windows.heads, settings))
        let whole = Double(try await measure(windows.wholes, settings))
        let rest = windows.wholeCount - windows.headCount
        let following = rest > 0 ? max(1, (whole - heads) / Double(rest)) : 0
        let alone = min(sections, index.count) - windows.headCount
        let others = index.count - windows.wholeCount - alone
        // A sample has the container once, as the whole has.
        let container = min(0.7 * heads, Double(encoder.target.traits.containerBytes))
        let first = (heads - container) / Double(windows.headCount)
        return max(1, whole + first * Double(alone) + following * Double(others))
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

    private func sample(
        _ windows: Windows, _ settings: ThumbnailSettings
    ) async throws(MediaError) -> SizeModel.Sample {
        let alone = Double(try await measure(windows.heads, settings)) / Double(windows.headCount)
        let rest = windows.wholeCount - windows.headCount
        guard rest > 0 else { return .init(first: alone, following: alone) }
        let whole = Double(try await measure(windows.wholes, settings))
        let following = (whole - alone * Double(windows.headCount)) / Double(rest)
        return SizeModel.Sample(first: alone, following: max(1, following))
    }

    private func measure(
        _ sequence: FrameSequence, _ settings: ThumbnailSettings
    ) async throws(MediaError) -> Int {
        try await encoder.encode(sequence, settings.encoding, to: { _ in }).byteCount
    }
}
