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
        /// Whether pictures may be enlarged; `.fill` and `crop` always do.
        public let upscale: Bool

        /// Makes a processor.
        public init(_ target: TargetSize, crop: Bool = false, upscale: Bool = false) {
            func side(_ length: Int?) -> Int? { length.map { min(max(1, $0), 1 << 24) } }
            self.target = TargetSize(
                width: side(target.width), height: side(target.height), fit: target.fit)
            self.crop = crop && target.fit == .cover
            self.upscale = upscale
        }

        /// `lazyimg/resize` with all parameters.
        public var identifier: String {
            func word(_ side: Int?) -> String { side.map(String.init) ?? "" }
            let size = "\(word(target.width))x\(word(target.height))"
            return "lazyimg/resize?s=\(size),fit=\(target.fit.rawValue),crop=\(crop),up=\(upscale)"
        }

        /// The size that the picture gets.
        public func outputSize(for size: PixelSize) -> PixelSize {
            let scaled = scaledSize(for: size)
            guard crop else { return scaled }
            return PixelSize(
                width: min(scaled.width, target.width ?? scaled.width),
                height: min(scaled.height, target.height ?? scaled.height))
        }

        /// Scales a picture, and cuts off what stands over.
        public func process(
            _ bitmap: Bitmap, context: ProcessingContext
        ) throws(ProcessingError) -> Bitmap {
            let scaled = scaledSize(for: bitmap.size)
            try Bitmap.check(scaled)
            let picture: Bitmap
            do throws(MediaError) {
                picture = try bitmap.scaled(to: scaled)
            } catch {
                throw ProcessingError(error)
            }
            let final = outputSize(for: bitmap.size)
            guard final != scaled else { return picture }
            let middle = PixelRect(
                x: (scaled.width - final.width) / 2, y: (scaled.height - final.height) / 2,
                width: final.width, height: final.height)
            return try Crop(middle).process(picture, context: context)
        }

        func scaledSize(for size: PixelSize) -> PixelSize {
            if target.fit == .fill {
                return PixelSize(
                    width: target.width ?? size.width, height: target.height ?? size.height)
            }
            guard let ratio = ratio(for: size) else { return size }
            // With a crop the sides that decide must not fall short by a rounding.
            let least = crop ? (target.width ?? 1, target.height ?? 1) : (1, 1)
            let plain = PixelSize(
                clamping: Double(size.width) * ratio, Double(size.height) * ratio)
            return PixelSize(width: max(plain.width, least.0), height: max(plain.height, least.1))
        }

        /// The factor, or nil where the picture stays as it is.
        private func ratio(for size: PixelSize) -> Double? {
            let ratios = [
                target.width.map { Double($0) / Double(size.width) },
                target.height.map { Double($0) / Double(size.height) },
            ].compactMap { $0 }
            guard let ratio = target.fit == .cover ? ratios.max() : ratios.min() else { return nil }
            let mayEnlarge = crop || (upscale && target.fit != .scaleDown)
            return ratio >= 1 && !mayEnlarge ? nil : ratio
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
