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
private struct UnditheredMedia: OpenedMedia {
    let base: any OpenedMedia
    let strength: Double?
    var info: MediaInfo { base.info }

    func frameIndex(_ cancellation: CancellationFlag) throws(MediaError) -> FrameIndex {
        try base.frameIndex(cancellation)
    }

    func containerIndex(_ cancellation: CancellationFlag) throws(MediaError) -> FrameIndex {
        try base.containerIndex(cancellation)
    }

    func makeReader(_ options: ReaderOptions) throws(MediaError) -> any FrameReader {
        var whole = options
        whole.size = nil
        return UnditheredReader(
            try base.makeReader(whole), strength: strength, size: options.size)
    }

    func embeddedPoster(_ options: ReaderOptions) throws(MediaError) -> Bitmap? {
        try base.embeddedPoster(options)
    }
}

private final class UnditheredReader: FrameReader {
    private let base: any FrameReader
    private let strength: Double?
    private let size: PixelSize?

    init(_ base: any FrameReader, strength: Double?, size: PixelSize?) {
        self.base = base
        self.strength = strength
        self.size = size
    }

    var warnings: [MediaWarning] { base.warnings }

    func nextFrame() throws(MediaError) -> Frame? {
        guard let frame = try base.nextFrame() else { return nil }
        var bitmap = frame.bitmap
        let filter = strength.map { Undither(strength: $0) } ?? Undither(for: bitmap)
        if let filter { bitmap = try filter.filtered(bitmap) }
        if let size { bitmap = try bitmap.scaled(to: size) }
        return Frame(bitmap: bitmap, timing: frame.timing, play: frame.play)
    }

    func seek(toIndex index: Int) throws(MediaError) { try base.seek(toIndex: index) }

    func seek(toTime time: Duration) throws(MediaError) { try base.seek(toTime: time) }
}
