internal import LazyMedia

/// Which pieces of a clip were chosen, and why.
public struct SegmentChoice: Sendable {
    /// Why these pieces and no others.
    public enum Reason: String, Sendable {
        /// They were asked for.
        case given
        /// The clip is short enough to be taken whole.
        case whole
        /// They scored best of what was looked at.
        case best
        /// The piece comes back to where it began, so that it loops without a seam.
        case loop
    }

    /// Why.
    public var reason: Reason
    /// The pieces in order of time; empty where the whole clip is taken.
    public var segments: [Range<Duration>] = []
    /// All pieces that were weighed, in order of time.
    public var candidates: [Candidate] = []

    /// A piece that was weighed.
    public struct Candidate: Hashable, Sendable {
        /// Where it is.
        public var range: Range<Duration>
        /// How well it would stand for the clip.
        public var score: SegmentScore
        /// Whether it was chosen.
        public var isChosen = false
    }

    /// How long the pieces are together.
    public var duration: Duration {
        segments.reduce(.zero) { $0 + ($1.upperBound - $1.lowerBound) }
    }
}

/// How well a piece of a clip would stand for it; every part is 0 (bad) to 1 (good).
///
/// Deterministic: fixed thresholds over small copies of some frames.
public struct SegmentScore: Hashable, Sendable {
    /// The pictures by themselves: lit, sharp, rich; after `PosterScore`, the darkest counting most.
    public var picture: Double
    /// Something moves, beyond what the camera does.
    public var motion: Double
    /// The camera stands or moves evenly.
    public var steadiness: Double
    /// No cut inside.
    public var unity: Double
    /// No fade inside.
    public var constancy: Double

    /// The whole: a product, in which a want of motion weighs less than a want of light.
    public var total: Double {
        let looks = (0.05 + 0.95 * picture) * (0.15 + 0.85 * motion)
        return looks * (0.4 + 0.6 * steadiness) * (0.1 + 0.9 * unity) * (0.1 + 0.9 * constancy)
    }
}
