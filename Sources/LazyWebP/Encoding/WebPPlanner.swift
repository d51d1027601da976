internal import LazyMedia

/// Decides what of each frame is coded, and how; frames go in one by one, in their order.
struct WebPPlanner {
    /// What the canvas shows, as the next frame is compared with it.
    private enum Canvas {
        case nothing
        /// Coded from planes, lossily.
        case planes(WebPReferencePlanes)
        /// Coded from these pixels, lossily or not; the rectangle is that of the last frame.
        case pixels(Bitmap, PixelRect)
    }

    /// How a frame is coded.
    private enum Way { case planes, translucent, exact }

    private let settings: WebPSettings
    private let tolerance: WebPReferencePlanes.Tolerance
    private var canvas = Canvas.nothing
    private var size: PixelSize?
    private var isFlat = false

    init(_ settings: WebPSettings) {
        self.settings = settings
        tolerance = .init(step: settings.step)
    }

    /// What is to be coded for a frame; nil where it looks like the one before.
    mutating func plan(_ frame: Frame) throws(MediaError) -> WebPFrameJob? {
        let bitmap = frame.bitmap
        let size = size ?? bitmap.size
        guard size == bitmap.size else {
            throw MediaError(
                .notWritable,
                "A WebP of \(size) has no room for a frame of \(bitmap.size).")
        }
        try WebPSettings.check(size)
        self.size = size
        switch way(frame) {
        case .planes: return try planPlanes(frame)
        case .translucent: return planPixels(bitmap, isExact: false)
        case .exact: return planPixels(bitmap, isExact: true)
        }
    }

    private mutating func way(_ frame: Frame) -> Way {
        if settings.lossless == true { return .exact }
        if settings.lossless == nil, frame.planes == nil, isFlat(frame.bitmap) { return .exact }
        return frame.planes != nil || frame.bitmap.isOpaqueThroughout ? .planes : .translucent
    }

    /// Keeps to what it was where a picture is neither for certain: each change codes a whole frame.
    private mutating func isFlat(_ bitmap: Bitmap) -> Bool {
        switch WebPContent(bitmap) {
        case .flat: isFlat = true
        case .natural: isFlat = false
        case .unclear: break
        }
        return isFlat
    }

    private mutating func planPlanes(_ frame: Frame) throws(MediaError) -> WebPFrameJob? {
        let picture: PlanarPicture
        if let planes = frame.planes {
            picture = try planes.converted(to: .bt601)
        } else {
            picture = try frame.bitmap.planes()
        }
        guard case .planes(var held) = canvas else {
            canvas = .planes(WebPReferencePlanes(picture, tolerance))
            return WebPFrameJob(
                rect: PixelRect(picture.size),
                content: .planes(picture, WebPBlocks(picture.size, all: true)))
        }
        canvas = .nothing
        let blocks = held.update(picture)
        canvas = .planes(held)
        return blocks.rect(in: picture.size).map { rect in
            WebPFrameJob(rect: rect, content: .planes(picture, blocks))
        }
    }

    private mutating func planPixels(_ bitmap: Bitmap, isExact: Bool) -> WebPFrameJob? {
        guard case .pixels(let previous, let last) = canvas else {
            canvas = .pixels(bitmap, PixelRect(bitmap.size))
            return WebPFrameJob(
                rect: PixelRect(bitmap.size),
                content: isExact ? .exact(bitmap, over: nil) : .translucent(bitmap))
        }
        guard var change = WebPChange(from: previous, to: bitmap) else { return nil }
        var cleared: PixelRect?
        // Something vanished: clearing the frame before may leave less to do.
        if !change.isOpaque,
            let other = WebPChange(from: previous, cleared: last, to: bitmap),
            other.cost < change.cost
        {
            (change, cleared) = (other, last)
        }
        canvas = .pixels(bitmap, change.rect)
        let showsThrough = isExact && change.isOpaque && change.unchanged > 0
        var job = WebPFrameJob(
            rect: change.rect,
            content: isExact
                ? .exact(bitmap, over: showsThrough ? previous : nil) : .translucent(bitmap))
        job.cleared = cleared
        return job
    }
}

extension WebPChange {
    /// The pixels of the rectangle that do not differ.
    fileprivate var unchanged: Int { rect.width * rect.height - count }
    /// What coding it costs, about: what shows through costs little.
    fileprivate var cost: Int { isOpaque ? count + unchanged / 8 : rect.width * rect.height }
}
