internal import LazyMedia

/// The part of a decoded picture that is shown, and how it is turned.
struct PictureView: Hashable, Sendable {
    /// In pixels of the decoded picture.
    private(set) var crop: PixelRect
    private(set) var orientation = Orientation.upright

    /// Shows all of a picture.
    init(of size: PixelSize) {
        crop = PixelRect(x: 0, y: 0, width: size.width, height: size.height)
    }

    /// The size of what is shown.
    var size: PixelSize {
        orientation.turned(PixelSize(width: crop.width, height: crop.height))
    }

    /// The same part of a picture that is smaller by a factor, which divides the crop.
    func divided(by factor: Int) -> PictureView {
        var view = self
        view.crop = PixelRect(
            x: crop.x / factor, y: crop.y / factor, width: crop.width / factor,
            height: crop.height / factor)
        return view
    }

    /// Whether all of a picture of this size is shown as it is.
    func isPlain(_ size: PixelSize) -> Bool {
        orientation == .upright && crop.width == size.width && crop.height == size.height
    }

    /// Adds a transformation of what is shown so far.
    mutating func apply(_ transformation: Transformation) throws(MediaError) {
        switch transformation {
        case .rotation(let turns):
            orientation.quarterTurns = (orientation.quarterTurns + 4 - turns) % 4
        case .mirror(let isVertical):
            // A mirror after a rotation equals one before the inverse rotation; a vertical mirror is
            // a horizontal one plus half a turn.
            let half = isVertical ? 2 : 0
            orientation = Orientation(
                quarterTurns: (8 + half - orientation.quarterTurns) % 4,
                isMirrored: !orientation.isMirrored)
        case .cleanAperture(let aperture):
            guard let rect = aperture.rect(in: size) else {
                throw .heic("shows an empty part of its picture")
            }
            crop = coded(rect)
        }
    }

    /// A rectangle of what is shown as one of the decoded picture.
    private func coded(_ rect: PixelRect) -> PixelRect {
        let (right, bottom) = (
            size.width - rect.x - rect.width, size.height - rect.y - rect.height
        )
        // Turned back: distances from the left and upper edges before the rotation.
        let (x, y): (Int, Int) =
            switch orientation.quarterTurns {
            case 1: (rect.y, right)
            case 2: (right, bottom)
            case 3: (bottom, rect.x)
            default: (rect.x, rect.y)
            }
        let isSide = orientation.isTransposing
        let (width, height) = isSide ? (rect.height, rect.width) : (rect.width, rect.height)
        let left = orientation.isMirrored ? crop.width - x - width : x
        return PixelRect(x: crop.x + left, y: crop.y + y, width: width, height: height)
    }
}
