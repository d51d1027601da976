internal import CFFmpeg
internal import LazyMedia

/// A pixel format of planes with samples of 8 to 16 bits, as `SamplePlanes` reads them.
struct CodedForm {
    /// FFmpeg's number of the format.
    let format: CInt
    /// Bits of a sample.
    let bitDepth: Int
    /// 1 for gray, 3, or 4 with alpha.
    let planeCount: Int
    /// How often chroma's columns and rows are halved.
    private let chromaShift: (columns: Int, rows: Int)
    /// Whether the planes are green, blue and red.
    let isRGB: Bool

    /// Whether chroma has half the columns.
    var isHalfWidth: Bool { chromaShift.columns == 1 }
    /// Whether chroma has half the rows.
    var isHalfHeight: Bool { chromaShift.rows == 1 }

    /// Bytes of a sample.
    var sampleBytes: Int { bitDepth > 8 ? 2 : 1 }

    /// The form of a format, or nil where it is of another kind.
    ///
    /// `SamplePlanes` reads chroma of full or half width and height only.
    init?(_ format: CInt, allowsAnyChroma: Bool = false) {
        guard let pointer = lz_pix_fmt(format) else { return nil }
        let form = pointer.pointee
        let parts = [form.comp.0, form.comp.1, form.comp.2, form.comp.3].prefix(
            Int(form.nb_components))
        let depth = Int(form.comp.0.depth)
        guard form.flags & LZ_PIX_FMT_UNUSUAL == 0, (8...16).contains(depth),
            allowsAnyChroma || (form.log2_chroma_w <= 1 && form.log2_chroma_h <= 1),
            parts.count != 2,
            parts.allSatisfy({ Int($0.depth) == depth && $0.shift == 0 && $0.offset == 0 }),
            parts.allSatisfy({ Int($0.step) == (depth > 8 ? 2 : 1) }),
            Set(parts.map(\.plane)).count == parts.count
        else { return nil }
        self.format = format
        bitDepth = depth
        planeCount = parts.count
        chromaShift = (Int(form.log2_chroma_w), Int(form.log2_chroma_h))
        isRGB = form.flags & LZ_PIX_FMT_RGB != 0
    }

    /// The form that swscale converts a picture of any format to: of full chroma, as deep or of 16 bits.
    init?(near format: CInt) {
        guard let pointer = lz_pix_fmt(format) else { return nil }
        let form = pointer.pointee
        let isRGB = form.flags & LZ_PIX_FMT_RGB != 0 || format == AV_PIX_FMT_PAL8.rawValue
        let near: AVPixelFormat =
            switch (isRGB, form.flags & LZ_PIX_FMT_ALPHA != 0, form.comp.0.depth) {
            case (true, false, ...8): AV_PIX_FMT_GBRP
            case (true, false, _): AV_PIX_FMT_GBRP16LE
            case (true, true, ...8): AV_PIX_FMT_GBRAP
            case (true, true, _): AV_PIX_FMT_GBRAP16LE
            case (false, false, ...8): AV_PIX_FMT_YUV444P
            case (false, false, 10): AV_PIX_FMT_YUV444P10LE
            case (false, false, _): AV_PIX_FMT_YUV444P16LE
            case (false, true, ...8): AV_PIX_FMT_YUVA444P
            case (false, true, _): AV_PIX_FMT_YUVA444P16LE
            }
        self.init(near.rawValue)
    }

    /// Whether a format has more than 8 bits a sample.
    static func isDeep(_ format: CInt) -> Bool {
        guard let form = lz_pix_fmt(format)?.pointee else { return false }
        return form.nb_components > 0 && form.comp.0.depth > 8
    }

    /// The columns and rows of a plane.
    func extent(_ plane: Int, _ size: PixelSize) -> (width: Int, height: Int) {
        guard plane == 1 || plane == 2 else { return (size.width, size.height) }
        return (
            -(-size.width >> chromaShift.columns), -(-size.height >> chromaShift.rows)
        )
    }

    /// The offset of each plane, the bytes from row to row, and the bytes of all.
    ///
    /// Rows are written in groups of pixels: each is aligned and padded.
    func layout(_ size: PixelSize) -> (places: [Int64], byteCount: Int) {
        var places: [Int64] = []
        var end = 0
        for plane in 0..<planeCount {
            let (width, height) = extent(plane, size)
            let stride = (width * sampleBytes + 159) & ~63
            places += [Int64(end), Int64(stride)]
            end += stride * height + 64
        }
        return (places, end)
    }
}
