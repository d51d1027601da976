package import LazyBase
package import LazyMedia

/// Samples a few small frames of a sequence at low cost.
package struct FrameSampler {
    private let sequence: FrameSequence
    private let size: PixelSize

    package init(_ sequence: FrameSequence, size: PixelSize) {
        self.sequence = sequence
        self.size = size
    }

    /// Frames at even distances; keyframes if there are enough of them.
    package func spread(_ count: Int) async throws(MediaError) -> [Frame] {
        let length = try await sequence.playLength()
        let times = (0..<count).map { length * (Double(2 * $0 + 1) / Double(2 * count)) }
        return try await sequence.cancellable { (flag) throws(MediaError) in
            let found = try frames(at: times, keyframesOnly: true, flag)
            return found.count * 2 > count
                ? found : try frames(at: times, keyframesOnly: false, flag)
        }
    }

    /// The frames on screen at ascending times, each once; blocks.
    package func frames(
        at times: [Duration], keyframesOnly: Bool, _ cancellation: CancellationFlag
    ) throws(MediaError) -> [Frame] {
        let reader = try sequence.makeReader(options(cancellation, keyframesOnly: keyframesOnly))
        var found: [Frame] = []
        for time in times {
            try reader.seek(toTime: time)
            guard let frame = try reader.nextFrame() else { continue }
            let instant = frame.timing.presentation
            if found.last?.timing.presentation != instant { found.append(frame) }
        }
        return found
    }

    /// The best keyframe of each list, in order; lists without a good one are left out.
    ///
    /// Blocks.
    package func bestKeyframes(
        of zones: [[Duration]], _ cancellation: CancellationFlag
    ) throws(MediaError) -> [Duration] {
        let reader = try sequence.makeReader(options(cancellation, keyframesOnly: true))
        var found: [(time: Duration, score: Double)] = []
        for zone in zones {
            var best: (time: Duration, score: Double)?
            for time in zone {
                try reader.seek(toTime: time)
                guard let frame = try reader.nextFrame() else { continue }
                let score = PosterScore(frame.bitmap).total
                if best.map({ score > $0.score }) ?? true { best = (time, score) }
            }
            if let best { found.append(best) }
        }
        let most = found.map(\.score).max() ?? 0
        return found.filter { $0.score >= 0.2 * most }.map(\.time)
    }

    /// A reader of small frames in order.
    package func makeReader(_ cancellation: CancellationFlag) throws(MediaError) -> any FrameReader
    {
        try sequence.makeReader(options(cancellation, isSingleFrame: false))
    }

    /// The options for reading small frames.
    package func options(
        _ cancellation: CancellationFlag, keyframesOnly: Bool = false, isSingleFrame: Bool = true
    ) -> ReaderOptions {
        ReaderOptions(
            size: size, limits: sequence.limits, delayRule: sequence.delayRule,
            keyframesOnly: keyframesOnly, isSingleFrame: isSingleFrame, cancellation: cancellation)
    }
}
