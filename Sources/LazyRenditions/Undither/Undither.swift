public import LazyMedia

/// A filter that turns dithered areas of a picture into shades.
///
/// A pixel becomes the mean of the neighbors whose surroundings are similar to its own: in a dithered
/// area these are the dots of one shade, at an edge those on the same side. Flat areas, lines and text
/// are unchanged. Takes about 5 ns per pixel on one core. It has no state, so frames can be filtered in
/// parallel, and areas that do not change in the source do not change in the result.
public struct Undither: Hashable, Sendable {
    /// The opacity of the result over the source, from 0 to 1.
    public let strength: Double

    /// Makes a filter; the strength is clamped to 0 to 1.
    public init(strength: Double = 1) { self.strength = min(max(strength, 0), 1) }

    /// Makes a filter for a picture, or nil if `detect` finds no dithering.
    public init?(for bitmap: Bitmap) {
        let strength = Self.detect(bitmap)
        guard strength > 0 else { return nil }
        self.init(strength: strength)
    }

    /// The probability that a picture is dithered with few colors, from 0 to 1.
    ///
    /// Distinguishes dots, pixels that differ a little from similar neighbors, from the edges and flat
    /// areas of drawings, and palettes from the many colors of photographs. Takes about 1 ns per pixel.
    public static func detect(_ bitmap: Bitmap) -> Double {
        DitherCounts(bitmap).probability
    }

    /// The picture without dithering; alpha and pixels that are not opaque are unchanged.
    public func filtered(_ bitmap: Bitmap) throws(MediaError) -> Bitmap {
        guard strength > 0 else { return bitmap }
        return try Bitmap(size: bitmap.size, isOpaque: bitmap.isOpaque) { rows in
            bitmap.withBytes { source in
                var kernel = UnditherKernel(bitmap.size, share: Int32(strength * 256))
                kernel.run(source, into: rows)
            }
        }
    }
}
