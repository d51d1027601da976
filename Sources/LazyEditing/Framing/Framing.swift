package import LazyMedia

/// How pictures are scaled and cropped to a target; pure.
package struct Framing: Hashable, Sendable {
    /// The size that the decoder outputs.
    package let scaled: PixelSize
    /// The part of it that is kept.
    package let crop: PixelRect
    private let alignment: CropAlignment

    /// Makes a framing; the gravity says what stays.
    package init(
        of source: PixelSize, _ target: TargetSize, _ gravity: Gravity,
        alignment: CropAlignment = .pixel
    ) {
        self.alignment = alignment
        scaled = target.scaledSize(of: source)
        crop = Self.crop(target.finalSize(of: source), of: scaled, gravity, alignment: alignment)
    }

    private init(scaled: PixelSize, crop: PixelRect, _ alignment: CropAlignment) {
        self.scaled = scaled
        self.crop = crop
        self.alignment = alignment
    }

    /// The output size.
    package var size: PixelSize { crop.size }

    /// Whether nothing is cut off.
    package var keepsAll: Bool { size == scaled }

    /// The same part of the picture at another size.
    func resized(to size: PixelSize) -> Framing {
        guard size != self.size else { return self }
        let across = Double(size.width) / Double(crop.width)
        let down = Double(size.height) / Double(crop.height)
        let scaled = PixelSize(
            width: max(size.width, Int((Double(self.scaled.width) * across).rounded())),
            height: max(size.height, Int((Double(self.scaled.height) * down).rounded())))
        return Framing(
            scaled: scaled,
            crop: Self.rect(
                size, of: scaled, at: (Double(crop.x) * across, Double(crop.y) * down), alignment),
            alignment)
    }

    /// The part of a size that is centered on a gravity's point, as nearly as the edges allow.
    package static func crop(
        _ size: PixelSize, of whole: PixelSize, _ gravity: Gravity,
        alignment: CropAlignment = .pixel
    ) -> PixelRect {
        let focus = gravity.focus ?? (0.5, 0.5)
        let x = focus.x * Double(whole.width) - Double(size.width) / 2
        let y = focus.y * Double(whole.height) - Double(size.height) / 2
        return rect(size, of: whole, at: (x, y), alignment)
    }

    private static func rect(
        _ size: PixelSize, of whole: PixelSize, at origin: (x: Double, y: Double),
        _ alignment: CropAlignment
    ) -> PixelRect {
        PixelRect(
            x: alignment.start(origin.x, max: whole.width - size.width),
            y: alignment.start(origin.y, max: whole.height - size.height), width: size.width,
            height: size.height)
    }
}
