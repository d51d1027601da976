package import LazyMedia

/// How pictures are scaled and cropped to a target; pure.
package struct Framing: Hashable, Sendable {
    /// The pixels that a crop may start at.
    package enum Alignment: Sendable {
        /// Any pixel.
        case pixel
        /// Even pixels, where chroma samples lie: planes can be cropped as RGBA is.
        case chroma
    }

    /// The size that the decoder outputs.
    package let scaled: PixelSize
    /// The part of it that is kept.
    package let crop: PixelRect
    private let alignment: Alignment

    /// Makes a framing; `focus` is the point that stays, in shares from the upper left.
    package init(
        of source: PixelSize, _ target: TargetSize, focus: (x: Double, y: Double),
        alignment: Alignment = .chroma
    ) {
        self.alignment = alignment
        scaled = target.scaledSize(of: source)
        crop = Self.crop(
            target.finalSize(of: source), of: scaled, around: focus, alignment: alignment)
    }

    private init(scaled: PixelSize, crop: PixelRect, _ alignment: Alignment) {
        self.scaled = scaled
        self.crop = crop
        self.alignment = alignment
    }

    /// The output size.
    package var size: PixelSize { PixelSize(width: crop.width, height: crop.height) }

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

    /// The part of a size that is centered on a point, as nearly as the edges allow.
    package static func crop(
        _ size: PixelSize, of whole: PixelSize, around focus: (x: Double, y: Double),
        alignment: Alignment = .pixel
    ) -> PixelRect {
        let x = focus.x * Double(whole.width) - Double(size.width) / 2
        let y = focus.y * Double(whole.height) - Double(size.height) / 2
        return rect(size, of: whole, at: (x, y), alignment)
    }

    private static func rect(
        _ size: PixelSize, of whole: PixelSize, at place: (x: Double, y: Double),
        _ alignment: Alignment
    ) -> PixelRect {
        PixelRect(
            x: begin(place.x, most: whole.width - size.width, alignment),
            y: begin(place.y, most: whole.height - size.height, alignment), width: size.width,
            height: size.height)
    }

    private static func begin(_ place: Double, most: Int, _ alignment: Alignment) -> Int {
        switch alignment {
        case .pixel: min(most, max(0, Int(place)))
        case .chroma where place < Double(most): max(0, Int(place.rounded())) & ~1
        case .chroma: most & ~1
        }
    }
}
