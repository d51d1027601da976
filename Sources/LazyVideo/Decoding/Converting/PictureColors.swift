internal import CFFmpeg
internal import LazyMedia

/// The matrix and range that a decoded picture's numbers are to be read with.
struct PictureColors: Hashable {
    /// One of swscale's numbers, which are those of the tag.
    let colorspace: CInt
    /// Whether Y takes 0 to 255.
    let isFullRange: Bool

    /// Reads the tags; untagged YUV is BT.709 for large video and BT.601 for all else.
    init(_ frame: AVFrame, _ size: PixelSize, guessesHD: Bool) {
        isFullRange =
            frame.color_range == AVCOL_RANGE_JPEG
            || Self.older.contains { $0.rawValue == frame.format }
        let space = frame.colorspace
        guard space == AVCOL_SPC_UNSPECIFIED || space == AVCOL_SPC_RESERVED else {
            colorspace = CInt(space.rawValue)
            return
        }
        let isLarge = size.width >= 1280 || size.height > 576
        colorspace = guessesHD && isLarge ? SWS_CS_ITU709 : SWS_CS_DEFAULT
    }

    /// The matrix, where it is one of those that planes are handed out with.
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
