public import LazyMedia

/// The layout of tiles on the pages of a sprite sheet; pure.
public struct SheetPlan: Hashable, Sendable {
    /// A small picture and the time that it represents.
    public struct Tile: Hashable, Sendable {
        /// Its number, from 0.
        public let index: Int
        /// The time from which it is shown.
        public let start: Duration
        /// The time until which it is shown: the start of the next one, or the end of the part.
        public let end: Duration
        /// The number of the frame that it shows.
        public let frame: Int
        /// The number of its page, from 0.
        public let page: Int
        /// Its position on the page.
        public let rect: PixelRect
    }

    /// The largest side of a page in pixels that browsers and graphics cards can show.
    public static let maxSide = 16_384
    /// The most pixels of a page with automatic rows; 64 MB while it is drawn.
    public static let maxPixels = 16 << 20
    /// The most tiles.
    public static let maxTiles = 50_000

    /// The time from one tile to the next.
    public let interval: Duration
    /// The length of the clip.
    public let duration: Duration
    /// The size of each tile.
    public let tileSize: PixelSize
    /// Tiles side by side.
    public let columns: Int
    /// The sizes of the pages.
    public let pages: [PixelSize]
    /// The tiles in order of time.
    public let tiles: [Tile]
    /// The height of the text above the tiles of the first page, or 0.
    public let headerHeight: Int

    /// Lays out tiles; `timings` are those of the whole clip, and tiles are distributed over a part of it.
    ///
    /// `header` are lines of text above the tiles of the first page.
    /// `maxSide` is the limit of the format, which may be below that of a page. A part of less than ten
    /// seconds gets ten tiles, or one per frame with `showsFrames` (for animations), unless the layout
    /// says otherwise. Throws `.notWritable` if tiles do not fit a page, and for too many tiles, and
    /// `.notFound` for a range after the end.
    public init(
        _ layout: Rendition.Sheet, timings: FrameIndex, tileSize: PixelSize,
        within part: Range<Duration>? = nil, header lines: [String] = [],
        maxSide: Int = SheetPlan.maxSide, showsFrames: Bool = false
    ) throws(MediaError) {
        duration = timings.duration
        self.tileSize = tileSize
        let columns = max(1, layout.columns)
        let part = try SheetPart(part, of: timings)
        let numbers = showsFrames ? Self.frames(layout, part, timings) : nil
        let times: [Duration]
        if let numbers {
            interval = max(.milliseconds(1), part.length / numbers.count)
            times = numbers.map { max(part.start, timings.timings[$0].presentation.duration) }
        } else {
            interval = try Self.interval(layout, part)
            times = try Self.times(interval, part.length, layout).map { part.start + $0 }
        }
        self.columns = layout.fillsPages ? columns : min(columns, times.count)
        let side = min(maxSide, Self.maxSide)
        let grid = Grid(tile: tileSize, gap: max(0, layout.gap), columns: self.columns)
        let header = SheetHeader(lines, width: grid.size(rows: 1).width)
        let headerHeight = header.height
        self.headerHeight = headerHeight
        let rows = try Self.rows(layout, grid, side - headerHeight)
        let frames = FrameChoice(timings, part, interval: interval, layout.precision)
        let perPage = rows * self.columns
        pages = stride(from: 0, to: times.count, by: perPage).map { first in
            let count = layout.fillsPages ? perPage : min(perPage, times.count - first)
            return grid.size(
                rows: (count + grid.columns - 1) / grid.columns,
                below: first == 0 ? headerHeight : 0)
        }
        tiles = times.indices.map { index in
            Tile(
                index: index, start: times[index],
                end: index + 1 < times.count ? times[index + 1] : max(part.end, times[index]),
                frame: numbers?[index] ?? frames.frame(at: times[index]), page: index / perPage,
                rect: grid.rect(index % perPage, below: index < perPage ? headerHeight : 0))
        }
    }

    /// The number of tiles of a clip too short for one per second.
    private static let usualTiles = 10
    /// The most frames of a short animation that get a tile each.
    private static let maxFrames = 100

    /// The frames of a short animation, evenly sampled if there are many; nil if the layout says
    /// otherwise, and for long clips.
    private static func frames(
        _ layout: Rendition.Sheet, _ part: SheetPart, _ timings: FrameIndex
    ) -> [Int]? {
        guard layout.interval == nil, layout.count == nil, layout.rows == nil,
            part.length < .seconds(usualTiles)
        else { return nil }
        // A frame without duration is not visible.
        let shown = part.frames.filter { timings.timings[$0].duration.ticks > 0 }
        guard let first = part.frames.first else { return nil }
        guard shown.count > 1 else { return [shown.first ?? first] }
        let count = min(shown.count, maxFrames)
        return (0..<count).map { shown[$0 * shown.count / count] }
    }

