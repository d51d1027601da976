/// Searches the frame that represents a sequence best.
///
/// Follows a `PosterPlan`. A clearly good frame (`PosterScore.isClear`) ends the search at once, as does one
/// that `isWorthwhile` where every sample is expensive; else it ends with the first round that has a good
/// one. The best sample wins. The result does not depend on the number of threads. One reader does everything where the frames' times are known: a
/// decoded frame is scaled both for the score and for the poster.
struct PosterSearch {
    let sequence: FrameSequence
    let size: TargetSize?
    /// The part of a play that is searched; nil for all of it.
    var range: Range<Duration>?

    /// Enough pixels to judge brightness and sharpness.
    private static let side = 160

    /// The samples, and the best of them where it needs no second decoding.
    private struct Outcome {
        var candidates: [PosterCandidate] = []
        var frame: Frame?
        var warnings: [MediaWarning] = []
    }

    func run() async throws(MediaError) -> Poster {
        let length = try await sequence.playLength()
        let start = range?.lowerBound ?? .zero
        guard start < length || start <= .zero else {
            throw MediaError(.notFound, "No frame is in the range that was asked for.")
        }
        guard length > .zero, sequence.info.frameCount ?? 2 > 1 else {
            return try await onlyFrame()
        }
        let outcome = try await search(length)
        guard let best = Self.best(of: outcome.candidates) else {
            return try await onlyFrame(at: start)
        }
        if let frame = outcome.frame {
            let poster = Poster(frame, warnings: outcome.warnings)
            return Poster(poster, among: outcome.candidates)
        }
        let poster = try await sequence.singleFrame(
            size, at: best.timing.presentation.duration)
        return Poster(poster, among: outcome.candidates)
    }

    static func best(of candidates: [PosterCandidate]) -> PosterCandidate? {
        // The first of equals, because candidates are in order of preference.
        candidates.reduce(nil) { best, next in
            guard let best, best.score.total >= next.score.total else { return next }
            return best
        }
    }

    private func onlyFrame(at time: Duration? = nil) async throws(MediaError) -> Poster {
        let poster = try await sequence.singleFrame(size, at: range == nil ? nil : time)
        let score = PosterScore(poster.bitmap)
        return Poster(poster, among: poster.timing.map { [.init(timing: $0, score: score)] } ?? [])
    }

    private func search(_ length: Duration) async throws(MediaError) -> Outcome {
        try await sequence.cancellable { (flag) throws(MediaError) in
            let index = try sequence.media.cheapFrameIndex(flag)
            let plan =
                index.map { PosterPlan($0, length: length, within: range) }
                ?? PosterPlan(length: length, within: range)
            var outcome = Outcome()
            var options = sequence.options(
                size: smallSize, threads: BlockingPool.coreCount, cancellation: flag)
            options.isSingleFrame = true
            var reader: (any FrameReader)?
            for round in plan.rounds {
                if reader == nil || options.keyframesOnly != round.keyframesOnly {
                    options.keyframesOnly = round.keyframesOnly
                    reader = try sequence.makeReader(options)
                }
                guard let reader else { break }
                if try look(round, reader, &outcome.candidates) {
                    outcome.frame = try finish(outcome.candidates, reader)
                    outcome.warnings = reader.warnings
                    return outcome
                }
            }
            if let reader {
                outcome.frame = try finish(outcome.candidates, reader)
                outcome.warnings = reader.warnings
            }
            return outcome
        }
    }

    /// Samples a round's frames; true where one of them is good enough.
    private func look(
        _ round: PosterPlan.Round, _ reader: any FrameReader, _ found: inout [PosterCandidate]
    ) throws(MediaError) -> Bool {
        if let start = round.start, let sample = try sample(start, reader), sample.score.isClear {
            found.append(sample)
            return true
        }
        for time in round.times {
            guard let sample = try sample(time, reader) else { continue }
            let timestamp = sample.timing.presentation
            // The next keyframe may be after the part.
            if let range, timestamp.duration >= range.upperBound { continue }
            guard !found.contains(where: { $0.timing.presentation == timestamp }) else { continue }
            found.append(sample)
            if sample.score.isClear || round.isExact && sample.score.isWorthwhile { break }
        }
        return Self.best(of: found)?.score.isGood == true
    }

    private func sample(
        _ time: Duration, _ reader: any FrameReader
    ) throws(MediaError) -> PosterCandidate? {
        try reader.seek(toTime: time)
        guard let frame = try reader.nextFrame() else { return nil }
        return .init(timing: frame.timing, score: PosterScore(frame.bitmap))
    }

    /// The best frame at the poster's size, from the reader that sampled it.
    private func finish(
        _ found: [PosterCandidate], _ reader: any FrameReader
    ) throws(MediaError) -> Frame? {
        guard let best = Self.best(of: found) else { return nil }
        if found.last?.timing.presentation != best.timing.presentation {
            // Not worth it with readers that keep nothing.
            guard try reader.lastFrame(at: smallSize) != nil else { return nil }
            try reader.seek(toTime: best.timing.presentation.duration)
            guard try reader.nextFrame() != nil else { return nil }
        }
        let size = size.map(sequence.decodedSize) ?? sequence.info.size
        let frame = try reader.lastFrame(at: size)
        return frame?.timing.presentation == best.timing.presentation ? frame : nil
    }

    private var smallSize: PixelSize {
        TargetSize(width: Self.side, height: Self.side, fit: .scaleDown)
            .scaledSize(of: sequence.info.size)
    }
}
