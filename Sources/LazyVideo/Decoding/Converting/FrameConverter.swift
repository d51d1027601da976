internal import CFFmpeg
internal import LazyMedia

/// Turns decoded pictures into upright RGBA of one size.
final class FrameConverter {
    /// What a scaler is made for.
    private struct Key: Hashable {
        let source: PixelSize
        let format: CInt
        let colors: PictureColors
    }

    private let orientation: Orientation
    private let target: PixelSize
    private let guessesHD: Bool
    private let isAlwaysOpaque: Bool
    private var made: (key: Key, scaler: PictureScaler)?
    private var scratch = ScratchRows()

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

    /// Converts one picture.
    func bitmap(_ picture: Picture) throws(MediaError) -> Bitmap {
        let isOpaque = isAlwaysOpaque || !Self.hasAlpha(picture.pointer.pointee.format)
        return try Bitmap(size: orientation.turned(target), isOpaque: isOpaque) {
            (rows) throws(MediaError) in
            try write(picture, into: rows)
        }
    }

    /// Converts one picture into rows without padding.
    func write(
        _ picture: Picture, into rows: UnsafeMutableRawBufferPointer
    ) throws(MediaError) {
        let scaler = try scaler(for: picture)
        let frame = picture.pointer
        // The fast path writes groups of pixels: rows that do not end with a group need room.
        if target.width % 16 == 0, orientation == .upright {
            try scale(scaler, frame, into: rows.baseAddress, stride: target.width * 4)
        } else {
            let stride = (target.width * 4 + 127) & ~63
            let room = try scratch.room(byteCount: stride * target.height + 64)
            try scale(scaler, frame, into: room, stride: stride)
            orientation.copy(room, stride: stride, size: target, into: rows)
        }
    }

    /// Whether a pixel format carries alpha; palettes count, as theirs may.
    static func hasAlpha(_ format: CInt) -> Bool {
        lz_pix_fmt(format).map { $0.pointee.flags & LZ_PIX_FMT_ALPHA != 0 } ?? false
    }

    private func scale(
        _ scaler: PictureScaler, _ frame: UnsafeMutablePointer<AVFrame>,
        into rows: UnsafeMutableRawPointer?, stride: Int
    ) throws(MediaError) {
        let target = rows?.assumingMemoryBound(to: UInt8.self)
        try check(lz_sws_scale(scaler.context, frame, target, CInt(stride)), "convert a picture")
    }

    private func scaler(for picture: Picture) throws(MediaError) -> PictureScaler {
        guard let size = picture.size else {
            throw MediaError(.malformed, "A picture has no size.")
        }
        let frame = picture.pointer.pointee
        let key = Key(
            source: size, format: frame.format,
            colors: PictureColors(frame, size, guessesHD: guessesHD))
        if let made, made.key == key { return made.scaler }
        made = nil
        let settings = PictureScaler.settings(from: size, key.format, to: target, AV_PIX_FMT_RGBA)
        // Where MPEG-2 and all that followed put the chroma samples, as the `scale` filter says.
        let chroma: Int64 = key.format == AV_PIX_FMT_YUV420P.rawValue ? 128 : -513
        let scaler = try PictureScaler(settings + [("src_v_chr_pos", chroma)])
        _ = lz_sws_set_colors(
            scaler.context, key.colors.colorspace, key.colors.isFullRange ? 1 : 0)
        made = (key, scaler)
        return scaler
    }
}
