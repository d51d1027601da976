internal import LazyEditing
public import LazyMedia

extension ImageProcessors {
    /// Blurs images with a Gaussian approximated by three box blurs in each direction.
    ///
    /// The cost per pixel does not depend on the radius. Edge pixels are repeated outwards, and
    /// transparent pixels contribute no color.
    public struct GaussianBlur: ImageProcessing, Hashable {
        /// The standard deviation in pixels.
        public let radius: Double
        /// `lazyimg/blur` with the radius.
        public let identifier: String

        /// Creates a processor; the radius is clamped to 0 through 1000.
        public init(radius: Double = 8) {
            self.radius = radius > 0 ? min(radius, 1000) : 0
            identifier = "lazyimg/blur?r=\(self.radius)"
        }

        /// Returns the size unchanged.
        public func outputSize(for size: PixelSize) -> PixelSize { size }

        /// Blurs an image.
        public func process(
            _ bitmap: Bitmap, context: ProcessingContext
        ) throws(ProcessingError) -> Bitmap {
            let boxes = BoxBlur(deviation: radius)
            guard boxes.isNeeded else { return bitmap }
            let size = bitmap.size
            let between: Bitmap
            do throws(MediaError) {
                // Premultiplied colors need 16 bits: memory for two bitmaps, from the pool.
                between = try Bitmap(
                    size: PixelSize(width: size.width * 2, height: size.height), isOpaque: false
                ) { lines in
                    guard let to = lines.bindMemory(to: SIMD4<UInt16>.self).baseAddress else {
                        return
                    }
                    bitmap.withBytes { input in
                        guard let from = input.bindMemory(to: Pixel.self).baseAddress else {
                            return
                        }
                        boxes.blurRows(from, size, into: to)
                    }
                }
            } catch {
                throw ProcessingError(error)
            }
            return try bitmap.makingPixels(size: size, isOpaque: bitmap.isOpaque) { _, to in
                between.withBytes { lines in
                    guard let from = lines.bindMemory(to: SIMD4<UInt16>.self).baseAddress else {
                        return
                    }
                    boxes.blurColumns(from, size, into: to)
                }
            }
        }
    }
}
