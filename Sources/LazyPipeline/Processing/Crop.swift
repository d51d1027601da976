internal import LazyEditing
public import LazyMedia

extension ImageProcessors {
    /// Cuts a rectangle out of pictures.
    public struct Crop: ImageProcessing, Hashable {
        /// The rectangle; what of it lies outside a picture is left off.
        public let rect: PixelRect

        /// Makes a processor.
        public init(_ rect: PixelRect) { self.rect = rect }

        /// `lazyimg/crop` with the rectangle.
        public var identifier: String { "lazyimg/crop?r=\(rect)" }

        /// The size of what of the rectangle lies inside.
        public func outputSize(for size: PixelSize) -> PixelSize {
            guard let inside = rect.clipped(to: size) else { return PixelSize(width: 1, height: 1) }
            return PixelSize(width: inside.width, height: inside.height)
        }

        /// Copies the rectangle's pixels; throws where it lies outside the picture.
        public func process(
            _ bitmap: Bitmap, context: ProcessingContext
        ) throws(ProcessingError) -> Bitmap {
            guard let inside = rect.clipped(to: bitmap.size) else {
                throw ProcessingError(
                    "The crop \(rect) lies outside the picture of \(bitmap.size).")
            }
            return try ProcessingError.mapping { () throws(MediaError) in
                try bitmap.cropped(to: inside)
            }
        }
    }
}
