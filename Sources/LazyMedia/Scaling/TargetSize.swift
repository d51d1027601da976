/// How a picture is fitted to a requested size, in the terms of CSS `object-fit`.
public enum FitMode: String, CaseIterable, Sendable {
    /// The largest size that fits inside; may enlarge.
    case contain
    /// The smallest size that covers; the excess is cropped evenly.
    case cover
    /// Exactly the size; ignores the aspect ratio.
    case fill
    /// As `contain`, but never enlarges.
    case scaleDown = "scale-down"
}

/// A requested size: width, height or both, and how to fit.
public struct TargetSize: Hashable, Sendable {
    /// The width, or nil to derive it from the height.
    public var width: Int?
    /// The height, or nil to derive it from the width.
    public var height: Int?
    /// How to fit when both are given.
    public var fit: FitMode

    /// Makes a size from one or two sides.
    public init(width: Int? = nil, height: Int? = nil, fit: FitMode = .contain) {
        self.width = width
        self.height = height
        self.fit = fit
    }

    /// The size that a picture is scaled to; with `.cover` it may exceed the requested size.
    public func scaledSize(of size: PixelSize) -> PixelSize {
        let ratios = [
            width.map { Double($0) / Double(size.width) },
            height.map { Double($0) / Double(size.height) },
        ].compactMap { $0 }
        if fit == .fill {
            return PixelSize(
                width: Self.clamped(width ?? size.width),
                height: Self.clamped(height ?? size.height)
            )
        }
        guard var ratio = fit == .cover ? ratios.max() : ratios.min() else { return size }
        if fit == .scaleDown { ratio = min(1, ratio) }
        return PixelSize(
            width: Self.side(size.width, ratio), height: Self.side(size.height, ratio))
    }

    /// The size of the result.
    public func finalSize(of size: PixelSize) -> PixelSize {
        let scaled = scaledSize(of: size)
        guard fit == .cover else { return scaled }
        return PixelSize(
            width: max(1, min(scaled.width, width ?? scaled.width)),
            height: max(1, min(scaled.height, height ?? scaled.height)))
    }

    private static func side(_ length: Int, _ ratio: Double) -> Int {
        let side = (Double(length) * ratio).rounded()
        return side < Double(maxSide) ? clamped(Int(side)) : maxSide
    }

    /// Longer sides than any format allows are invalid anyway, and products must not overflow.
    private static let maxSide = Int(Int32.max) / 8

    private static func clamped(_ length: Int) -> Int { min(max(1, length), maxSide) }
}
