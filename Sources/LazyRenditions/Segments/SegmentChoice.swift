/// The segments that were selected of a clip, and why.
public struct SegmentChoice: Sendable {
    /// The reason for a selection.
    public enum Reason: String, Sendable {
        /// They were given.
        case given
        /// The clip is short enough to be taken whole.
        case whole
        /// They scored best.
        case best
        /// The segment returns to its start, so that it loops seamlessly.
        case loop
    }

    /// The reason.
    public var reason: Reason
    /// The segments in order of time; empty if the whole clip is taken.
    public var segments: [Range<Duration>] = []
    /// All segments that were scored, in order of time.
    public var candidates: [Candidate] = []

    /// A segment that was scored.
    public struct Candidate: Hashable, Sendable {
        /// Its range of time.
        public var range: Range<Duration>
        /// Its score.
        public var score: SegmentScore
        /// Whether it was chosen.
        public var isChosen = false
    }

    /// The total length of the segments.
    public var duration: Duration {
        segments.reduce(.zero) { $0 + ($1.upperBound - $1.lowerBound) }
    }
}

/// A score of how well a segment represents a clip; every part is 0 (bad) to 1 (good).
///
/// Deterministic: fixed thresholds over small copies of some frames.
public struct SegmentScore: Hashable, Sendable {
    /// The quality of the pictures by `PosterScore`: exposure, sharpness, color; the worst counts most.
    public var picture: Double
    /// Motion beyond that of the camera.
    public var motion: Double
    /// A camera that is still or moves evenly.
    public var steadiness: Double
    /// No cut inside.
    public var unity: Double
    /// No fade inside.
    public var constancy: Double

    /// The product of the parts, in which a lack of motion weighs less than a bad picture.
    public var total: Double {
        let looks = (0.05 + 0.95 * picture) * (0.15 + 0.85 * motion)
        return looks * (0.4 + 0.6 * steadiness) * (0.1 + 0.9 * unity) * (0.1 + 0.9 * constancy)
    }
}
