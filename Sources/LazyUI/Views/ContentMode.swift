/// How a picture lies in the place it has.
public enum ContentMode: String, CaseIterable, Sendable {
    /// As large as fits inside, in its shape.
    case aspectFit
    /// As small as covers the place, in its shape; what stands over is cut off evenly. The default.
    case aspectFill
    /// Exactly the place, whatever becomes of the shape.
    case fill
    /// At its own size in the middle.
    case center
}

/// A rectangle in the units of a toolkit, from the top left corner of the place.
public struct LayoutRect: Hashable, Sendable {
    /// The left edge; negative where the picture stands over.
    public var x: Double
    /// The top edge; negative where the picture stands over.
    public var y: Double
    /// The distance of the right edge from the left one.
    public var width: Double
    /// The distance of the bottom edge from the top one.
    public var height: Double

    /// Makes a rectangle.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }
}

extension ContentMode {
    /// Where a picture lies in a place; nothing where either has no extent.
    public func frame(
        for picture: (width: Double, height: Double), in place: (width: Double, height: Double)
    ) -> LayoutRect {
        let sides = [picture.width, picture.height, place.width, place.height]
        guard sides.allSatisfy({ $0 > 0 && $0.isFinite }) else {
            return LayoutRect(x: 0, y: 0, width: 0, height: 0)
        }
        let ratios = (place.width / picture.width, place.height / picture.height)
        let scale: (Double, Double) =
            switch self {
            case .aspectFit: (min(ratios.0, ratios.1), min(ratios.0, ratios.1))
            case .aspectFill: (max(ratios.0, ratios.1), max(ratios.0, ratios.1))
            case .fill: ratios
            case .center: (1, 1)
            }
        let width = picture.width * scale.0
        let height = picture.height * scale.1
        return LayoutRect(
            x: (place.width - width) / 2, y: (place.height - height) / 2, width: width,
            height: height)
    }
}
