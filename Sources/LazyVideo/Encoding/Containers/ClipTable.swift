internal import LazyMedia

/// What a container must know of the frames it carries; a few bytes a frame.
struct ClipTable {
    /// One encoded frame.
    struct Sample {
        /// The number of the frame it shows, in order of presentation.
        let frame: Int
        /// Its bytes.
        let size: Int
        /// The bytes of its alpha, which stand behind them.
        let alphaSize: Int
        /// Whether decoding can begin with it.
        let isKey: Bool
    }

    /// The frames in the order they are decoded.
    var samples: [Sample] = []
    /// When they are shown.
    var clock = FrameClock()
    /// The codec.
    let codec: VideoCodecChoice
    /// The codec's header as the containers take it: `avcC`, `av1C`, or nothing.
    var header: [UInt8] = []
    /// Width and height.
    let size: PixelSize
    /// What the numbers mean.
    let colors: PictureFiller.Colors
    /// Whether frames carry alpha.
    let hasAlpha: Bool
}

/// Numbers as bytes, the highest first.
struct BigEndian {
    /// What was written.
    var bytes: [UInt8] = []

    /// Writes the lowest so many bytes of a number.
    mutating func put(_ value: some FixedWidthInteger, _ count: Int) {
        for place in stride(from: count - 1, through: 0, by: -1) {
            bytes.append(UInt8(truncatingIfNeeded: value >> (8 * place)))
        }
    }
}

/// The numbers of ITU-T H.273 that tell what the planes mean.
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
