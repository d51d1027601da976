internal import LazyMedia

/// Reads the one picture of a PNG.
final class PNGReader: ComposingReader {
    var cursor: FrameCursor
    private let bytes: MemoryBytes
    private let size: PixelSize
    private let hasAlpha: Bool

    init(_ bytes: MemoryBytes, size: PixelSize, hasAlpha: Bool, _ options: ReaderOptions) {
        self.bytes = bytes
        self.size = size
        self.hasAlpha = hasAlpha
        cursor = FrameCursor([.still], options)
    }

    func picture(_ index: Int) throws(MediaError) -> Bitmap? {
        let options = cursor.options
        try cursor.spend(frame: size)
        var pixels = PNGPixels()
        let bitmap = try Bitmap(size: size, isOpaque: !hasAlpha) { (rgba) throws(MediaError) in
            pixels = try PNGPixels(
                reading: bytes, size: size, into: rgba, cancellation: options.cancellation)
        }
        for warning in pixels.warnings { cursor.warn(warning) }
        return try (pixels.areWhole ? bitmap : bitmap.notOpaque).scaled(to: options.size ?? size)
    }
}
