package import LazyMedia

/// A pixel of straight RGBA8.
package typealias Pixel = SIMD4<UInt8>

extension Bitmap {
    /// Draws the picture over pixels of a size, with its upper left corner at a place.
    ///
    /// Parts outside are clipped.
    package func draw(
        over pixels: UnsafeMutablePointer<Pixel>, of size: PixelSize, x: Int, y: Int,
        opacity: UInt8 = 255
    ) {
        let rect = PixelRect(x: x, y: y, width: self.size.width, height: self.size.height)
        guard opacity > 0, let inside = rect.clipped(to: size) else { return }
        withBytes { bytes in
            guard let top = bytes.bindMemory(to: Pixel.self).baseAddress else { return }
            for row in inside.y..<inside.y + inside.height {
                let from = top + ((row - y) * self.size.width + inside.x - x)
                let to = pixels + (row * size.width + inside.x)
                if isOpaque, opacity == 255 {
                    to.update(from: from, count: inside.width)
                } else {
                    for column in 0..<inside.width {
                        to[column] = over(from[column], opacity: UInt32(opacity), to[column])
                    }
                }
            }
        }
    }
}

/// Composites a pixel with an additional opacity over another; both have straight alpha.
package func over(_ top: Pixel, opacity: UInt32, _ below: Pixel) -> Pixel {
    let strength = (UInt32(top.w) * opacity + 127) / 255
    if strength == 0 { return below }
    if strength == 255 { return Pixel(top.x, top.y, top.z, 255) }
    // In 1/255²: the share of the top, and of what is visible of the one below.
    let upper = strength * 255
    let lower = UInt32(below.w) * (255 - strength)
    let sum = upper + lower
    return Pixel(
        mixed(top.x, upper, below.x, lower, sum), mixed(top.y, upper, below.y, lower, sum),
        mixed(top.z, upper, below.z, lower, sum), UInt8(truncatingIfNeeded: (sum + 127) / 255))
}

@inline(__always)
private func mixed(
    _ a: UInt8, _ share: UInt32, _ b: UInt8, _ rest: UInt32, _ sum: UInt32
) -> UInt8 {
    UInt8(truncatingIfNeeded: (UInt32(a) * share + UInt32(b) * rest + sum / 2) / sum)
}
