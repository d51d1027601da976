internal import CFFmpeg
internal import LazyMedia

/// What the samples of a stream mean: what its container and its bitstream say, by precedence.
struct StreamColors: Sendable {
    /// What the container says; nothing where the file has none.
    private let container: ColorDescription
    /// Whether the container takes precedence over the bitstream, as browsers do for VP8 and VP9.
    private let prefersContainer: Bool
    /// The metadata of HDR, fixed for the whole stream so that equal scenes are equally bright.
    private(set) var masteringDisplay: MasteringDisplay?
    private(set) var contentLight: ContentLight?
    /// Dolby Vision's configuration, or nil.
    private(set) var dolbyVision: DolbyVision?
    /// Whether scenes have metadata of HDR10+.
    private var isHDR10Plus = false
    /// Whether it is a film; stills have other rules for tags.
    let isFilm: Bool
    private let codec: AVCodecID
    /// Width to height of a pixel.
    private let pixelAspect: Rational
    /// The size that the container declares, or nil.
    private let declaredSize: PixelSize?

    /// The colors of pictures of a codec that are no film and have no container.
    init(ofStills codec: AVCodecID) {
        container = ColorDescription()
        prefersContainer = false
        pixelAspect = Rational(1, 1)
        declaredSize = nil
        self.codec = codec
        isFilm = false
    }

    /// The colors that a container's header declares.
    init(
        _ stream: UnsafeMutablePointer<AVStream>, isFilm: Bool, pixelAspect: Rational
    ) {
        let parameters = stream.pointee.codecpar.pointee
        codec = parameters.codec_id
        self.pixelAspect = pixelAspect
        declaredSize = PixelSize(checking: Int(parameters.width), Int(parameters.height))
        container = ColorDescription(
            parameters.color_primaries, parameters.color_trc, parameters.color_space,
            parameters.color_range)
        prefersContainer =
            parameters.codec_id == AV_CODEC_ID_VP8 || parameters.codec_id == AV_CODEC_ID_VP9
        masteringDisplay = lz_mastering_display(stream).flatMap { MasteringDisplay($0.pointee) }
        contentLight = lz_content_light(stream).flatMap { ContentLight($0.pointee) }
        dolbyVision = lz_dolby_vision(stream).map { DolbyVision($0.pointee) }
        self.isFilm = isFilm
    }

    /// The rules for tags.
    var rules: ColorRules { isFilm ? .film : .still }

    /// Whether untagged pictures of a size have the matrix of BT.709; others have that of BT.601.
    ///
    /// For H.264 and VP8 as Chromium does: from 720 rows of square pixels on, before rotation. It
    /// takes VP9 and AV1 for BT.601 at any size; large ones are BT.709 here, as those who convert by
    /// size expect. Where the size changes on the way the declared one decides, so that colors stay.
    func isHD(_ size: PixelSize) -> Bool {
        guard isFilm else { return false }
        let size = declaredSize ?? size
        return switch codec {
        case AV_CODEC_ID_H264, AV_CODEC_ID_VP8: size.squared(pixelAspect).height >= 720
        default: size.width >= 1280 || size.height > 576
        }
    }

    /// Whether untagged gray has the full range, as in all but the codecs of films, where it is luma.
    var isGrayFull: Bool {
        ![
            AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_AV1, AV_CODEC_ID_VP8, AV_CODEC_ID_VP9,
        ].contains(codec)
    }

    /// Takes the metadata of the bitstream; static ones only where the container has none.
    mutating func complete(with metadata: HDRMetadata) {
        isHDR10Plus = metadata.isHDR10Plus
        guard masteringDisplay == nil, contentLight == nil else { return }
        (masteringDisplay, contentLight) = (metadata.masteringDisplay, metadata.contentLight)
    }

    /// The description of a picture whose bitstream says this.
    func description(_ coded: ColorDescription) -> ColorDescription {
        let (first, second) = prefersContainer ? (container, coded) : (coded, container)
        var color =
            dolbyVision?.completed(first.completed(by: second)) ?? first.completed(by: second)
        (color.masteringDisplay, color.contentLight) = (masteringDisplay, contentLight)
        return color
    }

    /// The description of a decoded picture.
    func description(_ frame: AVFrame) -> ColorDescription {
        var coded = ColorDescription(
            frame.color_primaries, frame.color_trc, frame.colorspace, frame.color_range)
        // All of VP8 is "similar to BT.601" (RFC 6386, 9.2), which browsers do not take for a tag.
        if codec == AV_CODEC_ID_VP8 { coded.matrix = .unspecified }
        return description(coded)
    }

    /// The kind of HDR in the field's terms, or nil for SDR.
    func hdrFormat(_ color: ColorDescription) -> String? {
        if let dolbyVision { return dolbyVision.name }
        guard color.isHDR else { return nil }
        if color.transfer == .hlg { return "HLG" }
        return isHDR10Plus ? "HDR10+" : "HDR10"
    }
}

extension ColorDescription {
    /// What FFmpeg's tags say; its constants are the code points of H.273.
    init(
        _ primaries: AVColorPrimaries, _ transfer: AVColorTransferCharacteristic,
        _ space: AVColorSpace, _ range: AVColorRange
    ) {
        self.init(
            primaries: ColorPrimaries(rawValue: Self.code(primaries.rawValue)),
            transfer: TransferCharacteristics(rawValue: Self.code(transfer.rawValue)),
            matrix: MatrixCoefficients(
                rawValue: space == AVCOL_SPC_RGB ? 0 : Self.code(space.rawValue)),
            isFullRange: range == AVCOL_RANGE_UNSPECIFIED ? nil : range == AVCOL_RANGE_JPEG)
    }

    /// A reserved code counts as unspecified.
    private static func code(_ value: UInt32) -> UInt8 {
        let code = UInt8(clamping: value)
        return code == 0 || code == 3 ? 2 : code
    }

    /// The same, with what is unspecified here taken from another.
    fileprivate func completed(by other: ColorDescription) -> ColorDescription {
        var color = self
        if primaries == .unspecified { color.primaries = other.primaries }
        if transfer == .unspecified { color.transfer = other.transfer }
        if matrix == .unspecified { color.matrix = other.matrix }
        color.isFullRange = isFullRange ?? other.isFullRange
        return color
    }
}
