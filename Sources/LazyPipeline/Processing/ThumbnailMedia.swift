internal import LazyMedia

/// Media whose frames come out at the size of a thumbnail: scaled while they are decoded, and cut
/// where they are to cover it.
struct ThumbnailMedia: OpenedMedia {
    let info: MediaInfo
    private let base: any OpenedMedia
    private let target: TargetSize

    init(
        _ base: any OpenedMedia, _ target: TargetSize, _ limits: DecodingLimits
    ) throws(MediaError) {
        try limits.check(canvas: target.scaledSize(of: base.info.size))
        self.base = base
        self.target = target
        var info = base.info
        info.size = target.finalSize(of: info.size)
        self.info = info
    }

    func frameIndex(_ cancellation: CancellationFlag) throws(MediaError) -> FrameIndex {
        try base.frameIndex(cancellation)
    }

    func containerIndex(_ cancellation: CancellationFlag) throws(MediaError) -> FrameIndex {
        try base.containerIndex(cancellation)
    }

    func makeReader(_ options: ReaderOptions) throws(MediaError) -> any FrameReader {
        let scaled = target.scaledSize(of: base.info.size)
        var inner = options
        guard scaled != info.size else {
            inner.size = options.size ?? scaled
            return try base.makeReader(inner)
        }
        inner.size = scaled
        let reader = try base.makeReader(inner)
        return ChangingReader(reader) { [info] (frame) throws(MediaError) in
            let cut = try frame.bitmap.middle(info.size)
            return Frame(
                bitmap: try cut.scaled(to: options.size ?? info.size), timing: frame.timing)
        }
    }

    func embeddedPoster(_ options: ReaderOptions) throws(MediaError) -> Bitmap? {
        guard let whole = try base.embeddedPoster(options) else { return nil }
        let scaled = try whole.scaled(to: target.scaledSize(of: whole.size))
        return try scaled.middle(target.finalSize(of: whole.size))
    }
}

/// Hands out another reader's frames, each changed on its way.
final class ChangingReader: FrameReader {
    private let base: any FrameReader
    private let change: (Frame) throws(MediaError) -> Frame

    init(_ base: any FrameReader, _ change: @escaping (Frame) throws(MediaError) -> Frame) {
        self.base = base
        self.change = change
    }

    var warnings: [MediaWarning] { base.warnings }

    func nextFrame() throws(MediaError) -> Frame? {
        guard let frame = try base.nextFrame() else { return nil }
        return try change(frame)
    }

    func seek(toIndex index: Int) throws(MediaError) { try base.seek(toIndex: index) }

    func seek(toTime time: Duration) throws(MediaError) { try base.seek(toTime: time) }
}

extension Bitmap {
    /// The middle of the picture; no larger than it is.
    fileprivate func middle(_ part: PixelSize) throws(MediaError) -> Bitmap {
        guard part != size else { return self }
        let part = PixelSize(
            width: min(part.width, size.width), height: min(part.height, size.height))
        let left = (size.width - part.width) / 2
        let top = (size.height - part.height) / 2
        return try Bitmap(size: part, isOpaque: isOpaque) { rows in
            withBytes { bytes in
                for row in 0..<part.height {
                    let start = (top + row) * stride + left * 4
                    let line = UnsafeRawBufferPointer(
                        rebasing: bytes[start...].prefix(part.width * 4))
                    let target = UnsafeMutableRawBufferPointer(
                        rebasing: rows[(row * part.width * 4)...])
                    target.copyMemory(from: line)
                }
            }
        }
    }
}
