internal import LazyMedia

/// Media whose partly transparent pixels are blended over a color; transparent ones stay.
///
/// For formats in which a pixel is wholly transparent or not at all.
struct MattedMedia: MappedMedia {
    let base: any OpenedMedia
    let color: PixelColor

    func makeReader(_ options: ReaderOptions) throws(MediaError) -> any FrameReader {
        MattedReader(base: try base.makeReader(options), color)
    }

    func embeddedPoster(_ options: ReaderOptions) throws(MediaError) -> Bitmap? {
        try base.embeddedPoster(options)?.matted(color)
    }
}

private final class MattedReader: MappedReader {
    let base: any FrameReader
    private let color: PixelColor

    init(base: any FrameReader, _ color: PixelColor) {
        self.base = base
        self.color = color
    }

    func mapped(_ frame: Frame) throws(MediaError) -> Frame {
        guard frame.planes == nil, !frame.bitmap.isOpaque else { return frame }
        return frame.replacing(try frame.bitmap.matted(color))
    }
}

extension Bitmap {
    /// The picture with partly transparent pixels blended over a color.
    func matted(_ color: PixelColor) throws(MediaError) -> Bitmap {
        let below = Pixel(color.red, color.green, color.blue, 255)
        return try mapPixels { pixel in
            pixel.w == 0 || pixel.w == 255 ? pixel : over(pixel, opacity: 255, below)
        }
    }
}
