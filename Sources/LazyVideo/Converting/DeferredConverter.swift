internal import CFFmpeg
internal import LazyBase
internal import LazyMedia

/// Makes bitmaps of whole pictures from their planes, on first access and on that thread.
///
/// The pixels equal those that `FrameConverter` makes of the picture itself: the samples and tags are
/// the same.
final class DeferredConverter: Sendable {
    /// How a picture's samples are interpreted.
    private struct Tags {
        let format: CInt
        let range: AVColorRange
        let space: AVColorSpace
        let primaries: AVColorPrimaries
        let transfer: AVColorTransferCharacteristic
    }

    /// Unchecked: a converter is in the pool or used by one thread.
    private struct Idle: @unchecked Sendable {
        let converter: FrameConverter
    }

    private let size: PixelSize
    private let output: PictureOutput
    // As many as there were simultaneous conversions.
    private let idleConverters = Locked<[Idle]>([])

    /// Makes a converter for upright opaque pictures of a size.
    init(_ size: PixelSize, _ output: PictureOutput) {
        self.size = size
        self.output = output
    }

    /// A bitmap of the planes of a picture of the same size.
    ///
    /// Where swscale has no memory at that time, our own conversion does the work.
    func bitmap(
        _ planes: PlanarPicture, from picture: Picture
    ) throws(MediaError) -> Bitmap {
        let frame = picture.pointer.pointee
        let tags = Tags(
            format: frame.format, range: frame.color_range, space: frame.colorspace,
            primaries: frame.color_primaries, transfer: frame.color_trc)
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
        let idle = idleConverters.withLock { $0.popLast() } ?? Idle(converter: makeConverter())
        try planes.withBytes { (bytes) throws(MediaError) in
            try idle.converter.write(picture(bytes, tags), into: rows)
        }
        idleConverters.withLock { $0.append(idle) }
    }

    private func makeConverter() -> FrameConverter {
        FrameConverter(to: size, .upright, output, isAlwaysOpaque: true)
    }

    /// A picture that refers to planes elsewhere; valid as long as they are.
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
        frame.pointee.color_primaries = tags.primaries
        frame.pointee.color_trc = tags.transfer
        let places = [0, layout.u, layout.v].map(Int64.init)
        let strides = [size.width, layout.chromaWidth, layout.chromaWidth].map(CInt.init)
        lz_frame_lend(
            frame, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), places, strides)
        return picture
    }
}
