internal import CFFmpeg
internal import LazyMedia

/// The matrix and range of a decoded picture.
struct PictureColors: Hashable {
    /// One of swscale's constants, which equal those of the tag.
    let colorspace: CInt
    /// Whether Y ranges from 0 to 255.
    let isFullRange: Bool

    /// Reads the tags; untagged YUV is BT.709 for large video and BT.601 otherwise.
    init(_ frame: AVFrame, _ size: PixelSize, assumesHD: Bool) {
        isFullRange =
            frame.color_range == AVCOL_RANGE_JPEG
            || Self.older.contains { $0.rawValue == frame.format }
        let space = frame.colorspace
        guard space == AVCOL_SPC_UNSPECIFIED || space == AVCOL_SPC_RESERVED else {
            colorspace = CInt(space.rawValue)
            return
        }
        let isLarge = size.width >= 1280 || size.height > 576
        colorspace = assumesHD && isLarge ? SWS_CS_ITU709 : SWS_CS_DEFAULT
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

    private static let older = [
        AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUVJ444P, AV_PIX_FMT_YUVJ440P,
        AV_PIX_FMT_YUVJ411P,
    ]
}
