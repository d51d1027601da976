internal import LazyEditing
public import LazyMedia

extension ImageProcessors {
    /// Resizes images by exact area averaging.
    ///
    /// Without `crop`, the image keeps its aspect ratio and may exceed the size with `.cover`. With
    /// `crop` and `.cover`, the result has exactly the size; of an image that is too small it is the
    /// largest part of the same aspect ratio, unless `upscale` allows enlarging.
    public struct Resize: ImageProcessing, Hashable {
        /// The target size and fit.
        public let target: TargetSize
        /// Whether the overflow of `.cover` is cut off.
        public let crop: Bool
        /// Whether images may be enlarged; `.fill` always does, `.scaleDown` never does.
        public let upscale: Bool
        /// `lazyimg/resize` with all parameters.
        public let identifier: String

        /// Creates a processor; `.contain` without `upscale` is `.scaleDown`.
        public init(_ target: TargetSize, crop: Bool = false, upscale: Bool = false) {
            func side(_ length: Int?) -> Int? { length.map { min(max(1, $0), 1 << 24) } }
            self.target = TargetSize(
                width: side(target.width), height: side(target.height),
                fit: target.fit == .contain && !upscale ? .scaleDown : target.fit)
            self.crop = crop && target.fit == .cover
            self.upscale = upscale
            identifier =
                "lazyimg/resize?s=\(self.target.identifier),crop=\(self.crop),up=\(upscale)"
        }

        /// The size of the resized image.
        public func outputSize(for size: PixelSize) -> PixelSize {
            step(for: size).outputSize(for: size)
        }

        /// Scales an image and cuts off the overflow.
        public func process(
            _ bitmap: Bitmap, context: ProcessingContext
        ) throws(ProcessingError) -> Bitmap { try step(for: bitmap.size).processed(bitmap) }

        private func step(for size: PixelSize) -> EditStep {
            let target = upscale ? target : target.withoutEnlarging(size)
            guard target.fit == .cover, !crop else { return .fit(target, .center) }
            // Covering without a cut is scaling.
            let scaled = target.scaledSize(of: size)
            return .fit(
                TargetSize(width: scaled.width, height: scaled.height, fit: .fill), .center)
        }
    }
}

/// A processor that may only scale the whole image, which decoders do faster during decoding.
protocol WholeScaling: ImageProcessing {
    /// Whether the processor only scales.
    var isOnlyScaling: Bool { get }
}

extension ImageProcessors.Resize: WholeScaling {
    var isOnlyScaling: Bool { !crop }
}
