/// A picture that represents a sequence.
public struct Poster: Sendable {
    /// The picture.
    public let bitmap: Bitmap
    /// Its timing in the sequence; nil for an embedded picture.
    public let timing: FrameTiming?
    /// The frames that `.auto` considered, in that order; empty for other choices.
    public let candidates: [PosterCandidate]
    /// Damage that was found while it was decoded, such as rows that are missing.
    public let warnings: [MediaWarning]
    /// The frame with its colors and all its bits; nil for an embedded picture.
    package let frame: Frame?

    init(_ frame: Frame, warnings: [MediaWarning]) {
        self.frame = frame
        bitmap = frame.bitmap
        timing = frame.timing
        candidates = []
        self.warnings = warnings
    }

    /// A poster that was chosen among some frames.
    init(_ poster: Poster, among candidates: [PosterCandidate]) {
        frame = poster.frame
        bitmap = poster.bitmap
        timing = poster.timing
        self.candidates = candidates
        warnings = poster.warnings
    }

    init(embedded bitmap: Bitmap, warnings: [MediaWarning] = []) {
        frame = nil
        self.bitmap = bitmap
        timing = nil
        candidates = []
        self.warnings = warnings
    }
}

/// A frame that `.auto` considered.
public struct PosterCandidate: Sendable {
    /// Its timing in the sequence.
    public let timing: FrameTiming
    /// How well it represents the sequence.
    public let score: PosterScore
}
