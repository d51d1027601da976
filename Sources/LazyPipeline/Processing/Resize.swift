internal import LazyEditing
public import LazyMedia

extension ImageProcessors {
    /// Brings pictures to a size: the exact average of what each new pixel covers.
    ///
    /// Without `crop` the picture keeps its shape, and may stand over the size with `.cover`. With
    /// it and `.cover` the result is exactly the size, and small pictures are enlarged for it.
    public struct Resize: ImageProcessing, Hashable {
        /// The size asked for, and how to fit.
        public let target: TargetSize
        /// Whether what stands over is cut off; only `.cover` stands over.
        public let crop: Bool
        /// Whether pictures may be enlarged; `.fill` and `crop` always do, `.scaleDown` never does.
        public let upscale: Bool

        /// Makes a processor; `.contain` that may not enlarge is `.scaleDown`.
        public init(_ target: TargetSize, crop: Bool = false, upscale: Bool = false) {
            func side(_ length: Int?) -> Int? { length.map { min(max(1, $0), 1 << 24) } }
            self.target = TargetSize(
                width: side(target.width), height: side(target.height),
                fit: target.fit == .contain && !upscale ? .scaleDown : target.fit)
            self.crop = crop && target.fit == .cover
            self.upscale = upscale
        }

        /// `lazyimg/resize` with all parameters.
        public var identifier: String {
            "lazyimg/resize?s=\(target.identifier),crop=\(crop),up=\(upscale)"
        }

        /// The size that the picture gets.
        public func outputSize(for size: PixelSize) -> PixelSize {
            crop ? target.finalSize(of: size) : scaledSize(for: size)
        }

        /// Scales a picture, and cuts off what stands over.
        public func process(
            _ bitmap: Bitmap, context: ProcessingContext
        ) throws(ProcessingError) -> Bitmap {
            let scaled = scaledSize(for: bitmap.size)
            try Bitmap.check(scaled)
            return try ProcessingError.mapping { () throws(MediaError) in
                let picture = try bitmap.scaled(to: scaled)
                return crop ? try picture.cropped(toCover: target) : picture
            }
        }

        private func scaledSize(for size: PixelSize) -> PixelSize {
            let scaled = target.scaledSize(of: size)
            // Only `.cover` is left to be held back: the others say it themselves.
            let isHeldBack = target.fit == .cover && !crop && !upscale
            return isHeldBack && scaled.width >= size.width && scaled.height >= size.height
                ? size : scaled
        }
    }
}

/// A processor that does no more than bring the whole picture to another size, which decoders do
/// faster while they decode.
protocol WholeScaling: ImageProcessing {
    /// Whether it does nothing else.
    var isOnlyScaling: Bool { get }
}

extension ImageProcessors.Resize: WholeScaling {
    var isOnlyScaling: Bool { !crop }
}
