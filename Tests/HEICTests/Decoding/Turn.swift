import LazyMedia
import Support

/// A transformation of a picture by the rule, pixel by pixel (ISO/IEC 23008-12, 6.5).
enum Turn: Sendable {
    /// Quarter turns, counterclockwise.
    case rotation(Int)
    /// 0 exchanges top and bottom, 1 left and right.
    case mirror(Int)
    /// Eight numbers that are four fractions: width, height, and how far the middle is from that of the picture.
    case crop([Int])

    /// The property of an item.
    var box: [UInt8] {
        switch self {
        case .rotation(let turns): HEICForge.rotation(turns)
        case .mirror(let mode): HEICForge.mirror(mode)
        case .crop(let numbers): HEICForge.aperture(numbers)
        }
    }

    /// What is shown of a picture.
    func applied(to picture: Bitmap) throws -> Bitmap {
        let (width, height) = (picture.size.width, picture.size.height)
        switch self {
        case .rotation(let turns):
            var turned = picture
            for _ in 0..<turns {
                let size = PixelSize(width: turned.size.height, height: turned.size.width)
                turned = try Self.bitmap(size) { [turned] x, y in turned[size.height - 1 - y, x] }
            }
            return turned
        case .mirror(0): return try Self.bitmap(picture.size) { picture[$0, height - 1 - $1] }
        case .mirror: return try Self.bitmap(picture.size) { picture[width - 1 - $0, $1] }
        case .crop(let numbers):
            let values = (0..<4).map { Double(numbers[2 * $0]) / Double(numbers[2 * $0 + 1]) }
            // Places between pixels are no rule's; these are libheif's.
            let columns = Self.span(values[0], values[2], width) { $0.rounded(.down) }
            let rows = Self.span(values[1], values[3], height) { ($0 + 0.5).rounded(.down) }
            let size = PixelSize(width: columns.count, height: rows.count)
            return try Self.bitmap(size) {
                picture[columns.lowerBound + $0, rows.lowerBound + $1]
            }
        }
    }

    private static func span(
        _ length: Double, _ offset: Double, _ side: Int, _ round: (Double) -> Double
    ) -> Range<Int> {
        let first = round(offset + Double(side - 1) / 2 - (length - 1) / 2)
        let end = first + (length + 0.5).rounded(.down)
        return Int(max(0, first))..<Int(min(Double(side), end))
    }

    private static func bitmap(
        _ size: PixelSize, _ pixel: (Int, Int) -> SIMD4<UInt8>
    ) throws -> Bitmap {
        try Bitmap(size: size, isOpaque: true) { rows in
            for place in 0..<size.pixelCount {
                let value = pixel(place % size.width, place / size.width)
                for channel in 0..<4 { rows[4 * place + channel] = value[channel] }
            }
        }
    }
}
