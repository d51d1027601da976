public import LazyMedia

/// A place of one rectangle in another.
public enum Gravity: String, CaseIterable, Sendable {
    /// A corner.
    case topLeft, topRight, bottomLeft, bottomRight
    /// The middle of an edge.
    case top, bottom, left, right
    /// The middle.
    case center
}

extension ImageProcessors {
    /// Lays a picture over pictures, such as a watermark.
    public struct Overlay: ImageProcessing {
        private enum Place: Hashable, Sendable {
            case at(x: Int, y: Int)
            case gravity(Gravity, margin: Int)
        }

        private let picture: Bitmap
        private let place: Place
        private let opacity: UInt32
        private let content: String

        /// Lays a picture with its upper left corner at a place, which may be negative.
        public init(_ picture: Bitmap, x: Int, y: Int, opacity: Double = 1) {
            self.init(picture, .at(x: x, y: y), opacity)
        }

        /// Lays a picture to an edge or corner, so many pixels away from it, or into the middle.
        public init(
            _ picture: Bitmap, gravity: Gravity = .center, margin: Int = 0, opacity: Double = 1
        ) {
            self.init(picture, .gravity(gravity, margin: margin), opacity)
        }

        private init(_ picture: Bitmap, _ place: Place, _ opacity: Double) {
            self.picture = picture
            self.place = place
            self.opacity = UInt32((min(max(opacity.isNaN ? 1 : opacity, 0), 1) * 255).rounded())
            content = picture.fingerprint
        }

        /// `lazyimg/overlay` with the picture's fingerprint, its place and opacity.
        public var identifier: String {
            let word: String =
                switch place {
                case .at(let x, let y): "at=\(x):\(y)"
                case .gravity(let gravity, let margin): "g=\(gravity.rawValue):\(margin)"
                }
            return "lazyimg/overlay?i=\(content),\(word),o=\(opacity)"
        }

        /// The same size.
        public func outputSize(for size: PixelSize) -> PixelSize { size }

        /// Lays the picture over one; what stands over is left off.
        public func process(
            _ bitmap: Bitmap, context: ProcessingContext
        ) throws(ProcessingError) -> Bitmap {
            let (x, y) = origin(in: bitmap.size)
            let rect = PixelRect(x: x, y: y, width: picture.size.width, height: picture.size.height)
            guard opacity > 0, let inside = rect.clipped(to: bitmap.size) else { return bitmap }
            let size = bitmap.size
            return try bitmap.makingPixels(size: size, isOpaque: bitmap.isOpaque) { from, to in
                to.update(from: from, count: size.pixelCount)
                picture.withBytes { bytes in
                    let top = bytes.bindMemory(to: Pixel.self)
                    for row in inside.y..<inside.y + inside.height {
                        let source = (row - y) * picture.size.width - x
                        let target = row * size.width
                        for column in inside.x..<inside.x + inside.width {
                            to[target + column] = over(
                                top[source + column], opacity: opacity, to[target + column])
                        }
                    }
                }
            }
        }

        private func origin(in size: PixelSize) -> (Int, Int) {
            switch place {
            case .at(let x, let y): return (x, y)
            case .gravity(let gravity, let margin):
                let right = (size.width - picture.size.width).subtractingReportingOverflow(margin)
                let bottom = (size.height - picture.size.height)
                    .subtractingReportingOverflow(margin)
                let middle = (
                    (size.width - picture.size.width) / 2, (size.height - picture.size.height) / 2
                )
                let x: Int =
                    switch gravity {
                    case .topLeft, .left, .bottomLeft: margin
                    case .topRight, .right, .bottomRight: right.partialValue
                    case .top, .center, .bottom: middle.0
                    }
                let y: Int =
                    switch gravity {
                    case .topLeft, .top, .topRight: margin
                    case .bottomLeft, .bottom, .bottomRight: bottom.partialValue
                    case .left, .center, .right: middle.1
                    }
                return (x, y)
            }
        }
    }
}

extension Bitmap {
    /// Size and 128 bits that tell one picture from another; the same in every run.
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
