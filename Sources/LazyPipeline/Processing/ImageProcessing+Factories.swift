public import LazyEditing
public import LazyMedia

extension ImageProcessing where Self == ImageProcessors.Resize {
    /// Resizes to a width, keeping the aspect ratio; enlarges only with `upscale`.
    public static func resize(width: Int, upscale: Bool = false) -> Self {
        Self(TargetSize(width: width, fit: .contain), upscale: upscale)
    }

    /// Resizes to a height, keeping the aspect ratio; enlarges only with `upscale`.
    public static func resize(height: Int, upscale: Bool = false) -> Self {
        Self(TargetSize(height: height, fit: .contain), upscale: upscale)
    }

    /// Resizes to cover or fit a width and height, as `resize(size:)` does.
    public static func resize(
        width: Int, height: Int, fit: FitMode = .cover, crop: Bool = false, upscale: Bool = false
    ) -> Self {
        Self(TargetSize(width: width, height: height, fit: fit), crop: crop, upscale: upscale)
    }

    /// Resizes to cover or fit a size; `crop` cuts off the overflow.
    public static func resize(
        size: PixelSize, fit: FitMode = .cover, crop: Bool = false, upscale: Bool = false
    ) -> Self {
        Self(
            TargetSize(width: size.width, height: size.height, fit: fit), crop: crop,
            upscale: upscale)
    }
}

extension ImageProcessing where Self == ImageProcessors.Crop {
    /// Crops to a rectangle, clipped to the bounds of the image.
    public static func crop(_ rect: PixelRect) -> Self { Self(rect) }
}

extension ImageProcessing where Self == ImageProcessors.Circle {
    /// Crops to the largest centered circle.
    public static func circle(border: ImageProcessors.Border? = nil) -> Self {
        Self(border: border)
    }
}

extension ImageProcessing where Self == ImageProcessors.RoundedCorners {
    /// Rounds the corners.
    public static func roundedCorners(
        radius: Double, border: ImageProcessors.Border? = nil
    ) -> Self {
        Self(radius: radius, border: border)
    }
}

extension ImageProcessing where Self == ImageProcessors.GaussianBlur {
    /// Blurs with a Gaussian whose standard deviation is `radius`.
    public static func gaussianBlur(radius: Double = 8) -> Self { Self(radius: radius) }
}

extension ImageProcessing where Self == ImageProcessors.Rotate {
    /// Rotates clockwise; the canvas grows to contain the whole image.
    public static func rotate(degrees: Double) -> Self { Self(degrees: degrees) }
}

extension ImageProcessing where Self == ImageProcessors.Flip {
    /// Flips the image.
    public static func flip(_ axis: ImageProcessors.Flip.Axis) -> Self { Self(axis) }
}

extension ImageProcessing where Self == ImageProcessors.Overlay {
    /// Draws a bitmap over the image at a position.
    public static func overlay(_ picture: Bitmap, x: Int, y: Int, opacity: Double = 1) -> Self {
        Self(picture, x: x, y: y, opacity: opacity)
    }

    /// Draws a bitmap over the image, aligned by gravity.
    public static func overlay(
        _ picture: Bitmap, gravity: Gravity = .center, margin: Int = 0, opacity: Double = 1
    ) -> Self {
        Self(picture, gravity: gravity, margin: margin, opacity: opacity)
    }
}

extension ImageProcessing where Self == ImageProcessors.Composition {
    /// Applies several processors as one.
    public static func composition(_ processors: [any ImageProcessing]) -> Self { Self(processors) }
}

extension ImageProcessing where Self == ImageProcessors.Anonymous {
    /// Applies a closure; `id` identifies its work in caches.
    public static func process(
        id: String, size: @escaping @Sendable (PixelSize) -> PixelSize = { $0 },
        _ work: @escaping @Sendable (Bitmap) throws -> Bitmap
    ) -> Self {
        Self(id: id, size: size) { bitmap, _ in try work(bitmap) }
    }
}
