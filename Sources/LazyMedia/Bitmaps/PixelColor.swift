/// A color of eight bits per channel, with straight alpha.
public struct PixelColor: Hashable, Sendable, CustomStringConvertible {
    /// Red, 0 to 255.
    public var red: UInt8
    /// Green, 0 to 255.
    public var green: UInt8
    /// Blue, 0 to 255.
    public var blue: UInt8
    /// Opacity, 0 to 255.
    public var alpha: UInt8

    /// Makes a color of its channels.
    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
    }

    /// Makes an opaque color of a number such as `0xFF8000`.
    public init(_ rgb: UInt32) {
        self.init(
            red: UInt8(truncatingIfNeeded: rgb >> 16), green: UInt8(truncatingIfNeeded: rgb >> 8),
            blue: UInt8(truncatingIfNeeded: rgb))
    }

    /// Opaque black.
    public static let black = PixelColor(0x000000)
    /// Opaque white.
    public static let white = PixelColor(0xFFFFFF)

    /// The channels as eight hexadecimal digits, such as `ff8000ff`.
    public var description: String {
        [red, green, blue, alpha].map { channel in
            let digits = String(channel, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }

    /// Red, green, blue and alpha as one pixel.
    public var pixel: SIMD4<UInt8> { SIMD4(red, green, blue, alpha) }
}

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
