/// How an image is laid out in its bounds.
public enum ContentMode: String, CaseIterable, Sendable {
    /// The largest size that fits the bounds, keeping the aspect ratio.
    case aspectFit
    /// The smallest size that covers the bounds, keeping the aspect ratio and centered. The default.
    case aspectFill
    /// Exactly the bounds, ignoring the aspect ratio.
    case fill
    /// At its own size, centered.
    case center
}

/// A rectangle in the units of a UI toolkit, relative to the top left corner of the bounds.
public struct LayoutRect: Hashable, Sendable {
    /// The left edge; negative if the image overflows.
    public var x: Double
    /// The top edge; negative if the image overflows.
    public var y: Double
    /// The width.
    public var width: Double
    /// The height.
    public var height: Double

    /// Creates a rectangle.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }
}

extension ContentMode {
    /// The frame of an image within bounds of a size; empty if either is empty.
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
