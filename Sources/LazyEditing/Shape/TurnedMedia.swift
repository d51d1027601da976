internal import LazyMedia

/// Media whose pictures are rotated and mirrored.
struct TurnedMedia: MappedMedia {
    let base: any OpenedMedia
    private let turn: Turn
    private let size: PixelSize

    init(_ base: any OpenedMedia, _ turn: Turn, limits: DecodingLimits) throws(MediaError) {
        self.base = base
        self.turn = turn
        size = turn.size(of: base.info.size)
        try limits.check(canvas: size)
    }

    var info: MediaInfo {
        var info = base.info
        info.size = size
        info.hasAlpha = info.hasAlpha || turn.addsTransparency
        return info
    }

    func makeReader(_ options: ReaderOptions) throws(MediaError) -> any FrameReader {
        let size = options.size ?? size
        try options.limits.check(canvas: size)
        var inner = options
        inner.size = turn.decoded(for: options.size)
        return TurnedReader(
            base: try base.makeReader(inner), turn, source: base.info.size, size)
    }

    func embeddedPoster(_ options: ReaderOptions) throws(MediaError) -> Bitmap? {
        guard let whole = try base.embeddedPoster(options) else { return nil }
        return try turn.applied(to: whole)
    }
}

private final class TurnedReader: MappedReader {
    let base: any FrameReader
    private let turn: Turn
    private let source: PixelSize
    private let size: PixelSize

    init(base: any FrameReader, _ turn: Turn, source: PixelSize, _ size: PixelSize) {
        self.base = base
        self.turn = turn
        self.source = source
        self.size = size
    }

    func mapped(_ frame: Frame) throws(MediaError) -> Frame {
        try turn.applied(to: frame, size: size)
    }

    func lastFrame(at size: PixelSize) throws(MediaError) -> Frame? {
        guard let frame = try base.lastFrame(at: turn.decoded(for: size) ?? source) else {
            return nil
        }
        return try turn.applied(to: frame, size: size)
    }
}
