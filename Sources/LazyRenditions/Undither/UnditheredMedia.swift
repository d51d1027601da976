public import LazyMedia

extension FrameSequence {
    /// The same sequence with dithering filtered out.
    ///
    /// For GIFs that are converted to video or a lossy format. Each frame is analyzed on its own, and
    /// frames without dithering are unchanged. A `strength` of 0 to 1 applies the filter to all frames.
    /// Frames are filtered before they are scaled.
    public func undithered(strength: Double? = nil) -> FrameSequence {
        wrapped { UnditheredMedia(base: $0, strength: strength) }
    }
}

/// Media whose frames are undithered as they are read.
private struct UnditheredMedia: MappedMedia {
    let base: any OpenedMedia
    let strength: Double?

    func makeReader(_ options: ReaderOptions) throws(MediaError) -> any FrameReader {
        var whole = options
        whole.size = nil
        return UnditheredReader(
            base: try base.makeReader(whole), strength: strength, size: options.size)
    }
}

private final class UnditheredReader: MappedReader {
    let base: any FrameReader
    private let strength: Double?
    private let size: PixelSize?

    init(base: any FrameReader, strength: Double?, size: PixelSize?) {
        self.base = base
        self.strength = strength
        self.size = size
    }

    func mapped(_ frame: Frame) throws(MediaError) -> Frame {
        var bitmap = frame.bitmap
        let filter = strength.map { Undither(strength: $0) } ?? Undither(for: bitmap)
        if let filter { bitmap = try filter.filtered(bitmap) }
        if let size { bitmap = try bitmap.scaled(to: size) }
        return frame.replacing(bitmap)
    }

    /// Nil: frames are undithered at their own size only.
    func lastFrame(at size: PixelSize) -> Frame? { nil }
}
