package import LazyMedia

/// Where a picture lies on another.
package enum OverlayPosition: Hashable, Sendable {
    /// Its upper left corner, which may be outside.
    case corner(x: Int, y: Int)
    /// By a gravity, so many pixels from the edges.
    case gravity(Gravity, margin: Int)

    /// The upper left corner of a picture of a size.
    ///
    /// A margin shrinks where both do not fit. Of a picture that is larger, the part that the gravity
    /// names is inside.
    package func origin(of picture: PixelSize, on whole: PixelSize) -> (x: Int, y: Int) {
        switch self {
        case .corner(let x, let y): return (x, y)
        case .gravity(let gravity, let margin):
            let free = min(whole.width - picture.width, whole.height - picture.height)
            let margin = min(max(0, margin), max(0, free) / 2)
            let focus = gravity.focus ?? (0.5, 0.5)
            return (
                margin + Self.start(focus.x, picture.width, whole.width - 2 * margin),
                margin + Self.start(focus.y, picture.height, whole.height - 2 * margin)
            )
        }
    }

    private static func start(_ focus: Double, _ length: Int, _ whole: Int) -> Int {
        guard length <= whole else { return Int(focus * Double(whole - length)) }
        let offset = focus * Double(whole) - Double(length) / 2
        return CropAlignment.pixel.start(offset, max: whole - length)
    }
}
