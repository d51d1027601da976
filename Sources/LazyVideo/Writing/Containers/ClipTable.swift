internal import LazyMedia

/// What a container stores about its frames; a few bytes per frame.
struct ClipTable {
    /// One encoded frame.
    struct Sample {
        /// The number of the shown frame, in order of presentation.
        let frame: Int
        /// The size in bytes.
        let size: Int
        /// The size of its alpha, which follows it.
        let alphaSize: Int
        /// Whether decoding can begin with it.
        let isKey: Bool
    }

    /// The frames in decoding order.
    var samples: [Sample] = []
    /// The frames' times.
    var clock = FrameClock()
    /// What is said of the clip.
    var words = ClipWords()
    /// The codec.
    let codec: VideoCodecChoice
    /// The codec's header for containers: `avcC`, `av1C`, or empty.
    var header: [UInt8] = []
    /// Width and height.
    let size: PixelSize
    /// The colors' meaning.
    let colors: PictureFiller.Colors
    /// Whether frames carry alpha.
    let hasAlpha: Bool
}

/// The codes of ITU-T H.273 for the planes' colors.
struct ColorCodes {
    let primaries = 1
    let transfer = 1
    let matrix: Int
    let isFullRange: Bool

    init(_ colors: PictureFiller.Colors) {
        switch colors.matrix {
        case .bt601: (matrix, isFullRange) = (6, false)
        case nil: (matrix, isFullRange) = (0, true)
        default: (matrix, isFullRange) = (1, false)
        }
    }
}
