internal import LazyMedia

/// Reads the one picture of a JPEG.
final class JPEGReader: ComposingReader {
    var cursor: FrameCursor
    private let media: OpenedJPEG

    init(_ media: OpenedJPEG, _ options: ReaderOptions) {
        self.media = media
        cursor = FrameCursor([.still], options)
    }

    func picture(_ index: Int) throws(MediaError) -> Bitmap? {
        let options = cursor.options
        try cursor.spend(frame: media.codedSize)
        let wanted = options.size ?? media.info.size
        try options.limits.check(canvas: wanted)
        let pixels = try JPEGPixels(
            media.bytes, codedSize: media.codedSize,
            wanted: media.orientation.turned(wanted), JPEGInput(media.bytes, options))
        for warning in pixels.warnings { cursor.warn(warning) }
        return try pixels.bitmap.turned(media.orientation)
    }
}