    private static func interval(
        _ layout: Rendition.Sheet, _ part: SheetPart
    ) throws(MediaError) -> Duration {
        let length = part.length
        if let interval = layout.interval {
            guard interval > .zero else {
                throw MediaError(.notWritable, "The interval between tiles is not above 0.")
            }
            return interval
        }
        if let count = layout.count ?? layout.rows.map({ $0 * max(1, layout.columns) }) {
            return max(.milliseconds(1), length / max(1, count))
        }
        if length < .seconds(usualTiles) {
            return max(.milliseconds(1), length / max(1, min(usualTiles, part.frames.count)))
        }
        return max(.seconds(1), length / 100)
    }

    private static func times(
        _ interval: Duration, _ length: Duration, _ layout: Rendition.Sheet
    ) throws(MediaError) -> [Duration] {
        let all = max(1, (length / interval).rounded(.up))
        if let count = layout.count, length > .zero, Double(count) > length / .milliseconds(1) {
            throw MediaError(
                .notWritable,
                "There are at most \(Int(min(Double(maxTiles), length / .milliseconds(1)))) tiles, one a millisecond."
            )
        }
        let asked =
            layout.count
            ?? (layout.interval == nil ? layout.rows.map { $0 * max(1, layout.columns) } : nil)
        let count = asked.map { min(Double($0), all) } ?? all
        guard count <= Double(maxTiles) else {
            throw MediaError(
                .notWritable,
                "There would be more than \(maxTiles) tiles; a longer interval makes fewer.")
        }
        var times = (0..<Int(count)).map { interval.multiplied(by: $0) }
        // A remainder below a millisecond is a rounding error, not a tile.
        if let last = times.last, last > .zero, length - last < .milliseconds(1) {
            times.removeLast()
        }
        return times
    }

    private static func rows(
        _ layout: Rendition.Sheet, _ grid: Grid, _ side: Int
    ) throws(MediaError) -> Int {
        let width = grid.size(rows: 1).width
        guard width <= side else {
            throw MediaError(
                .notWritable,
                "\(grid.columns) tiles of \(grid.tile.width) pixels are wider than a page of \(side)."
            )
        }
        if let rows = layout.rows {
            guard grid.size(rows: 1).height <= side,
                (side + grid.gap) / (grid.tile.height + grid.gap) >= rows
            else {
                throw MediaError(
                    .notWritable,
                    "\(rows) rows of \(grid.tile.height) pixels are higher than a page of \(side).")
            }
            return max(1, rows)
        }
        let most = min(side, max(grid.tile.height, maxPixels / width))
        guard grid.tile.height <= side else {
            throw MediaError(
                .notWritable,
                "A tile of \(grid.tile.height) pixels is higher than a page of \(side).")
        }
        return max(1, (most + grid.gap) / (grid.tile.height + grid.gap))
    }
}

/// Tiles of one size in rows and columns with gaps between them.
private struct Grid {
    let tile: PixelSize
    let gap: Int
    let columns: Int

    func size(rows: Int, below header: Int = 0) -> PixelSize {
        PixelSize(
            width: columns * (tile.width + gap) - gap,
            height: header + rows * (tile.height + gap) - gap)
    }

    func rect(_ place: Int, below header: Int) -> PixelRect {
        PixelRect(
            x: place % columns * (tile.width + gap),
            y: header + place / columns * (tile.height + gap),
            width: tile.width, height: tile.height)
    }
}

/// Chooses the frame for a time.
private struct FrameChoice {
    private let timings: FrameIndex
    private let keys: [(index: Int, time: Duration)]
    private let precision: Rendition.Sheet.Precision
    private let tolerance: Duration

    init(
        _ timings: FrameIndex, _ part: SheetPart, interval: Duration,
        _ precision: Rendition.Sheet.Precision
    ) {
        self.timings = timings
        self.precision = precision
        tolerance = interval / 2
        let keys = precision == .exact ? [] : Self.keys(timings.timings[part.frames])
        // Keyframes around a part without one are better than none.
        self.keys = keys.isEmpty && precision == .keyframes ? Self.keys(timings.timings[...]) : keys
    }

    private static func keys(
        _ timings: ArraySlice<FrameTiming>
    ) -> [(index: Int, time: Duration)] {
        timings.compactMap { $0.isKeyframe ? ($0.index, $0.presentation.duration) : nil }
    }

    func frame(at time: Duration) -> Int {
        // A fraction of the clip's length may be rounded to just before the frame that starts there.
        let exact = timings.frame(at: time + SheetPart.nearness) ?? 0
        guard precision != .exact, let key = nearestKey(to: time) else { return exact }
        // A keyframe half an interval later belongs to the next tile.
        let isNear = key.time >= time - tolerance && key.time < time + tolerance
        return isNear || precision == .keyframes ? key.index : exact
    }

    private func nearestKey(to time: Duration) -> (index: Int, time: Duration)? {
        var low = 0
        var high = keys.count
        while low < high {
            let middle = (low + high) / 2
            if keys[middle].time <= time { low = middle + 1 } else { high = middle }
        }
        let before = low > 0 ? keys[low - 1] : nil
        guard low < keys.count else { return before }
        guard let before else { return keys[low] }
        return time - before.time <= keys[low].time - time ? before : keys[low]
    }
}
