public import LazyMedia

extension Rendition {
    /// A small animation that represents a clip: which parts of it, and how often it plays.
    ///
    /// What is nil or not in the edit is as usual: at most 320 pixels wide and never enlarged; the best segments of
    /// the clip, or all of a short one; all frames of a source below 20 frames per second, and 10 per second of others.
    /// Flat art of up to 480 pixels keeps its size, since slight scaling blurs it and makes it larger. Of pictures that
    /// somebody has listed all are used.
    public struct Animation: Hashable, Sendable {
        /// The total length of the selected segments, at the speed of the clip; nil for 3 seconds, or all of a short
        /// animation.
        public var length: Duration?
        /// The most segments that are selected; nil for 3.
        public var pieces: Int?
        /// The transition from the end to the beginning.
        public var seam: LoopSeam
        /// How often it plays, if the type can say so.
        public var looping: Looping

        /// Makes an animation; without arguments as usual, forever.
        public init(
            length: Duration? = nil, pieces: Int? = nil, seam: LoopSeam = .auto,
            looping: Looping = .forever
        ) {
            self.length = length
            self.pieces = pieces
            self.seam = seam
            self.looping = looping
        }

        /// 320 pixels wide, never enlarged.
        static let usualSize = TargetSize(width: 320, fit: .scaleDown)
    }
}

/// The transition from the end of an animation to its beginning.
public enum LoopSeam: String, CaseIterable, Hashable, Sendable {
    /// A segment that returns to its start is cut there; otherwise none.
    case auto
    /// A cut.
    case none
    /// A cross-fade from the end to the beginning.
    case crossfade
    /// Forwards, then backwards.
    case bounce
}
