public import LazyMedia

/// The processors that come with the library; see the short forms of `ImageProcessing`.
///
/// ```swift
/// let request = ImageRequest(url: url, processors: [.resize(width: 320), .circle()])
/// ```
public enum ImageProcessors {}

extension ImageProcessing where Self == ImageProcessors.Resize {
    /// Makes a picture so wide; it keeps its shape, and is never enlarged unless that is allowed.
    public static func resize(width: Int, upscale: Bool = false) -> Self {
        Self(TargetSize(width: width, fit: .contain), upscale: upscale)
    }

    /// Makes a picture so high; it keeps its shape, and is never enlarged unless that is allowed.
    public static func resize(height: Int, upscale: Bool = false) -> Self {
        Self(TargetSize(height: height, fit: .contain), upscale: upscale)
    }

    /// Makes a picture cover a size or fit into it; `crop` cuts off what stands over.
    public static func resize(
        size: PixelSize, fit: FitMode = .cover, crop: Bool = false, upscale: Bool = false
    ) -> Self {
        Self(
            TargetSize(width: size.width, height: size.height, fit: fit), crop: crop,
            upscale: upscale)
    }
}

extension ImageProcessing where Self == ImageProcessors.Crop {
    /// Cuts a rectangle out of the picture; what of it lies outside is left off.
    public static func crop(_ rect: PixelRect) -> Self { Self(rect) }
}

extension ImageProcessing where Self == ImageProcessors.Circle {
    /// Cuts the circle out of the middle of the picture.
    public static func circle(border: ImageProcessors.Border? = nil) -> Self {
        Self(border: border)
    }
}

extension ImageProcessing where Self == ImageProcessors.RoundedCorners {
    /// Rounds the corners of the picture.
    public static func roundedCorners(
        radius: Double, border: ImageProcessors.Border? = nil
    ) -> Self {
        Self(radius: radius, border: border)
    }
}
