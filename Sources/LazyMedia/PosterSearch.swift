/// Looks for the frame that stands best for a sequence.
///
/// Keyframes near a tenth of the play length are cheap and tried first; where they are few or
/// poor, exact frames near there, and then keyframes all over the sequence. Stops at the first
/// round that holds a good one. Same input, same answer.
struct PosterSearch {
    let sequence: FrameSequence
    let size: TargetSize?

    private static let near = [0.10, 0.06, 0.15, 0.20, 0.25]
    private static let far = [0.35, 0.45, 0.55, 0.65, 0.75, 0.85, 0.95]
    /// About as many pixels as tell dark from bright and sharp from blurred.
    private static let side = 160

    func run() async throws(MediaError) -> Poster {
        let length = try await sequence.playLength()
        guard length > .zero, sequence.info.frameCount ?? 2 > 1 else {
            return try await onlyFrame()
        }
        let candidates = try await search(length)
        guard let best = Self.best(of: candidates) else { return try await onlyFrame() }
        let time = best.timing.presentation.duration
        let frame = try await sequence.singleFrame(size, at: time)
        return Poster(frame, candidates: candidates)
    }

    static func best(of candidates: [PosterCandidate]) -> PosterCandidate? {
        // The first of equals, as candidates come in order of preference.
        candidates.reduce(nil) { best, next in
            guard let best, best.score.total >= next.score.total else { return next }
            return best
        }
    }

    private func onlyFrame() async throws(MediaError) -> Poster {
        let frame = try await sequence.singleFrame(size)
        return Poster(
            frame, candidates: [.init(timing: frame.timing, score: PosterScore(frame.bitmap))])
    }

    private func search(_ length: Duration) async throws(MediaError) -> [PosterCandidate] {
        let sequence = self.sequence
        return try await sequence.cancellable { (flag) throws(MediaError) in
            var found: [PosterCandidate] = []
            let rounds = [
                (Self.near, true), (Self.near, false), (Self.far, true), (Self.far, false),
            ]
            for (shares, keyframesOnly) in rounds {
                var options = sequence.options(size: smallSize, cancellation: flag)
                options.keyframesOnly = keyframesOnly
                options.isSingleFrame = true
                let reader = try sequence.makeReader(options)
                // In order of time, so that a decoder without keyframes goes through once.
                for share in shares.sorted() {
                    try reader.seek(toTime: length * share)
                    guard let frame = try reader.nextFrame() else { continue }
                    let time = frame.timing.presentation
                    guard !found.contains(where: { $0.timing.presentation == time }) else {
                        continue
                    }
                    found.append(.init(timing: frame.timing, score: PosterScore(frame.bitmap)))
                }
                if let best = Self.best(of: found), best.score.isGood { break }
            }
            return found
        }
    }

    private var smallSize: PixelSize {
        TargetSize(width: Self.side, height: Self.side, fit: .scaleDown)
            .scaledSize(of: sequence.info.size)
    }
}
