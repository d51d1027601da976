internal import CFFmpeg
internal import LazyMedia

/// Converts decoded pictures to upright RGBA of one size.
final class FrameConverter {
    /// The properties that a scaler is made for.
    private struct Key: Hashable {
        let source: PixelSize
        let format: CInt
        let colors: PictureColors
    }

    /// How pictures of one kind are converted.
    private enum Way {
        /// By swscale alone: the samples are sRGB, or stay as they are.
        case scaled(PictureScaler)
        /// The same for gray of the range of films, which swscale takes for the full one unless it scales.
        case limitedGray(PictureScaler)
        /// From planes to sRGB.
        case colored(CodedConverter)
    }

    private let orientation: Orientation
    private let target: PixelSize
    private let output: PictureOutput
    private let isAlwaysOpaque: Bool
    private var made: (key: Key, way: Way)?
    private var madeDeep: (key: Key, converter: CodedConverter)?
    private var scratch = ScratchRows()

    /// Makes a converter; `size` is that of the upright bitmaps.
    ///
    /// `isAlwaysOpaque` ignores the alpha of the pixel format (palettes).
    init(
        to size: PixelSize, _ orientation: Orientation, _ output: PictureOutput,
        isAlwaysOpaque: Bool
    ) {
        self.orientation = orientation
        self.output = output
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

    /// Converts one picture to 16 bits a sample, keeping its colors.
    func deepBitmap(_ picture: Picture) throws(MediaError) -> DeepBitmap {
        let isOpaque = isAlwaysOpaque || !Self.hasAlpha(picture.pointer.pointee.format)
        return try DeepBitmap(size: orientation.turned(target), isOpaque: isOpaque) {
            (rows) throws(MediaError) in
            let converter = try deepConverter(picture)
            let stride = target.width * 8
            if orientation == .upright, let start = rows.baseAddress {
                return try converter.write(picture.pointer, into: start, stride: stride)
            }
            let room = try scratch.room(byteCount: target.deepByteCount)
            try converter.write(picture.pointer, into: room, stride: stride)
            orientation.copy(deep: room, stride: stride, size: target, into: rows)
        }
    }

    /// Converts one picture to rows without padding.
    func write(
        _ picture: Picture, into rows: UnsafeMutableRawBufferPointer
    ) throws(MediaError) {
        let way = try way(for: picture)
        let frame = picture.pointer
        // swscale's fast path writes groups of pixels: rows of other widths need padding.
        var isExact = target.width % 16 == 0
        if case .colored = way { isExact = true }
        if isExact, orientation == .upright, let start = rows.baseAddress {
            try write(frame, way, into: start, stride: target.width * 4)
        } else {
            let stride = (target.width * 4 + 127) & ~63
            let room = try scratch.room(byteCount: stride * target.height + 64)
            try write(frame, way, into: room, stride: stride)
            orientation.copy(room, stride: stride, size: target, into: rows)
        }
    }

    /// Whether a pixel format has alpha; palettes count, because their entries may.
    static func hasAlpha(_ format: CInt) -> Bool {
        lz_pix_fmt(format).map { $0.pointee.flags & LZ_PIX_FMT_ALPHA != 0 } ?? false
    }

    private func write(
        _ frame: UnsafeMutablePointer<AVFrame>, _ way: Way, into rows: UnsafeMutableRawPointer,
        stride: Int
    ) throws(MediaError) {
        switch way {
        case .colored(let converter): try converter.write(frame, into: rows, stride: stride)
        case .scaled(let scaler), .limitedGray(let scaler):
            let target = rows.assumingMemoryBound(to: UInt8.self)
            try check(
                lz_sws_scale(scaler.context, frame, target, CInt(stride)), "convert a picture")
        }
        if case .limitedGray = way { widenGray(rows, stride) }
    }

    /// Makes 16 to 235 of opaque gray pixels 0 to 255.
    private func widenGray(_ rows: UnsafeMutableRawPointer, _ stride: Int) {
        let shades = (0..<256).map { (luma: Int) in
            UInt32(clamping: min(255, max(0, ((luma - 16) * 255 * 2 + 219) / (219 * 2))))
                * 0x0001_0101 | 0xFF00_0000
        }
        for y in 0..<target.height {
            let row = (rows + y * stride).assumingMemoryBound(to: UInt32.self)
            for x in 0..<target.width {
                row[x] = shades[Int(row[x].littleEndian & 255)].littleEndian
            }
        }
    }

    private func key(_ picture: Picture) throws(MediaError) -> Key {
        guard let size = picture.size else {
            throw MediaError(.malformed, "A picture has no size.")
        }
        let frame = picture.pointer.pointee
        return Key(
            source: size, format: frame.format, colors: PictureColors(frame, size, output.colors))
    }

    private func deepConverter(_ picture: Picture) throws(MediaError) -> CodedConverter {
        let key = try key(picture)
        if let madeDeep, madeDeep.key == key { return madeDeep.converter }
        madeDeep = nil
        let converter = try CodedConverter(
            from: key.source, key.format, to: target, key.colors, by: nil,
            ignoresAlpha: isAlwaysOpaque)
        madeDeep = (key, converter)
        return converter
    }

    private func way(for picture: Picture) throws(MediaError) -> Way {
        let key = try key(picture)
        if let made, made.key == key { return made.way }
        made = nil
        let way: Way
        if let converter = output.converter(key.colors) {
            way = .colored(
                try CodedConverter(
                    from: key.source, key.format, to: target, key.colors, by: converter,
                    ignoresAlpha: isAlwaysOpaque))
        } else {
            let isLimitedGray =
                key.format == AV_PIX_FMT_GRAY8.rawValue && !key.colors.isFullRange
            let scaler = try scaler(key)
            way = isLimitedGray && key.source == target ? .limitedGray(scaler) : .scaled(scaler)
        }
        made = (key, way)
        return way
    }

    private func scaler(_ key: Key) throws(MediaError) -> PictureScaler {
        let settings = PictureScaler.settings(
            from: key.source, key.format, to: target, AV_PIX_FMT_RGBA)
        // The chroma siting of MPEG-2 and its successors, as in the `scale` filter.
        let chroma: Int64 = key.format == AV_PIX_FMT_YUV420P.rawValue ? 128 : -513
        let scaler = try PictureScaler(settings + [("src_v_chr_pos", chroma)])
        _ = lz_sws_set_colors(
            scaler.context, key.colors.colorspace, key.colors.isFullRange ? 1 : 0)
        return scaler
    }
}
