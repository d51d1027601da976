/// A picture as video codecs hold it: 8-bit 4:2:0 with separate planes Y, U (Cb) and V (Cr).
///
/// Immutable and cheap to copy. The planes are contiguous without padding: Y of width times height
/// bytes, then U and V of half the width times half the height each, rounded up. Chroma samples are
/// sited as in the source, in most video at the left (MPEG-2). Always opaque.
public struct PlanarPicture: Sendable {
    /// Width and height in pixels of Y.
    public let size: PixelSize
    /// The matrix from RGB.
    public let matrix: Matrix
    /// Whether Y ranges from 0 to 255 instead of 16 to 235.
    public let isFullRange: Bool
    private let storage: BitmapStorage

    /// The matrices between RGB and YUV.
    public enum Matrix: String, Hashable, Sendable {
        /// ITU-R BT.601, also SMPTE 170M: small video, JPEG, WebP.
        case bt601
        /// ITU-R BT.709: large video.
        case bt709
        /// ITU-R BT.2020, non-constant luminance.
        case bt2020
    }

    /// The offsets of the planes in their bytes.
    public struct Layout: Hashable, Sendable {
        /// Bytes in a row of U or V.
        public let chromaWidth: Int
        /// Rows of U or V.
        public let chromaHeight: Int
        /// The offset of U; Y starts at 0.
        public let u: Int
        /// The offset of V.
        public let v: Int
        /// The bytes of all planes.
        public let byteCount: Int

        /// The layout for a size.
        public init(_ size: PixelSize) {
            chromaWidth = (size.width + 1) / 2
            chromaHeight = (size.height + 1) / 2
            u = size.width * size.height
            v = u + chromaWidth * chromaHeight
            byteCount = v + chromaWidth * chromaHeight
        }
    }

    /// Makes a picture whose planes a closure writes; the memory is not cleared first.
    public init(
        size: PixelSize, matrix: Matrix, isFullRange: Bool = false, pool: BitmapPool = .shared,
        writingPlanes body: (UnsafeMutableRawBufferPointer) throws(MediaError) -> Void
    ) throws(MediaError) {
        let count = Layout(size).byteCount
        let storage = try pool.storage(byteCount: count)
        try body(storage.bytes(count))
        self.size = size
        self.matrix = matrix
        self.isFullRange = isFullRange
        self.storage = storage
    }

    /// The offsets of the planes.
    public var layout: Layout { Layout(size) }

    /// Provides the planes to a closure; the pointer is valid only inside it.
    public func withBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(storage.bytes(layout.byteCount)))
    }
}

extension PlanarPicture.Matrix {
    /// The weights of red and blue in luma.
    var redAndBlue: (Double, Double) {
        switch self {
        case .bt601: (0.299, 0.114)
        case .bt709: (0.2126, 0.0722)
        case .bt2020: (0.2627, 0.0593)
        }
    }
}
