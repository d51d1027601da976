internal import LazyMedia

extension Bitmap {
    /// The picture on a larger canvas of a color; nil is transparent.
    ///
    /// Colors that are not opaque are no background for transparent pixels: those stay as they are.
    func padded(
        to canvas: PixelSize, x: Int, y: Int, color: PixelColor?
    ) throws(MediaError) -> Bitmap {
        let place = PixelRect(x: x, y: y, width: size.width, height: size.height)
        precondition(place.clipped(to: canvas) == place, "outside the canvas")
        let pixel = color?.pixel ?? .zero
        return try Bitmap(size: canvas, isOpaque: isOpaque && pixel.w == 255) { output in
            output.bindMemory(to: Pixel.self).update(repeating: pixel)
            withBytes { input in
                for row in 0..<size.height {
                    let from = row * stride
                    let to = ((y + row) * canvas.width + x) * 4
                    UnsafeMutableRawBufferPointer(rebasing: output[to..<to + stride]).copyMemory(
                        from: UnsafeRawBufferPointer(rebasing: input[from..<from + stride]))
                }
            }
        }
    }
}

extension DeepBitmap {
    /// The picture on a larger canvas of a color, which is black, white or transparent in any color space.
    func padded(
        to canvas: PixelSize, x: Int, y: Int, color: PixelColor
    ) throws(MediaError) -> DeepBitmap {
        let place = PixelRect(x: x, y: y, width: size.width, height: size.height)
        precondition(place.clipped(to: canvas) == place, "outside the canvas")
        let pixel = SIMD4<UInt16>(truncatingIfNeeded: color.pixel) &* 257
        return try DeepBitmap(size: canvas, isOpaque: isOpaque && pixel.w == 65535) { output in
            output.bindMemory(to: SIMD4<UInt16>.self).update(repeating: pixel)
            withBytes { input in
                for row in 0..<size.height {
                    let from = row * stride
                    let to = ((y + row) * canvas.width + x) * 8
                    UnsafeMutableRawBufferPointer(rebasing: output[to..<to + stride]).copyMemory(
                        from: UnsafeRawBufferPointer(rebasing: input[from..<from + stride]))
                }
            }
        }
    }
}
