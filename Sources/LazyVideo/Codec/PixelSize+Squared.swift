internal import LazyMedia

extension PixelSize {
    /// The size with square pixels: the longer side grows, so that no detail is lost.
    ///
    /// A side that would grow by less than a pixel stays: FFmpeg states such an aspect for a picture whose
    /// size it had to round (853:854 for 480 rows of 16:9), and resampling would blur it for nothing.
    func squared(_ aspect: Rational) -> PixelSize {
        let ratio = aspect.doubleValue
        // A ratio beyond 16 to 1 is damage.
        guard ratio != 1, ratio > 1 / 16, ratio < 16 else { return self }
        let isWider = ratio > 1
        let (side, wanted) =
            isWider
            ? (width, Double(width) * ratio) : (height, Double(height) / ratio)
        guard wanted - Double(side) >= 1 else { return self }
        let grown = Int(wanted.rounded())
        let size = isWider ? PixelSize(checking: grown, height) : PixelSize(checking: width, grown)
        return size ?? self
    }
}
