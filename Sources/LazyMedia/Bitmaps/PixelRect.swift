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
