internal import LazyMedia

/// How pictures are scaled and cut to a target; pure.
struct Framing: Hashable, Sendable {
    /// The size the decoder makes.
    let scaled: PixelSize
    /// What of that is kept.
    let crop: PixelRect

    /// Makes a framing; `focus` is the point that stays, in shares from the upper left.
    init(of source: PixelSize, _ target: TargetSize, focus: (x: Double, y: Double)) {
        scaled = target.scaledSize(of: source)
        crop = Self.crop(scaled, to: target.finalSize(of: source), focus)
    }

    private init(scaled: PixelSize, crop: PixelRect) {
        self.scaled = scaled
        self.crop = crop
    }

    /// The size that comes out.
    var size: PixelSize { PixelSize(width: crop.width, height: crop.height) }

    /// Whether nothing is cut off.
    var keepsAll: Bool { size == scaled }

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
            crop: PixelRect(
                x: Self.even(Double(crop.x) * across, most: scaled.width - size.width),
                y: Self.even(Double(crop.y) * down, most: scaled.height - size.height),
                width: size.width, height: size.height))
    }

    private static func crop(
        _ scaled: PixelSize, to size: PixelSize, _ focus: (x: Double, y: Double)
    ) -> PixelRect {
        let x = focus.x * Double(scaled.width) - Double(size.width) / 2
        let y = focus.y * Double(scaled.height) - Double(size.height) / 2
        return PixelRect(
            x: even(x, most: scaled.width - size.width),
            y: even(y, most: scaled.height - size.height), width: size.width, height: size.height)
    }

    /// Chroma samples stand at even pixels: so that planes can be cut as RGBA is.
    private static func even(_ place: Double, most: Int) -> Int {
        guard place < Double(most) else { return most & ~1 }
        return max(0, Int(place.rounded())) & ~1
    }
}

extension Gravity {
    /// The point that stays, or nil where the pictures decide.
    var focus: (x: Double, y: Double)? {
        switch self {
        case .centre: (0.5, 0.5)
        case .point(let x, let y): (min(max(x, 0), 1), min(max(y, 0), 1))
        case .edge(let edge): edge.focus
        case .entropy, .attention: nil
        }
    }
}

extension Gravity.Edge {
    fileprivate var focus: (x: Double, y: Double) {
        switch self {
        case .north: (0.5, 0)
        case .south: (0.5, 1)
        case .east: (1, 0.5)
        case .west: (0, 0.5)
        case .northEast: (1, 0)
        case .northWest: (0, 0)
        case .southEast: (1, 1)
        case .southWest: (0, 1)
        }
    }
}
