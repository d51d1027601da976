internal import LazyEditing
public import LazyMedia

extension ImageProcessors {
    /// Crops images to a rectangle.
    public struct Crop: ImageProcessing, Hashable {
        /// The rectangle, clipped to the bounds of each image.
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
            guard let inside = rect.clipped(to: size) else { return PixelSize(width: 1, height: 1) }
            return PixelSize(width: inside.width, height: inside.height)
        }

        /// Copies the rectangle's pixels; throws if it lies outside the image.
        public func process(
            _ bitmap: Bitmap, context: ProcessingContext
        ) throws(ProcessingError) -> Bitmap {
            guard let inside = rect.clipped(to: bitmap.size) else {
                throw ProcessingError(
                    "The crop \(rect) lies outside the image of \(bitmap.size).")
            }
            return try ProcessingError.mapping { () throws(MediaError) in
                try bitmap.cropped(to: inside)
            }
        }
    }
}
