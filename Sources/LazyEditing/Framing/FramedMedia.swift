package import LazyMedia

/// Media whose pictures are scaled while they are decoded, and then cropped.
package struct FramedMedia: MappedMedia {
    package let base: any OpenedMedia
    private let target: TargetSize
    private let gravity: Gravity

    /// Frames media; the gravity says what a crop keeps, of which a smart one is settled.
    ///
    /// Throws where the limits forbid the size.
    package init(
        _ base: any OpenedMedia, _ target: TargetSize, _ gravity: Gravity = .center,
        limits: DecodingLimits
    ) throws(MediaError) {
        self.base = base
        self.target = target
        self.gravity = gravity
        try limits.check(canvas: target.scaledSize(of: base.info.size))
    }

    package var info: MediaInfo {
        var info = base.info
        info.size = target.finalSize(of: info.size)
        return info
    }

    package func makeReader(_ options: ReaderOptions) throws(MediaError) -> any FrameReader {
        let framing = Framing(
            of: base.info.size, target, gravity, alignment: CropAlignment(options))
        let wanted = options.size.map(framing.resized(to:)) ?? framing
        try options.limits.check(canvas: wanted.scaled)
        var inner = options
        inner.size = wanted.scaled
        let reader = try base.makeReader(inner)
        return framing.keepsAll ? reader : FramedReader(base: reader, framing, wanted.crop)
    }

    /// The base's picture, framed as the frames are.
    package func embeddedPoster(_ options: ReaderOptions) throws(MediaError) -> Bitmap? {
        guard let whole = try base.embeddedPoster(options) else { return nil }
        let framing = Framing(of: whole.size, target, gravity)
        return try whole.scaled(to: framing.scaled).cropped(to: framing.crop)
    }
}

private final class FramedReader: MappedReader {
    let base: any FrameReader
    private let framing: Framing
    private let crop: PixelRect

    init(base: any FrameReader, _ framing: Framing, _ crop: PixelRect) {
        self.base = base
        self.framing = framing
        self.crop = crop
    }

    func mapped(_ frame: Frame) throws(MediaError) -> Frame { try frame.cropped(to: crop) }

    func lastFrame(at size: PixelSize) throws(MediaError) -> Frame? {
        let framing = framing.resized(to: size)
        return try base.lastFrame(at: framing.scaled)?.cropped(to: framing.crop)
    }
}

extension Frame {
    /// A part of the frame; with planes its pixels are copied at the first access, if there is one.
    func cropped(to part: PixelRect) throws(MediaError) -> Frame {
        if let deep { return try replacing(deep: deep.cropped(to: part)) }
        guard let planes, part.x % 2 == 0, part.y % 2 == 0 else {
            return replacing(try bitmap.cropped(to: part))
        }
        return replacing(
            try bitmap.croppedDeferred(to: part), planes: try planes.cropped(to: part))
    }
}
