internal import LazyBytes
internal import LazyMedia

/// Takes a few small frames from all over a sequence, cheaply.
struct FrameSampler {
    private let sequence: FrameSequence
    private let size: PixelSize

    init(_ sequence: FrameSequence, size: PixelSize) {
        self.sequence = sequence
        self.size = size
    }

    /// So many frames at even distances, keyframes where there are enough of them.
    func spread(_ count: Int) async throws(MediaError) -> [Frame] {
        let length: Duration
        if let known = sequence.info.duration {
            length = known
        } else {
            length = try await sequence.frameIndex().duration
        }
        let times = (0..<count).map { length * (Double(2 * $0 + 1) / Double(2 * count)) }
        return try await sequence.cancellable { (flag) throws(MediaError) in
            let found = try frames(at: times, keyframesOnly: true, flag)
            return found.count * 2 > count
                ? found : try frames(at: times, keyframesOnly: false, flag)
        }
    }

    /// The frames shown at ascending times, each once; blocks.
    func frames(
        at times: [Duration], keyframesOnly: Bool, _ cancellation: CancellationFlag
    ) throws(MediaError) -> [Frame] {
        let reader = try sequence.makeReader(options(cancellation, keyframesOnly: keyframesOnly))
        var found: [Frame] = []
        for time in times {
            try reader.seek(toTime: time)
            guard let frame = try reader.nextFrame() else { continue }
            let moment = frame.timing.presentation
            if found.last?.timing.presentation != moment { found.append(frame) }
        }
        return found
    }

    /// How small frames are read.
    func options(
        _ cancellation: CancellationFlag, keyframesOnly: Bool = false, isSingleFrame: Bool = true
    ) -> ReaderOptions {
        ReaderOptions(
            size: size, limits: sequence.limits, delayRule: sequence.delayRule,
            keyframesOnly: keyframesOnly, isSingleFrame: isSingleFrame, cancellation: cancellation)
    }
}
