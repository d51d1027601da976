internal import LazyMedia

/// Blends pixels with straight alpha, bit for bit as browsers and `anim_dump` do.
enum WebPBlend {
    /// Blends a picture without padding over a rectangle of a canvas.
    ///
    /// `start` is the rectangle's first pixel. Pixels that were just cleared are replaced, not
    /// blended with: the arithmetic below would round them.
    static func lay(
        _ source: UnsafePointer<SIMD4<UInt8>>, over start: UnsafeMutableRawPointer, stride: Int,
        _ rect: PixelRect, cleared: PixelRect?
    ) {
        let left = min(max((cleared?.x ?? 0) - rect.x, 0), rect.width)
        let right = max(
            left, min(max((cleared.map { $0.x + $0.width } ?? 0) - rect.x, 0), rect.width))
        for row in 0..<rect.height {
            let from = source + row * rect.width
            let to = (start + row * stride).assumingMemoryBound(to: SIMD4<UInt8>.self)
            let y = rect.y + row
            guard let cleared, y >= cleared.y, y < cleared.y + cleared.height, left < right else {
                lay(from, over: to, count: rect.width)
                continue
            }
            lay(from, over: to, count: left)
            (to + left).update(from: from + left, count: right - left)
            lay(from + right, over: to + right, count: rect.width - right)
        }
    }

    /// Blends a row of RGBA8 over another.
    private static func lay(
        _ source: UnsafePointer<SIMD4<UInt8>>, over target: UnsafeMutablePointer<SIMD4<UInt8>>,
        count: Int
    ) {
        for x in 0..<count {
            let pixel = source[x]
            if pixel.w == 255 {
                target[x] = pixel
            } else if pixel.w > 0 {
                target[x] = blend(pixel, target[x])
            }
        }
    }

    /// The arithmetic of libwebp's `anim_decode.c`, which Chromium and Firefox share: weights in
    /// 1/256 of alpha, division by a reciprocal in 1/2^24.
    @inline(__always)
    private static func blend(_ pixel: SIMD4<UInt8>, _ below: SIMD4<UInt8>) -> SIMD4<UInt8> {
        let alpha = UInt32(pixel.w)
        let rest = (UInt32(below.w) * (256 - alpha)) >> 8
        let sum = alpha + rest
        let scale = (1 << 24) / sum
        func channel(_ above: UInt8, _ under: UInt8) -> UInt8 {
            let weighted = UInt32(above) * alpha + UInt32(under) * rest
            return UInt8(truncatingIfNeeded: (weighted &* scale) >> 24)
        }
        return SIMD4(
            channel(pixel.x, below.x), channel(pixel.y, below.y), channel(pixel.z, below.z),
            UInt8(truncatingIfNeeded: sum))
    }
}
