internal import LazyMedia

/// What a GIF says about one of its images, before any pixel of it is decompressed.
struct GIFImage: Hashable, Sendable {
    /// Where it stands on the screen, as the file says; may stand over it.
    var rect = PixelRect.empty
    /// Hundredths of a second, as the file says.
    var delay = 0
    /// Where the delay is in the file; nil where no graphic control precedes the image.
    var delayOffset: Int?
    var disposal = LayeredCanvas.Disposal.keep
    /// The color index that paints nothing.
    var transparentIndex: UInt8?
    var isInterlaced = false
    /// The number of colors of its own palette.
    var localColorCount: Int?
    /// Where its descriptor begins: the offset of the byte `,`.
    var descriptorOffset = 0
    /// The smallest code size that its data announces.
    var minimumCodeSize = 0
    /// Bytes of compressed data, without the blocks' length bytes.
    var dataByteCount = 0
    /// Whether its data ends with a terminator.
    var isTerminated = false
    /// Whether it can be composed without the images before it.
    var isKeyframe = false
    /// Whether the canvas is all transparent before it is drawn.
    var startsBlank = false
}

extension LayeredCanvas.Disposal {
    /// The rule of the browsers: 4 is a frequent mistake for 3, all else is 1.
    init(gif number: Int) {
        switch number {
        case 2: self = .clear
        case 3, 4: self = .restore
        default: self = .keep
        }
    }
}
