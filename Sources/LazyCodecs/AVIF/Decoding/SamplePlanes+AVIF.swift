internal import CAVIF
internal import LazyMedia

extension SamplePlanes {
    /// The planes of a picture; nil where libavif has to convert them: premultiplied alpha, and
    /// matrices without weights of luma.
    init?(_ image: avifImage, _ size: PixelSize) {
        let matrix = MatrixCoefficients(
            rawValue: UInt8(truncatingIfNeeded: image.matrixCoefficients))
        let isKnown = matrix == .identity || matrix == .unspecified || matrix.redAndBlue != nil
        guard isKnown, let luma = image.yuvPlanes.0,
            image.alphaPlane == nil || image.alphaPremultiplied == 0
        else { return nil }
        var chroma: (u: Plane, v: Plane)?
        if image.yuvFormat != AVIF_PIXEL_FORMAT_YUV400 {
            guard let u = image.yuvPlanes.1, let v = image.yuvPlanes.2 else { return nil }
            chroma = (
                Plane(u, stride: Int(image.yuvRowBytes.1)),
                Plane(v, stride: Int(image.yuvRowBytes.2))
            )
        }
        self.init(
            size: size, depth: Int(image.depth),
            luma: Plane(luma, stride: Int(image.yuvRowBytes.0)), chroma: chroma,
            alpha: image.alphaPlane.map { Plane($0, stride: Int(image.alphaRowBytes)) },
            isHalfWidth: image.yuvFormat != AVIF_PIXEL_FORMAT_YUV444,
            isHalfHeight: image.yuvFormat == AVIF_PIXEL_FORMAT_YUV420,
            color: ColorDescription(
                matrix: matrix, isFullRange: image.yuvRange == AVIF_RANGE_FULL))
    }
}
