internal import CFFmpeg
internal import LazyMedia

/// What the samples of a decoded picture mean.
struct PictureColors: Hashable {
    /// What file and bitstream say.
    let color: ColorDescription
    /// The matrix: one of swscale's constants, which equal those of the tag.
    let colorspace: CInt
    /// Whether Y ranges from 0 to 255.
    let isFullRange: Bool

    /// Reads the tags; the matrix of untagged YUV follows from the stream and the size.
    init(_ frame: AVFrame, _ size: PixelSize, _ stream: StreamColors) {
        color = stream.description(frame)
        let isUntaggedGray = color.isFullRange == nil && Self.isGray(frame.format)
        isFullRange =
            color.isFullRange == true || Self.older.contains { $0.rawValue == frame.format }
            || isUntaggedGray && stream.isGrayFull
        guard color.matrix == .unspecified else {
            colorspace = CInt(color.matrix.rawValue)
            return
        }
        colorspace = stream.isHD(size) ? SWS_CS_ITU709 : SWS_CS_DEFAULT
    }

    /// The matrix, where `PlanarPicture` supports it.
    var matrix: PlanarPicture.Matrix? {
        switch UInt32(bitPattern: colorspace) {
        case AVCOL_SPC_BT709.rawValue: .bt709
        case AVCOL_SPC_BT470BG.rawValue, AVCOL_SPC_SMPTE170M.rawValue: .bt601
        case AVCOL_SPC_BT2020_NCL.rawValue: .bt2020
        default: nil
        }
    }

    /// Whether a format has luma, or luma and alpha, alone.
    private static func isGray(_ format: CInt) -> Bool {
        guard let form = lz_pix_fmt(format)?.pointee else { return false }
        return form.nb_components <= 2 && form.flags & (LZ_PIX_FMT_RGB | LZ_PIX_FMT_PALETTE) == 0
    }

    private static let older = [
        AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUVJ444P, AV_PIX_FMT_YUVJ440P,
        AV_PIX_FMT_YUVJ411P,
    ]
}

/// Which colors pictures of a stream come out in.
struct PictureOutput {
    /// What the stream's samples mean.
    let colors: StreamColors
    /// The colors to convert to.
    let output: ColorOutput

    /// The conversion of a picture's colors, or nil where its samples are sRGB or stay as they are.
    func converter(_ picture: PictureColors) -> ColorConverter? {
        ColorConversions.choose(picture.color, colors.rules, output).converter
    }

    /// What the bitmaps made of a picture mean.
    func color(_ picture: Picture) -> ColorDescription {
        switch output {
        case .sRGB: .sRGB
        case .source: colors.description(picture.pointer.pointee)
        }
    }
}
