public import LazyMedia

extension Rendition {
    /// Many small pictures of a clip on a few large ones, for the previews of a player's timeline.
    ///
    /// The edit has the size of a tile, 160 pixels wide without one, the gravity of crops, and the part of the clip that
    /// tiles are distributed over (one segment), whose times stay those of the clip, so that a player of the whole clip
    /// finds its tiles.
    public struct Sheet: Hashable, Sendable {
        /// The precision of a tile's time.
        public enum Precision: String, CaseIterable, Hashable, Sendable {
            /// A keyframe within half an interval if there is one, else the frame on screen at that time,
            /// decoded without deblocking, which is not visible at a tile's size.
            case near
            /// The frame on screen at that time, decoded exactly.
            case exact
            /// The nearest keyframe, at any distance.
            case keyframes
        }

        /// The time from one tile to the next; nil follows from `count`, or from the clip's length.
        public var interval: Duration?
        /// The number of tiles; nil follows from `interval`, or from columns and rows.
        public var count: Int?
        /// Tiles side by side.
        public var columns: Int
        /// The most rows on a page; nil for as many as fit.
        public var rows: Int?
        /// Pixels between tiles.
        public var gap: Int
        /// The color between and behind tiles; nil for transparency if the format has it.
        public var background: PixelColor?
        /// The precision of the tiles' times.
        public var precision: Precision
        /// Whether each tile has the time of its frame in the lower right corner, and where a chapter begins its title.
        ///
        /// Text is drawn by libass, which is loaded then.
        public var stampsTime = false
        /// Whether every page has all columns and rows, also where there are not enough tiles.
        public var fillsPages = false
        /// Whether name, format, size and length of the file precede the tiles of the first page.
        public var hasHeading = false
        /// The files that describe the pages: WebVTT and JSON.
        public var indexes: [Index] = []

        /// Makes a layout.
        ///
        /// By default there is one tile per second, a hundred tiles of a long clip, ten of a short one, or all
        /// frames of a short animation, with ten tiles per row.
        public init(
            interval: Duration? = nil, count: Int? = nil, columns: Int = 10, rows: Int? = nil,
            gap: Int = 0, background: PixelColor? = nil, precision: Precision = .near
        ) {
            self.interval = interval
            self.count = count
            self.columns = columns
            self.rows = rows
            self.gap = gap
            self.background = background
            self.precision = precision
        }

        static let usualTile = TargetSize(width: 160)
    }
}
