public import LazyMedia

extension FrameSequence {
    /// The same sequence with the dots of dithering turned back into shades.
    ///
    /// For GIFs that are to become video or a lossy format. Each frame is looked at by itself; those
    /// without dithering come out as they are. `strength` 0 to 1 applies the filter whatever the
    /// frames look like. Frames that are scaled while they are decoded are undithered before that.
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
        return Frame(bitmap: bitmap, timing: frame.timing, play: frame.play)
    }

    /// Nothing is kept: only whole frames are undithered.
    func lastFrame(at size: PixelSize) -> Frame? { nil }
}
