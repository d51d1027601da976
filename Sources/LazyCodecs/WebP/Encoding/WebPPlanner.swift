internal import LazyMedia

/// Decides what of each frame is coded, and how; frames are added in order.
struct WebPPlanner {
    /// The canvas that the next frame is compared with.
    private enum Canvas {
        case nothing
        /// Coded lossily from planes.
        case planes(WebPReferencePlanes)
        /// Coded from these pixels, with the last frame's rectangle.
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

    /// The job for a frame; nil where it equals the previous one.
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

    /// Keeps the previous decision where it is unclear: each change codes a whole frame.
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
        // Pixels became transparent: clearing the previous frame may cost less.
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
    /// The number of equal pixels in the rectangle.
    fileprivate var unchanged: Int { rect.width * rect.height - count }
    /// An estimate of the cost of coding; transparent pixels cost little.
    fileprivate var cost: Int { isOpaque ? count + unchanged / 8 : rect.width * rect.height }
}
