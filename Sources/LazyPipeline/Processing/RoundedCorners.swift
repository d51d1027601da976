internal import LazyEditing
public import LazyMedia

extension ImageProcessors {
    /// A line along the inner edge of an image.
    public struct Border: Hashable, Sendable, CustomStringConvertible {
        /// The color.
        public let color: PixelColor
        /// The width in pixels.
        public let width: Double

        /// Creates a border.
        public init(color: PixelColor, width: Double = 1) {
            self.color = color
            self.width = width.isFinite ? max(0, width) : 0
        }

        /// Color and width, such as `ff0000ff/2.0`.
        public var description: String { "\(color)/\(width)" }
    }

    /// Crops images to the largest centered circle, with an anti-aliased edge.
    public struct Circle: ImageProcessing, Hashable {
        /// The line along the edge, or nil.
        public let border: Border?
        /// `lazyimg/circle` with the border.
        public let identifier: String

        /// Creates a processor.
        public init(border: Border? = nil) {
            self.border = border
            identifier = "lazyimg/circle" + (border.map { "?border=\($0)" } ?? "")
        }

        /// The size of the square around the circle.
        public func outputSize(for size: PixelSize) -> PixelSize {
            Self.square.outputSize(for: size)
        }

        /// Crops an image to the circle.
        public func process(
            _ bitmap: Bitmap, context: ProcessingContext
        ) throws(ProcessingError) -> Bitmap {
            let picture = try Self.square.processed(bitmap)
            let radius = Double(picture.size.width) / 2
            return try RoundedCorners(radius: radius, border: border).process(
                picture, context: context)
        }

        private static let square = EditStep.crop(.ratio(1, 1), .center)
    }

    /// Rounds the corners of images, with anti-aliased edges.
    public struct RoundedCorners: ImageProcessing, Hashable {
        /// The radius in pixels, limited to half of the shorter side.
        public let radius: Double
        /// The line along the edge, or nil.
        public let border: Border?
        /// `lazyimg/corners` with all parameters.
        public let identifier: String

        /// Creates a processor.
        public init(radius: Double, border: Border? = nil) {
            self.radius = radius.isFinite ? max(0, radius) : 0
            self.border = border
            identifier = "lazyimg/corners?r=\(self.radius)" + (border.map { ",border=\($0)" } ?? "")
        }

        /// Returns the size unchanged.
        public func outputSize(for size: PixelSize) -> PixelSize { size }

        /// Makes the corners transparent and draws the border.
        public func process(
            _ bitmap: Bitmap, context: ProcessingContext
        ) throws(ProcessingError) -> Bitmap {
            let outline = Outline(bitmap.size, radius: radius, border: border)
            let isOpaque = bitmap.isOpaque && radius == 0
            return try bitmap.makingPixels(size: bitmap.size, isOpaque: isOpaque) { from, to in
                for y in 0..<bitmap.size.height {
                    let row = y * bitmap.size.width
                    outline.draw(row: y, from + row, into: to + row)
                }
            }
        }
    }
}

/// A rectangle with round corners over an image, and its coverage of each pixel.
private struct Outline {
    private let size: PixelSize
    private let radius: Double
    private let borderWidth: Double
    private let color: Pixel
    /// The distance from the edge within which pixels may change.
    private let reach: Int

    init(_ size: PixelSize, radius: Double, border: ImageProcessors.Border?) {
        self.size = size
        let most = Double(min(size.width, size.height)) / 2
        self.radius = min(radius, most)
        borderWidth = border.map { min($0.width, most) } ?? 0
        color = border?.color.pixel ?? .zero
        reach = Int(max(self.radius, borderWidth).rounded(.up)) + 1
    }

    func draw(row y: Int, _ from: UnsafePointer<Pixel>, into to: UnsafeMutablePointer<Pixel>) {
        let isMiddle = y >= reach && y < size.height - reach
        let touched = isMiddle && borderWidth == 0 ? 0 : reach
        // In rows at the top and bottom, only a border extends between the corners.
        let isEdge = !isMiddle && borderWidth > 0
        let left = isEdge ? size.width : min(touched, size.width)
        let right = max(left, size.width - touched)
        for x in 0..<left { to[x] = pixel(from[x], x, y) }
        if right > left { (to + left).update(from: from + left, count: right - left) }
        for x in right..<size.width { to[x] = pixel(from[x], x, y) }
    }

    private func pixel(_ picture: Pixel, _ x: Int, _ y: Int) -> Pixel {
        let depth = depth(x, y)
        let covered = min(max(depth + 0.5, 0), 1)
        guard covered > 0 else { return .zero }
        var result = picture
        if borderWidth > 0 {
            let inside = min(max(depth - borderWidth + 0.5, 0), 1)
            result = over(color, opacity: UInt32((255 * (1 - inside)).rounded()), picture)
        }
        result.w = UInt8(truncatingIfNeeded: Int((Double(result.w) * covered).rounded()))
        return result.w == 0 ? .zero : result
    }

    /// The distance of a pixel's center from the outline; negative outside.
    private func depth(_ x: Int, _ y: Int) -> Double {
        let across = min(Double(x) + 0.5, Double(size.width) - Double(x) - 0.5)
        let down = min(Double(y) + 0.5, Double(size.height) - Double(y) - 0.5)
        guard across < radius, down < radius else { return min(across, down) }
        let (dx, dy) = (radius - across, radius - down)
        return radius - (dx * dx + dy * dy).squareRoot()
    }
}
