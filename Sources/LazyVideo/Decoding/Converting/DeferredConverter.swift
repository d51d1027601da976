internal import CFFmpeg
internal import LazyBytes
internal import LazyMedia

/// Makes the bitmaps of whole pictures of their planes, when somebody looks and on that thread.
///
/// The pixels are those that `FrameConverter` makes of the picture itself: it is given the same
/// samples with the same tags.
final class DeferredConverter: Sendable {
    /// How a picture's samples are to be read.
    private struct Tags {
        let format: CInt
        let range: AVColorRange
        let space: AVColorSpace
    }

    /// Unchecked: a converter is on the shelf or with the one who took it from there.
    private struct Idle: @unchecked Sendable {
        let converter: FrameConverter
    }

    private let size: PixelSize
    private let guessesHD: Bool
    // No more than looked at once, which is threads.
    private let shelf = Locked<[Idle]>([])

    /// Makes a converter of upright opaque pictures of a size.
    init(_ size: PixelSize, guessesHD: Bool) {
        self.size = size
        self.guessesHD = guessesHD
    }

    /// A bitmap of the planes that were taken from a picture of their size.
    ///
    /// swscale may lack memory when it comes to that: then our own conversion does it.
    func bitmap(
        _ planes: PlanarPicture, from picture: Picture
    ) throws(MediaError) -> Bitmap {
        let frame = picture.pointer.pointee
        let tags = Tags(format: frame.format, range: frame.color_range, space: frame.colorspace)
        return try Bitmap.deferred(
            size: size, isOpaque: true,
            writingRows: { rows in
                do throws(MediaError) {
                    try self.write(planes, tags, into: rows)
                } catch {
                    planes.write(into: rows)
                }
            })
    }

    private func write(
        _ planes: PlanarPicture, _ tags: Tags, into rows: UnsafeMutableRawBufferPointer
    ) throws(MediaError) {
        let idle = shelf.withLock { $0.popLast() } ?? Idle(converter: makeConverter())
        try planes.withBytes { (bytes) throws(MediaError) in
            try idle.converter.write(picture(bytes, tags), into: rows)
        }
        shelf.withLock { $0.append(idle) }
    }

    private func makeConverter() -> FrameConverter {
        FrameConverter(to: size, .upright, guessesHD: guessesHD, isAlwaysOpaque: true)
    }

    /// A picture whose planes are elsewhere; good as long as they are.
    private func picture(
        _ bytes: UnsafeRawBufferPointer, _ tags: Tags
    ) throws(MediaError) -> Picture {
        let picture = try Picture()
        let layout = PlanarPicture.Layout(size)
        let frame = picture.pointer
        frame.pointee.width = CInt(size.width)
        frame.pointee.height = CInt(size.height)
        frame.pointee.format = tags.format
        frame.pointee.color_range = tags.range
        frame.pointee.colorspace = tags.space
        let places = [0, layout.u, layout.v].map(Int64.init)
        let strides = [size.width, layout.chromaWidth, layout.chromaWidth].map(CInt.init)
        lz_frame_lend(
            frame, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), places, strides)
        return picture
    }
}
