package import LazyMedia

extension PixelRect {
    /// The size of what is inside.
    package var size: PixelSize { PixelSize(width: width, height: height) }
}
