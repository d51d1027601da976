public import LazyEditing
public import LazyMedia

/// What a sprite sheet is to look like.
public struct SheetLayout: Hashable, Sendable {
    /// How true a tile is to its time.
    public enum Precision: String, CaseIterable, Hashable, Sendable {
        /// A keyframe where one is within half an interval, else the frame on screen at that time,
        /// decoded without the deblocking that nobody sees at a tile's size.
        case near
        /// The frame that is on screen at that time, with the pixels that it has in the clip.
        case exact
        /// The nearest keyframe, however far it is.
        case keyframes
    }

    /// The time from one tile to the next; nil follows from `count`, or from the clip's length.
    public var interval: Duration?
    /// The number of tiles; nil follows from `interval`, or from columns and rows.
    public var count: Int?
    /// Tiles side by side.
    public var columns: Int
    /// Rows on a page at most; nil for as many as a page has room for.
    public var rows: Int?
    /// The size of a tile.
    public var tile: TargetSize
    /// What stays where tiles are cut to their shape.
    public var gravity: Gravity
    /// Pixels between tiles.
    public var gap: Int
    /// What shows between tiles and through them; nil for nothing where the format has transparency.
    public var background: PixelColor?
    /// How true tiles are to their times.
    public var precision: Precision

    /// Makes a layout; without arguments tiles a second apart, or a hundred of a long clip, ten of a
    /// short one and all frames of a short animation, and ten tiles of 160 pixels a row.
    public init(
        interval: Duration? = nil, count: Int? = nil, columns: Int = 10, rows: Int? = nil,
        tile: TargetSize = TargetSize(width: 160), gravity: Gravity = .center, gap: Int = 0,
        background: PixelColor? = nil, precision: Precision = .near
    ) {
        self.interval = interval
        self.count = count
        self.columns = columns
        self.rows = rows
        self.tile = tile
        self.gravity = gravity
        self.gap = gap
        self.background = background
        self.precision = precision
    }
}
