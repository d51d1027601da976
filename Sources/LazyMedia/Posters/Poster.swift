/// Which picture stands for a sequence.
public enum PosterChoice: Hashable, Sendable {
    /// The first frame that can be shown.
    case first
    /// The frame shown at a time; clamped to the sequence.
    case at(Duration)
    /// The frame shown after so many hundredths of the play length, 0 to 100.
    case percent(Double)
    /// The frame of a number from 0; negative numbers count from the end, -1 being the last.
    case index(Int)
    /// The picture the container carries for itself, such as cover art.
    case embedded
    /// The best of a few frames near a tenth of the play length; see `PosterScore`.
    ///
    /// Keyframes near there are looked at first; one a quarter of a second before will do. The
    /// search ends at a frame that is clearly good, else with the first round that holds a good one:
    /// keyframes near, exact frames near, keyframes anywhere, exact frames anywhere.
    case auto
}

/// A picture that stands for a sequence.
public struct Poster: Sendable {
    /// The picture.
    public let bitmap: Bitmap
    /// Its place in the sequence; nil for an embedded one.
    public let timing: FrameTiming?
    /// What `.auto` chose among, in the order looked at; empty for other choices.
    public let candidates: [PosterCandidate]

    init(_ frame: Frame, candidates: [PosterCandidate] = []) {
        bitmap = frame.bitmap
        timing = frame.timing
        self.candidates = candidates
    }

    init(embedded bitmap: Bitmap) {
        self.bitmap = bitmap
        timing = nil
        candidates = []
    }
}

/// A frame that `.auto` looked at.
public struct PosterCandidate: Sendable {
    /// Its place in the sequence.
    public let timing: FrameTiming
    /// How well it would stand for the sequence.
    public let score: PosterScore
}
