extension Rendition {
    /// The metadata, in JSON.
    public struct Facts: Hashable, Sendable {
        /// Whether the time of each frame is listed.
        public var listsFrames: Bool
        /// Whether a film's header is enough, so that its frames are not counted where it does not say their number.
        package var isQuick = false

        /// Makes a wish.
        public init(listsFrames: Bool = false) { self.listsFrames = listsFrames }
    }
}
