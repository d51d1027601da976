internal import CFFmpeg
internal import LazyMedia

/// Turns decoded pictures into upright RGBA of one size: the owner of a swscale context.
final class FrameConverter {
    /// What a swscale context is made for.
    private struct Key: Hashable {
        let source: PixelSize
        let format: CInt
        let colorspace: CInt
        let isFullRange: Bool
    }

    private let orientation: Orientation
    private let target: PixelSize
    private let guessesHD: Bool
    private let isAlwaysOpaque: Bool
    private var key: Key?
    private var context: OpaquePointer?
    private var scratch: UnsafeMutableRawBufferPointer?

    /// Makes a converter; `size` is that of the upright bitmaps.
    ///
    /// `guessesHD` takes untagged large pictures for BT.709, which is right for video only.
    /// `isAlwaysOpaque` says that alpha in the pixel format means nothing (palettes).
    init(
        to size: PixelSize, _ orientation: Orientation, guessesHD: Bool, isAlwaysOpaque: Bool
    ) {
        self.orientation = orientation
        self.guessesHD = guessesHD
        self.isAlwaysOpaque = isAlwaysOpaque
        target = orientation.turned(size)
    }

    deinit {
        closeContext()
        scratch?.deallocate()
    }

    /// Converts one picture.
    func bitmap(_ picture: Picture) throws(MediaError) -> Bitmap {
        try prepare(picture)
        let frame = picture.pointer
        let isOpaque = isAlwaysOpaque || !Self.hasAlpha(frame.pointee.format)
        return try Bitmap(size: orientation.turned(target), isOpaque: isOpaque) {
            (rows) throws(MediaError) in
            // The fast path writes groups of pixels: rows that do not end with a group need room.
            if target.width % 16 == 0, orientation == .upright {
                try scale(frame, into: rows.baseAddress, stride: target.width * 4)
            } else {
                let stride = (target.width * 4 + 127) & ~63
                let room = try scratch(byteCount: stride * target.height + 64)
                try scale(frame, into: room, stride: stride)
                orientation.copy(room, stride: stride, size: target, into: rows)
            }
        }
    }

    /// Whether a pixel format carries alpha; palettes count, as theirs may.
    static func hasAlpha(_ format: CInt) -> Bool {
        lz_pix_fmt(format).map { $0.pointee.flags & LZ_PIX_FMT_ALPHA != 0 } ?? false
    }

    private func scale(
        _ frame: UnsafeMutablePointer<AVFrame>, into rows: UnsafeMutableRawPointer?, stride: Int
    ) throws(MediaError) {
        let target = rows?.assumingMemoryBound(to: UInt8.self)
        try check(lz_sws_scale(context, frame, target, CInt(stride)), "convert a picture")
    }

    private func prepare(_ picture: Picture) throws(MediaError) {
        guard let size = picture.size else {
            throw MediaError(.malformed, "A picture has no size.")
        }
        let frame = picture.pointer.pointee
        let wanted = Key(
            source: size, format: frame.format, colorspace: colorspace(frame, size),
            isFullRange: isFullRange(frame))
        guard wanted != key || context == nil else { return }
        closeContext()
        context = lz_sws_alloc()
        guard let context else {
            throw MediaError(.environment, "There is no memory to convert pictures.")
        }
        LiveHandles.didOpen()
        let raw = UnsafeMutableRawPointer(context)
        for (name, value) in settings(wanted) { lz_set_int(raw, name, value) }
        try check(lz_sws_init(context), "prepare the conversion of pictures")
        _ = lz_sws_set_colors(context, wanted.colorspace, wanted.isFullRange ? 1 : 0)
        key = wanted
    }

    private func settings(_ key: Key) -> [(String, Int64)] {
        // With more than 16 pixels for one, averaging is as good as bicubic and much cheaper.
        let isMuchSmaller = key.source.pixelCount > 16 * target.pixelCount
        let flags = isMuchSmaller ? SWS_AREA : SWS_BICUBIC
        return [
            ("srcw", Int64(key.source.width)), ("srch", Int64(key.source.height)),
            ("src_format", Int64(key.format)),
            ("dstw", Int64(target.width)), ("dsth", Int64(target.height)),
            ("dst_format", Int64(AV_PIX_FMT_RGBA.rawValue)), ("sws_flags", Int64(flags)),
            // Where MPEG-2 and all that followed put the chroma samples, as the `scale` filter says.
            ("src_v_chr_pos", key.format == AV_PIX_FMT_YUV420P.rawValue ? 128 : -513),
        ]
    }

    /// The matrix; untagged YUV is BT.709 for large video and BT.601 for all else.
    private func colorspace(_ frame: AVFrame, _ size: PixelSize) -> CInt {
        let space = frame.colorspace
        guard space == AVCOL_SPC_UNSPECIFIED || space == AVCOL_SPC_RESERVED else {
            return CInt(space.rawValue)
        }
        let isLarge = size.width >= 1280 || size.height > 576
        return guessesHD && isLarge ? SWS_CS_ITU709 : SWS_CS_DEFAULT
    }

    private func isFullRange(_ frame: AVFrame) -> Bool {
        let older = [
            AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUVJ444P, AV_PIX_FMT_YUVJ440P,
            AV_PIX_FMT_YUVJ411P,
        ]
        return frame.color_range == AVCOL_RANGE_JPEG
            || older.contains { $0.rawValue == frame.format }
    }

    private func scratch(byteCount: Int) throws(MediaError) -> UnsafeMutableRawPointer {
        if let scratch, scratch.count >= byteCount, let start = scratch.baseAddress { return start }
        scratch?.deallocate()
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 64)
        scratch = room
        guard let start = room.baseAddress else {
            throw MediaError(.environment, "There is no memory to convert pictures.")
        }
        return start
    }

    private func closeContext() {
        guard let context else { return }
        lz_sws_free(context)
        self.context = nil
        LiveHandles.didClose()
    }
}
