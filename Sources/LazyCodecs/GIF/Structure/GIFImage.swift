internal import LazyMedia

/// What a GIF says about one of its images, apart from the pixels.
///
/// A GIF may have a hundred thousand, so each field has the width that it has in the file.
struct GIFImage: Hashable, Sendable {
    /// The offset of its descriptor, the byte `,`.
    var descriptorOffset = 0
    /// The number of bytes of compressed data, without the blocks' lengths.
    var dataByteCount = 0
    private var place = SIMD4<UInt16>.zero
    // Zero where there is none: that is the signature's place.
    private var delayPlace = 0
    private var delayField: UInt16 = 0
    // Zero where there is no palette.
    private var localColors: UInt16 = 0
    private var codeSize: UInt8 = 0
    var disposal = LayeredCanvas.Disposal.keep
    /// The transparent color index.
    var transparentIndex: UInt8?
    var isInterlaced = false
    /// Whether its data ends with a terminator.
    var isTerminated = false
    /// Whether its data seems to end with the code of an end.
    var hasEndCode = false
    /// Whether it can be composed without the images before it.
    var isKeyframe = false
    /// Whether the canvas is transparent before it is drawn.
    var startsBlank = false

    /// Its rectangle on the screen in the file; may cross the screen's edge.
    var rect: PixelRect {
        get {
            PixelRect(
                x: Int(place.x), y: Int(place.y), width: Int(place.z), height: Int(place.w))
        }
        set {
            place = SIMD4(
                UInt16(clamping: newValue.x), UInt16(clamping: newValue.y),
                UInt16(clamping: newValue.width), UInt16(clamping: newValue.height))
        }
    }

    /// The delay in the file, in hundredths of a second.
    var delay: Int {
        get { Int(delayField) }
        set { delayField = UInt16(clamping: newValue) }
    }

    /// The offset of the delay; nil where no graphic control precedes the image.
    var delayOffset: Int? {
        get { delayPlace == 0 ? nil : delayPlace }
        set { delayPlace = newValue ?? 0 }
    }

    /// The number of colors of its own palette.
    var localColorCount: Int? {
        get { localColors == 0 ? nil : Int(localColors) }
        set { localColors = UInt16(clamping: newValue ?? 0) }
    }

    /// The minimum code size of its data.
    var minimumCodeSize: Int {
        get { Int(codeSize) }
        set { codeSize = UInt8(clamping: newValue) }
    }
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
