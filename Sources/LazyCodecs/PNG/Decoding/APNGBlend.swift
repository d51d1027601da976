/// Blends pixels over others.
enum APNGBlend {
    /// Blends straight alpha over straight alpha, rounding to nearest (PNG specification, 3rd ed.,
    /// 11.3.6.2).
    static func blend(
        _ source: UnsafePointer<UInt32>, over target: UnsafeMutablePointer<UInt32>, count: Int
    ) {
        for x in 0..<count {
            let above = source[x]
            let alpha = above >> 24
            if alpha == 255 {
                target[x] = above
            } else if alpha > 0 {
                target[x] = mixed(above, alpha, target[x])
            }
        }
    }

    private static func mixed(_ above: UInt32, _ alpha: UInt32, _ below: UInt32) -> UInt32 {
        let under = (below >> 24) * (255 - alpha)
        let total = alpha * 255 + under
        var pixel = ((total + 127) / 255) << 24
        for shift in stride(from: UInt32(0), to: 24, by: 8) {
            let sum = (above >> shift & 255) * alpha * 255 + (below >> shift & 255) * under
            pixel |= ((sum + total / 2) / total) << shift
        }
        return pixel
    }
}
