public import LazyEditing
public import LazyMedia

extension ImageProcessors {
    /// Draws a bitmap over images, such as a watermark.
    public struct Overlay: ImageProcessing, Hashable {
        private let picture: Bitmap
        private let position: OverlayPosition
        private let opacity: UInt8
        /// `lazyimg/overlay` with the digest of the bitmap, its position and opacity.
        public let identifier: String

        /// Creates an overlay at a position, which may be negative.
        public init(_ picture: Bitmap, x: Int, y: Int, opacity: Double = 1) {
            self.init(picture, .corner(x: x, y: y), opacity)
        }

        /// Creates an overlay aligned by gravity, with a margin.
        public init(
            _ picture: Bitmap, gravity: Gravity = .center, margin: Int = 0, opacity: Double = 1
        ) {
            self.init(picture, .gravity(gravity, margin: margin), opacity)
        }

        private init(_ picture: Bitmap, _ position: OverlayPosition, _ opacity: Double) {
            self.picture = picture
            self.position = position
            self.opacity = UInt8((min(max(opacity.isNaN ? 1 : opacity, 0), 1) * 255).rounded())
            let word: String =
                switch position {
                case .corner(let x, let y): "at=\(x):\(y)"
                case .gravity(let gravity, let margin): "g=\(gravity):\(margin)"
                }
            identifier = "lazyimg/overlay?i=\(picture.fingerprint),\(word),o=\(self.opacity)"
        }

        /// Returns the size unchanged.
        public func outputSize(for size: PixelSize) -> PixelSize { size }

        /// Draws the overlay, clipped to the image.
        public func process(
            _ bitmap: Bitmap, context: ProcessingContext
        ) throws(ProcessingError) -> Bitmap {
            let (x, y) = position.origin(of: picture.size, on: bitmap.size)
            let rect = PixelRect(x: x, y: y, width: picture.size.width, height: picture.size.height)
            guard opacity > 0, rect.clipped(to: bitmap.size) != nil else { return bitmap }
            let size = bitmap.size
            return try bitmap.makingPixels(size: size, isOpaque: bitmap.isOpaque) { from, to in
                to.update(from: from, count: size.pixelCount)
                picture.draw(over: to, of: size, x: x, y: y, opacity: opacity)
            }
        }
    }
}

extension Bitmap {
    /// The size and a 128-bit digest of the pixels; the same in every run.
    fileprivate var fingerprint: String {
        var (low, high): (UInt64, UInt64) = (0xCBF2_9CE4_8422_2325, 0x9AE1_6A3B_2F90_404F)
        withBytes { bytes in
            for offset in Swift.stride(from: 0, to: bytes.count, by: 4) {
                let word = UInt64(bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
                low = (low ^ word) &* 0x0000_0100_0000_01B3
                low ^= low >> 29
                high = (high &+ word) &* 0x9FB2_1C65_1E98_DF25
                high ^= high >> 32
            }
        }
        return "\(size)-\(String(low, radix: 16))\(String(high, radix: 16))"
    }
}
