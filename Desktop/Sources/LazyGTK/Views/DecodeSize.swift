package import LazyKit

/// The size at which an image is decoded for a view; pure.
package struct DecodeSize: Equatable, Sendable {
    package var width: Int
    package var height: Int

    /// The pixels of a view: its size in the units of the toolkit, the scale of the screen and of a zoom.
    package init?(width: Int, height: Int, scale: Int, zoom: Double = 1, quarterTurns: Int = 0) {
        guard width > 0, height > 0, scale > 0 else { return nil }
        let factor = Double(scale) * max(zoom, 1)
        let sides = (
            Int((Double(width) * factor).rounded(.up)), Int((Double(height) * factor).rounded(.up))
        )
        let isTurned = quarterTurns % 2 != 0
        self.width = isTurned ? sides.1 : sides.0
        self.height = isTurned ? sides.0 : sides.1
    }

    /// Whether it needs more pixels than another size has.
    package func exceeds(_ other: DecodeSize) -> Bool {
        width > other.width || height > other.height
    }

    /// The larger of both, side by side.
    package func union(_ other: DecodeSize) -> DecodeSize {
        var size = self
        size.width = max(width, other.width)
        size.height = max(height, other.height)
        return size
    }

    /// What a request asks for; nil for the size of the file.
    package func thumbnail(_ mode: ContentMode) -> ImageRequest.ThumbnailOptions? {
        let fit: FitMode
        switch mode {
        case .aspectFit: fit = .scaleDown
        case .aspectFill: fit = .cover
        case .fill: fit = .fill
        case .center: return nil
        }
        return ImageRequest.ThumbnailOptions(
            size: TargetSize(width: width, height: height, fit: fit))
    }
}
