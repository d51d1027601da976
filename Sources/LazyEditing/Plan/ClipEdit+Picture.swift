package import LazyMedia

extension ClipEdit {
    /// A single picture with what the edit does to pictures; its times are not looked at.
    ///
    /// A smart gravity keeps the middle, and black bars are judged by this picture alone. Text shows
    /// what it shows at the beginning. Throws for a crop outside of the picture, and for sizes over
    /// the limits.
    package func applied(
        to bitmap: Bitmap, limits: DecodingLimits
    ) throws(MediaError) -> Bitmap {
        let focus = gravity.focus ?? (0.5, 0.5)
        var sequence = FrameSequence(still: bitmap)
        if shape != PictureShape() {
            let part = try part(of: bitmap.size, bars: shape.trimsBars ? bitmap : nil)
            sequence = try sequence.wrapped { (media) throws(MediaError) in
                try ShapedMedia(media, shape, part: part, focus: focus, limits: limits)
            }
        }
        if let size { sequence = try sequence.framed(size, focus: focus) }
        if let padding { sequence = try sequence.padded(padding) }
        // A picture has no tracks.
        sequence = sequence.overlaid(overlays.filter { !$0.isOfTrack })
        if let matte { sequence = sequence.matted(matte) }
        let reader = try sequence.makeReader(ReaderOptions(limits: limits))
        return try reader.nextFrame()?.bitmap ?? bitmap
    }

    /// The size of a picture after the edit; bars are not known, so that they count.
    package func pictureSize(of source: PixelSize) throws(MediaError) -> PixelSize {
        var result = source
        if shape != PictureShape() {
            result = ShapeStep(shape, of: source, part: try part(of: source, bars: nil)).size
        }
        if let size { result = size.finalSize(of: result) }
        return try padding?.canvas(of: result) ?? result
    }

    /// The part of pictures that the shape keeps.
    private func part(of size: PixelSize, bars: Bitmap?) throws(MediaError) -> PixelRect {
        var part = PixelRect(size)
        if let bars {
            var peaks = PeakLuma(size)
            peaks.add(bars)
            part = peaks.inner ?? part
        }
        return try shape.crop?.part(of: part, focus: gravity.focus ?? (0.5, 0.5)) ?? part
    }
}
