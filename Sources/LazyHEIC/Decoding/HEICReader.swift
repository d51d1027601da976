internal import LazyMedia

/// Reads the one picture of a HEIC.
final class HEICReader: ComposingReader {
    var cursor: FrameCursor
    /// Known once the picture is decoded: the bitstream may say what the items do not.
    private(set) var color = ColorDescription.sRGB
    private let media: OpenedHEIC

    init(_ media: OpenedHEIC, _ options: ReaderOptions) {
        self.media = media
        cursor = FrameCursor([.still], options)
    }

    func picture(_ index: Int) throws(MediaError) -> Bitmap? {
        try cursor.spend(frame: media.plan.size)
        let wanted = cursor.options.size ?? media.info.size
        let renderer = PictureRenderer(media.source, cursor.options)
        let bitmap = try renderer.bitmap(of: media.plan, at: wanted)
        for warning in renderer.warnings { cursor.warn(warning) }
        color = renderer.color
        return bitmap
    }
}
