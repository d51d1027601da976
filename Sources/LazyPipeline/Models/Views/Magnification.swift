/// The zoom and pan of an image.
///
/// A toolkit reports pinches, wheel events and drags in its own units; the scale stays in its range,
/// the point under the pointer stays in place, and no more empty space is shown than necessary.
///
/// ```swift
/// var magnification = Magnification()
/// magnification.scale(by: 2, around: (30, 40), of: rect, in: place)
/// draw(picture, in: magnification.frame(of: rect, in: place))
/// ```
public struct Magnification: Hashable, Sendable {
    /// The allowed scales; by default from 1 to 4.
    public let range: ClosedRange<Double>
    /// The scale, relative to the image's layout without magnification.
    public private(set) var scale: Double
    /// The horizontal offset of the image's center.
    public private(set) var x = 0.0
    /// The vertical offset of the image's center.
    public private(set) var y = 0.0

    /// Creates a magnification of scale 1, clamped to the range.
    public init(range: ClosedRange<Double> = 1...4) {
        self.range = range
        scale = min(max(1, range.lowerBound), range.upperBound)
    }

    /// The magnified frame of an image laid out in `rect`, within bounds of a size.
    public func frame(
        of rect: LayoutRect, in place: (width: Double, height: Double)
    ) -> LayoutRect {
        let (width, height) = (rect.width * scale, rect.height * scale)
        return LayoutRect(
            x: Self.edge(of: width, middle: rect.x + rect.width / 2 + x, in: place.width),
            y: Self.edge(of: height, middle: rect.y + rect.height / 2 + y, in: place.height),
            width: width, height: height)
    }

    /// Scales the image around a point of the bounds.
    public mutating func scale(
        by factor: Double, around point: (x: Double, y: Double), of rect: LayoutRect,
        in place: (width: Double, height: Double)
    ) {
        guard factor.isFinite, factor > 0 else { return }
        let new = min(max(scale * factor, range.lowerBound), range.upperBound)
        let shown = frame(of: rect, in: place)
        let ratio = new / scale
        let middle = (shown.x + shown.width / 2, shown.y + shown.height / 2)
        scale = new
        moveMiddle(
            to: (
                point.x + (middle.0 - point.x) * ratio, point.y + (middle.1 - point.y) * ratio
            ), of: rect, in: place)
    }

    /// Moves the image as far as its edges allow.
    public mutating func move(
        by distance: (x: Double, y: Double), of rect: LayoutRect,
        in place: (width: Double, height: Double)
    ) {
        guard distance.x.isFinite, distance.y.isFinite else { return }
        let shown = frame(of: rect, in: place)
        moveMiddle(
            to: (
                shown.x + shown.width / 2 + distance.x, shown.y + shown.height / 2 + distance.y
            ), of: rect, in: place)
    }

    /// Resets scale and offset.
    public mutating func reset() { self = Magnification(range: range) }

    private mutating func moveMiddle(
        to middle: (x: Double, y: Double), of rect: LayoutRect,
        in place: (width: Double, height: Double)
    ) {
        x = middle.x - rect.x - rect.width / 2
        y = middle.y - rect.y - rect.height / 2
        // Clamped, so that moving back starts at the edge.
        let shown = frame(of: rect, in: place)
        x = shown.x + shown.width / 2 - rect.x - rect.width / 2
        y = shown.y + shown.height / 2 - rect.y - rect.height / 2
    }

    /// Centers what is smaller than the bounds; keeps what is larger covering them.
    private static func edge(of length: Double, middle: Double, in place: Double) -> Double {
        if length <= place { return (place - length) / 2 }
        return min(max(middle - length / 2, place - length), 0)
    }
}
