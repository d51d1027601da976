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
            crop ? cropTarget(for: size).finalSize(of: size) : scaledSize(for: size)
        }

        /// Scales an image and cuts off the overflow.
        public func process(
            _ bitmap: Bitmap, context: ProcessingContext
        ) throws(ProcessingError) -> Bitmap {
            let target = crop ? cropTarget(for: bitmap.size) : target
            let scaled = crop ? target.scaledSize(of: bitmap.size) : scaledSize(for: bitmap.size)
            try Bitmap.check(scaled)
            return try ProcessingError.mapping { () throws(MediaError) in
                let picture = try bitmap.scaled(to: scaled)
                return crop ? try picture.cropped(toCover: target) : picture
            }
        }

        /// The size that is cut out, which does not enlarge an image of a size unless that is allowed.
        private func cropTarget(for size: PixelSize) -> TargetSize {
            let ratios = [
                target.width.map { Double($0) / Double(size.width) },
                target.height.map { Double($0) / Double(size.height) },
            ].compactMap { $0 }
            guard !upscale, let ratio = ratios.max(), ratio > 1 else { return target }
            func side(_ length: Int?) -> Int? {
                length.map { max(1, Int((Double($0) / ratio).rounded())) }
            }
            return TargetSize(
                width: side(target.width), height: side(target.height), fit: .cover)
        }

        private func scaledSize(for size: PixelSize) -> PixelSize {
            let scaled = target.scaledSize(of: size)
            // Only `.cover` needs a check: the other fits define whether they enlarge.
            let isHeldBack = target.fit == .cover && !crop && !upscale
            return isHeldBack && scaled.width >= size.width && scaled.height >= size.height
                ? size : scaled
        }
    }
}

/// A processor that may only scale the whole image, which decoders do
/// faster during decoding.
protocol WholeScaling: ImageProcessing {
    /// Whether the processor only scales.
    var isOnlyScaling: Bool { get }
}

extension ImageProcessors.Resize: WholeScaling {
    var isOnlyScaling: Bool { !crop }
}
