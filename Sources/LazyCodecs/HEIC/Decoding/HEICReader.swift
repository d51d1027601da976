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
        try render { (renderer, size) throws(MediaError) in
            try renderer.bitmap(of: media.plan, at: size)
        }
    }

    func isDeep(_ index: Int) -> Bool { media.plan.isDeep }

    func deepPicture(_ index: Int) throws(MediaError) -> DeepBitmap? {
        try render { (renderer, size) throws(MediaError) in
            try renderer.deepBitmap(of: media.plan, at: size)
        }
    }

    private func render<Picture>(
        _ make: (PictureRenderer, PixelSize) throws(MediaError) -> Picture
    ) throws(MediaError) -> Picture {
        try cursor.spend(frame: media.plan.size)
        let renderer = PictureRenderer(media.source, cursor.options)
        let picture = try make(renderer, cursor.options.size ?? media.info.size)
        for warning in renderer.warnings { cursor.warn(warning) }
        color = renderer.color
        return picture
    }
}
