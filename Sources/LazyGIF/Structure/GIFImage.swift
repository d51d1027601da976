internal import LazyMedia

/// What a GIF says about one of its images, apart from the pixels.
struct GIFImage: Hashable, Sendable {
    /// Its rectangle on the screen in the file; may cross the screen's edge.
    var rect = PixelRect.empty
    /// The delay in the file, in hundredths of a second.
    var delay = 0
    /// The offset of the delay; nil where no graphic control precedes the image.
    var delayOffset: Int?
    var disposal = LayeredCanvas.Disposal.keep
    /// The transparent color index.
    var transparentIndex: UInt8?
    var isInterlaced = false
    /// The number of colors of its own palette.
    var localColorCount: Int?
    /// The offset of its descriptor, the byte `,`.
    var descriptorOffset = 0
    /// The minimum code size of its data.
    var minimumCodeSize = 0
    /// The number of bytes of compressed data, without the blocks' lengths.
    var dataByteCount = 0
    /// Whether its data ends with a terminator.
    var isTerminated = false
    /// Whether it can be composed without the images before it.
    var isKeyframe = false
    /// Whether the canvas is transparent before it is drawn.
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
