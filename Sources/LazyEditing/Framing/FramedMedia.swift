internal import LazyMedia

/// Media whose pictures are scaled while they are decoded, and then cut.
struct FramedMedia: OpenedMedia {
    let base: any OpenedMedia
    let framing: Framing

    var info: MediaInfo {
        var info = base.info
        info.size = framing.size
        return info
    }

    func frameIndex(_ cancellation: CancellationFlag) throws(MediaError) -> FrameIndex {
        try base.frameIndex(cancellation)
    }

    func containerIndex(_ cancellation: CancellationFlag) throws(MediaError) -> FrameIndex {
        try base.containerIndex(cancellation)
    }

    func makeReader(_ options: ReaderOptions) throws(MediaError) -> any FrameReader {
        let framing = options.size.map(framing.resized(to:)) ?? framing
        try options.limits.check(canvas: framing.scaled)
        var inner = options
        inner.size = framing.scaled
        let reader = try base.makeReader(inner)
        return framing.keepsAll ? reader : FramedReader(reader, framing.crop)
    }

    func embeddedPoster(_ options: ReaderOptions) throws(MediaError) -> Bitmap? {
        try base.embeddedPoster(options)
    }
}

private final class FramedReader: FrameReader {
    private let base: any FrameReader
    private let crop: PixelRect

    init(_ base: any FrameReader, _ crop: PixelRect) {
        self.base = base
        self.crop = crop
    }

    var warnings: [MediaWarning] { base.warnings }

    func nextFrame() throws(MediaError) -> Frame? {
        guard let frame = try base.nextFrame() else { return nil }
        // Where there are planes the pixels may never be looked at.
        guard let planes = frame.planes else {
            return Frame(
                bitmap: try frame.bitmap.cropped(to: crop), timing: frame.timing, play: frame.play)
        }
        return Frame(
            bitmap: try frame.bitmap.croppedLate(to: crop), timing: frame.timing, play: frame.play,
            planes: try planes.cropped(to: crop))
    }

    func seek(toIndex index: Int) throws(MediaError) { try base.seek(toIndex: index) }

    func seek(toTime time: Duration) throws(MediaError) { try base.seek(toTime: time) }
}
