/// A width and height in whole pixels; both at least 1.
public struct PixelSize: Hashable, Sendable, CustomStringConvertible {
    /// Columns.
    public let width: Int
    /// Rows.
    public let height: Int

    /// Makes a size from two positive numbers; anything below 1 is a programming error.
    public init(width: Int, height: Int) {
        precondition(width > 0 && height > 0, "a picture has at least one pixel")
        self.width = width
        self.height = height
    }

    /// Makes a size from numbers read in a file, or nil where they are no valid size.
    ///
    /// Nil when a side is below 1 or when the RGBA8 bytes would overflow an `Int32` of rows or an `Int`
    /// of bytes: no later multiplication of this size can overflow.
    public init?(checking width: Int, _ height: Int) {
        guard width > 0, height > 0, width <= Int(Int32.max) / 8, height <= Int(Int32.max) / 8,
            !width.multipliedReportingOverflow(by: height * 8).overflow
        else { return nil }
        self.width = width
        self.height = height
    }

    /// The number of pixels.
    public var pixelCount: Int { width * height }

    /// The bytes of the picture as RGBA8 rows without padding.
    public var rgbaByteCount: Int { pixelCount * 4 }

    /// The size with width and height swapped, as after a quarter turn.
    public var transposed: PixelSize { PixelSize(width: height, height: width) }

    /// The size with both sides even, as video is written: at most one column and one row more.
    package var even: PixelSize { PixelSize(width: (width + 1) & ~1, height: (height + 1) & ~1) }

    /// The size as `640x360`.
    public var description: String { "\(width)x\(height)" }
}
