/// A rectangle of whole pixels; the origin is the upper left corner.
public struct PixelRect: Hashable, Sendable, CustomStringConvertible {
    /// The first column.
    public var x: Int
    /// The first row.
    public var y: Int
    /// The number of columns.
    public var width: Int
    /// The number of rows.
    public var height: Int

    /// Makes a rectangle.
    public init(x: Int, y: Int, width: Int, height: Int) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }

    /// The rectangle as `320x240+10+20`.
    public var description: String { "\(width)x\(height)+\(x)+\(y)" }

    /// The part of it inside a picture of a size, or nil where they do not overlap.
    public func clipped(to size: PixelSize) -> PixelRect? {
        let (right, farRight) = x.addingReportingOverflow(max(0, width))
        let (bottom, farDown) = y.addingReportingOverflow(max(0, height))
        let left = max(0, x)
        let top = max(0, y)
        let columns = min(size.width, farRight ? .max : right) - left
        let rows = min(size.height, farDown ? .max : bottom) - top
        guard left < size.width, top < size.height, columns > 0, rows > 0 else { return nil }
        return PixelRect(x: left, y: top, width: columns, height: rows)
    }
}

extension PixelRect {
    /// A rectangle without pixels.
    package static let empty = PixelRect(x: 0, y: 0, width: 0, height: 0)

    /// The whole picture.
    package init(_ size: PixelSize) {
        self.init(x: 0, y: 0, width: size.width, height: size.height)
    }

    /// The column after the last.
    package var right: Int { x + width }
    /// The row after the last.
    package var bottom: Int { y + height }
    /// Whether it has no pixel.
    package var isEmpty: Bool { width == 0 || height == 0 }
    /// The number of its pixels.
    package var pixelCount: Int { width * height }

    /// The smallest rectangle that contains both.
    package func union(_ other: PixelRect) -> PixelRect {
        if isEmpty { return other }
        if other.isEmpty { return self }
        let (left, top) = (min(x, other.x), min(y, other.y))
        return PixelRect(
            x: left, y: top, width: max(right, other.right) - left,
            height: max(bottom, other.bottom) - top)
    }

    /// Whether another rectangle is inside.
    package func covers(_ other: PixelRect) -> Bool { other.isEmpty || union(other) == self }
}
