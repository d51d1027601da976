internal import LazyMedia

extension LayeredCanvas {
    /// Disposes of the previous image and draws one, by the rules of browsers.
    func draw(
        _ image: GIFImage, _ raster: borrowing GIFRaster, _ palette: GIFPalette
    ) throws(MediaError) {
        let rect = image.rect.clipped(to: size) ?? .empty
        let mask = image.transparentIndex.flatMap { raster.contains($0) ? $0 : nil }
        let isCovered = raster.count == image.rect.pixelCount && mask == nil
        let colors = palette.transparent(at: mask).pixels
        let (indices, count) = (raster.indices, raster.count)
        try draw(rect, image.disposal, isCovered: isCovered, isOpaque: isCovered) { pixels, width in
            guard !rect.isEmpty else { return }
            Self.paint(image, rect, indices, count: count, colors, mask, onto: pixels, width)
        }
    }

    private static func paint(
        _ image: GIFImage, _ rect: PixelRect, _ indices: UnsafePointer<UInt8>, count: Int,
        _ colors: [UInt32], _ mask: UInt8?, onto pixels: UnsafeMutablePointer<UInt32>, _ width: Int
    ) {
        var lines = GIFLines(height: image.rect.height, isInterlaced: image.isInterlaced)
        colors.withUnsafeBufferPointer { colors in
            let colors = colors.baseAddress.unsafelyUnwrapped  // There are always 256.
            var start = 0
            while start < count, let line = lines.next() {
                defer { start += image.rect.width }
                guard line < rect.height else { continue }
                let pixels = pixels + line * width
                let length = min(rect.width, count - start)
                if let mask {
                    GIFLinePainter.paint(
                        indices + start, count: length, colors: colors, transparent: mask,
                        onto: pixels)
                } else {
                    GIFLinePainter.paint(
                        indices + start, count: length, colors: colors, onto: pixels)
                }
            }
        }
    }
}
