/// How a picture is looked at more closely: how much larger, and moved to where.
///
/// A toolkit tells it of pinches, wheels and drags in its own units; it keeps to its range, keeps the
/// point under the fingers where it is, and never shows more beyond an edge than there has to be.
///
/// ```swift
/// var magnification = Magnification()
/// magnification.scale(by: 2, around: (30, 40), of: rect, in: place)
/// draw(picture, in: magnification.frame(of: rect, in: place))
/// ```
public struct Magnification: Hashable, Sendable {
    /// The scales that are allowed; from the picture as it lies to four times that.
    public let range: ClosedRange<Double>
    /// How much larger the picture is shown than it lies.
    public private(set) var scale: Double
    /// How far the middle of the picture has been moved to the right.
    public private(set) var x = 0.0
    /// How far the middle of the picture has been moved down.
    public private(set) var y = 0.0

    /// Makes one that shows the picture as it lies, or as near to that as the range allows.
    public init(range: ClosedRange<Double> = 1...4) {
        self.range = range
        scale = min(max(1, range.lowerBound), range.upperBound)
    }

    /// Where a picture is shown that lies in a rectangle of a place without it.
    public func frame(
        of rect: LayoutRect, in place: (width: Double, height: Double)
    ) -> LayoutRect {
        let (width, height) = (rect.width * scale, rect.height * scale)
        return LayoutRect(
            x: Self.edge(of: width, middle: rect.x + rect.width / 2 + x, in: place.width),
            y: Self.edge(of: height, middle: rect.y + rect.height / 2 + y, in: place.height),
            width: width, height: height)
    }

    /// Makes the picture larger or smaller, around a point of the place.
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

    /// Moves the picture, as far as its edges allow.
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

    /// Shows the picture as it lies again.
    public mutating func reset() { self = Magnification(range: range) }

    private mutating func moveMiddle(
        to middle: (x: Double, y: Double), of rect: LayoutRect,
        in place: (width: Double, height: Double)
    ) {
        x = middle.x - rect.x - rect.width / 2
        y = middle.y - rect.y - rect.height / 2
        // Kept as it is shown, so that the way back begins at the edge.
        let shown = frame(of: rect, in: place)
        x = shown.x + shown.width / 2 - rect.x - rect.width / 2
        y = shown.y + shown.height / 2 - rect.y - rect.height / 2
    }

    /// What is smaller than the place lies in its middle, what is larger covers it.
    private static func edge(of length: Double, middle: Double, in place: Double) -> Double {
        if length <= place { return (place - length) / 2 }
        return min(max(middle - length / 2, place - length), 0)
    }
}
