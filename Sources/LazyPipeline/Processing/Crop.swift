internal import LazyEditing
public import LazyMedia

extension ImageProcessors {
    /// Crops images to a rectangle.
    public struct Crop: ImageProcessing, Hashable {
        /// The rectangle, clipped to the bounds of each image; `ClipEdit` refuses one that is not inside.
        public let rect: PixelRect
        /// `lazyimg/crop` with the rectangle.
        public let identifier: String

        /// Creates a processor.
        public init(_ rect: PixelRect) {
            self.rect = rect
            identifier = "lazyimg/crop?r=\(rect)"
        }

        /// The size of the clipped rectangle.
        public func outputSize(for size: PixelSize) -> PixelSize {
            step(for: size).outputSize(for: size)
        }

        /// Copies the rectangle's pixels; throws if it lies outside the image.
        public func process(
            _ bitmap: Bitmap, context: ProcessingContext
        ) throws(ProcessingError) -> Bitmap { try step(for: bitmap.size).processed(bitmap) }

        private func step(for size: PixelSize) -> EditStep {
            .crop(.rect(rect.clipped(to: size) ?? rect), .center)
        }
    }
}
