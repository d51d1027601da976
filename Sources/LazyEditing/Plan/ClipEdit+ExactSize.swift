package import LazyMedia

extension ClipEdit {
    /// Whether pictures have a size that was asked for exactly, which nothing may reduce.
    ///
    /// That is a placement, a border up to a size, two sides that are filled or covered, a crop of a size that is not
    /// scaled, and a crop to the ratio of a box. `picture` is the size of the edited pictures without the
    /// border, `canvas` the size with it.
    package func hasExactSize(_ picture: PixelSize, on canvas: PixelSize) -> Bool {
        if placement != nil { return true }
        if case .size(let wanted) = padding?.extent, wanted == canvas { return true }
        if let size, let width = size.width, let height = size.height {
            switch size.fit {
            case .fill, .cover: return true
            case .contain, .scaleDown:
                if shape.crop != nil, picture == PixelSize(width: width, height: height) {
                    return true
                }
            }
        }
        let isOnItsSide = shape.rotation.truncatingRemainder(dividingBy: 180) != 0
        let upright =
            isOnItsSide ? PixelSize(width: picture.height, height: picture.width) : picture
        return switch shape.crop {
        case .size(let wanted): upright == wanted
        case .rect(let rect): upright == rect.size
        case .ratio, nil: false
        }
    }
}
