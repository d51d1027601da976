internal import LazyMedia

/// Media of whose pictures a part is kept.
///
/// Crops are exact: whole pictures are decoded, and scaled afterwards.
struct CroppedMedia: MappedMedia {
    let base: any OpenedMedia
    private let part: PixelRect
    /// The same part of pictures of another size, such as embedded ones; nil for all of them.
    private let region: CropRegion?
    private let gravity: Gravity

    init(
        _ base: any OpenedMedia, to part: PixelRect, region: CropRegion? = nil,
        _ gravity: Gravity = .center
    ) {
        self.base = base
        self.part = part
        self.region = region
        self.gravity = gravity
    }

    var info: MediaInfo {
        var info = base.info
        info.size = part.size
        return info
    }

    func makeReader(_ options: ReaderOptions) throws(MediaError) -> any FrameReader {
        let size = options.size ?? part.size
        try options.limits.check(canvas: size)
        var inner = options
        inner.size = nil
        return CroppedReader(
            base: try base.makeReader(inner), source: base.info.size, part, size)
    }

    /// The base's picture, cropped to the region; its bars are not looked for.
    func embeddedPoster(_ options: ReaderOptions) throws(MediaError) -> Bitmap? {
        guard let whole = try base.embeddedPoster(options) else { return nil }
        guard let region else { return whole }
        // A small picture does not have a part of a number of pixels.
        guard let part = try? region.part(of: whole.size, gravity) else { return nil }
        return try whole.cropped(to: part)
    }
}

private final class CroppedReader: MappedReader {
    let base: any FrameReader
    private let source: PixelSize
    private let part: PixelRect
    private let size: PixelSize

    init(base: any FrameReader, source: PixelSize, _ part: PixelRect, _ size: PixelSize) {
        self.base = base
        self.source = source
        self.part = part
        self.size = size
    }

    func mapped(_ frame: Frame) throws(MediaError) -> Frame {
        try frame.cropped(to: part).scaled(to: size)
    }

    func lastFrame(at size: PixelSize) throws(MediaError) -> Frame? {
        try base.lastFrame(at: source)?.cropped(to: part).scaled(to: size)
    }
}

extension Frame {
    /// The frame at another size.
    fileprivate func scaled(to size: PixelSize) throws(MediaError) -> Frame {
        guard bitmap.size != size else { return self }
        if let deep { return try replacing(deep: deep.scaled(to: size)) }
        return replacing(try bitmap.scaled(to: size))
    }
}
