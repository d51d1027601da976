internal import LazyMedia

/// Frames whose pictures are changed at their own size, and then scaled where another is asked for.
final class PictureReader: MappedReader {
    let base: any FrameReader
    private let source: PixelSize
    private let size: PixelSize
    private let change: (Bitmap) throws(MediaError) -> Bitmap

    /// Reads a base whose frames have the size `source`; frames get `size`.
    init(
        base: any FrameReader, of source: PixelSize, at size: PixelSize,
        change: @escaping (Bitmap) throws(MediaError) -> Bitmap
    ) {
        self.base = base
        self.source = source
        self.size = size
        self.change = change
    }

    func mapped(_ frame: Frame) throws(MediaError) -> Frame { try changed(frame, at: size) }

    func lastFrame(at size: PixelSize) throws(MediaError) -> Frame? {
        guard let frame = try base.lastFrame(at: source) else { return nil }
        return try changed(frame, at: size)
    }

    private func changed(_ frame: Frame, at size: PixelSize) throws(MediaError) -> Frame {
        let made = try change(frame.bitmap)
        return frame.replacing(made.size == size ? made : try made.scaled(to: size))
    }
}
