internal import LazyMedia

/// Reads the pages of a TIFF.
final class TIFFReader: ComposingReader {
    var cursor: FrameCursor
    private let media: OpenedTIFF
    private let pixels: TIFFPixels
    private(set) var color = ColorDescription.sRGB

    init(
        _ media: OpenedTIFF, _ timings: [FrameTiming], _ options: ReaderOptions
    ) throws(MediaError) {
        self.media = media
        cursor = FrameCursor(timings, options, warnings: media.info.warnings)
        try options.limits.check(canvas: options.size ?? media.info.size)
        pixels = try TIFFPixels(media.bytes, options)
    }

    func picture(_ index: Int) throws(MediaError) -> Bitmap? {
        try decode(index) { (page, size) throws(MediaError) in
            try pixels.bitmap(of: page).placed(on: media.info.size).scaled(to: size)
        }
    }

    func isDeep(_ index: Int) -> Bool { media.pages[index].isDeep }

    func deepPicture(_ index: Int) throws(MediaError) -> DeepBitmap? {
        try decode(index) { (page, size) throws(MediaError) in
            try pixels.deepBitmap(of: page).placed(on: media.info.size).scaled(to: size)
        }
    }

    private func decode<Picture>(
        _ index: Int, _ make: (TIFFPage, PixelSize) throws(MediaError) -> Picture
    ) throws(MediaError) -> Picture? {
        let page = media.pages[index]
        do throws(MediaError) {
            try cursor.spend(frame: page.check(cursor.options.limits))
            let picture = try make(page, cursor.options.size ?? media.info.size)
            color = pixels.color
            // That the file ends early is said once.
            for warning in pixels.warnings
            where warning.code != .truncated || !media.info.isTruncated {
                cursor.warn(warning)
            }
            return picture
        } catch {
            try cursor.end(before: index, error)
            return nil
        }
    }
}

extension Bitmap {
    /// The picture in the middle of a transparent one, made smaller where it does not fit.
    fileprivate func placed(on canvas: PixelSize) throws(MediaError) -> Bitmap {
        guard size != canvas else { return self }
        let fitting = TargetSize(width: canvas.width, height: canvas.height, fit: .scaleDown)
        let picture = try scaled(to: fitting.scaledSize(of: size))
        let (width, height) = (picture.size.width, picture.size.height)
        let start = (canvas.height - height) / 2 * canvas.width + (canvas.width - width) / 2
        return try Bitmap(size: canvas, isOpaque: false) { rows in
            rows.initializeMemory(as: UInt8.self, repeating: 0)
            picture.withBytes { bytes in
                for y in 0..<height {
                    let row = UnsafeRawBufferPointer(
                        rebasing: bytes[(y * width * 4)...].prefix(width * 4))
                    rows[((start + y * canvas.width) * 4)...].copyBytes(from: row)
                }
            }
        }
    }
}
