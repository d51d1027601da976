internal import LazyMedia

/// Decides what of each frame is coded, and how; frames go in one by one, in their order.
struct WebPPlanner {
    /// What the canvas shows, as the next frame is compared with it.
    private enum Canvas {
        case nothing
        /// Coded from planes, lossily.
        case planes(WebPHeldPlanes)
        /// Coded from these pixels, lossily or not.
        case pixels(Bitmap)
    }

    /// How a frame is coded.
    private enum Way { case planes, translucent, exact }

    private let settings: WebPSettings
    private let tolerance: WebPHeldPlanes.Tolerance
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
                .unsupported,
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
            canvas = .planes(WebPHeldPlanes(picture, tolerance))
            return WebPFrameJob(
                rect: picture.size.whole,
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
        var below: Bitmap?
        var rect = bitmap.size.whole
        if case .pixels(let previous) = canvas {
            guard let change = WebPChange(from: previous, to: bitmap) else { return nil }
            rect = change.rect
            let unchanged = rect.width * rect.height - change.count
            if isExact, change.isOpaque, unchanged > 0 { below = previous }
        }
        canvas = .pixels(bitmap)
        return WebPFrameJob(
            rect: rect, content: isExact ? .exact(bitmap, over: below) : .translucent(bitmap))
    }
}

extension PixelSize {
    /// All of a picture.
    var whole: PixelRect { PixelRect(x: 0, y: 0, width: width, height: height) }
}
