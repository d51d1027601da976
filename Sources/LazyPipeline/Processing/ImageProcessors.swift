public import LazyEditing
public import LazyMedia

extension ImageProcessing where Self == ImageProcessors.Resize {
    /// Makes a picture so wide; it keeps its shape, and is never enlarged unless that is allowed.
    public static func resize(width: Int, upscale: Bool = false) -> Self {
        Self(TargetSize(width: width, fit: .contain), upscale: upscale)
    }

    /// Makes a picture so high; it keeps its shape, and is never enlarged unless that is allowed.
    public static func resize(height: Int, upscale: Bool = false) -> Self {
        Self(TargetSize(height: height, fit: .contain), upscale: upscale)
    }

    /// Makes a picture cover a width and height or fit into them; as `resize(size:)` does.
    public static func resize(
        width: Int, height: Int, fit: FitMode = .cover, crop: Bool = false, upscale: Bool = false
    ) -> Self {
        Self(TargetSize(width: width, height: height, fit: fit), crop: crop, upscale: upscale)
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

extension ImageProcessing where Self == ImageProcessors.GaussianBlur {
    /// Blurs the picture as a Gaussian of a standard deviation does.
    public static func gaussianBlur(radius: Double = 8) -> Self { Self(radius: radius) }
}

extension ImageProcessing where Self == ImageProcessors.Rotate {
    /// Turns the picture clockwise; the canvas grows to hold all of it.
    public static func rotate(degrees: Double) -> Self { Self(degrees: degrees) }
}

extension ImageProcessing where Self == ImageProcessors.Flip {
    /// Mirrors the picture.
    public static func flip(_ axis: ImageProcessors.Flip.Axis) -> Self { Self(axis) }
}

extension ImageProcessing where Self == ImageProcessors.Overlay {
    /// Lays a picture over with its upper left corner at a place.
    public static func overlay(_ picture: Bitmap, x: Int, y: Int, opacity: Double = 1) -> Self {
        Self(picture, x: x, y: y, opacity: opacity)
    }

    /// Lays a picture over, to an edge or corner or into the middle.
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
    /// Applies a closure, known by an identifier of one's own.
    public static func process(
        id: String, size: @escaping @Sendable (PixelSize) -> PixelSize = { $0 },
        _ work: @escaping @Sendable (Bitmap) throws -> Bitmap
    ) -> Self {
        Self(id: id, size: size) { bitmap, _ in try work(bitmap) }
    }
}
