internal import LazyMedia

/// The canvas of an animated PNG of 16 bits a sample, on which frames are drawn and disposed of.
///
/// Begins transparent; each lent picture is a copy.
struct DeepCanvas {
    private let size: PixelSize
    private var pixels: [SIMD4<UInt16>]
    private var saved: [SIMD4<UInt16>] = []
    private var pending = (rect: PixelRect.empty, disposal: LayeredCanvas.Disposal.keep)

    init(size: PixelSize) {
        self.size = size
        pixels = Array(repeating: .zero, count: size.pixelCount)
    }

    /// Clears the canvas, with nothing to dispose of.
    mutating func reset() {
        for index in pixels.indices { pixels[index] = .zero }
        pending = (.empty, .keep)
    }

    /// Disposes of the frame before, and draws one.
    mutating func draw(
        _ source: [SIMD4<UInt16>], in rect: PixelRect, _ disposal: LayeredCanvas.Disposal,
        isBlended: Bool
    ) {
        dispose()
        if disposal == .restore { saved = pixels }
        pending = (rect, disposal)
        for y in 0..<rect.height {
            let (from, to) = (y * rect.width, (rect.y + y) * size.width + rect.x)
            for x in 0..<rect.width {
                let above = source[from + x]
                pixels[to + x] = isBlended ? Self.blended(above, over: pixels[to + x]) : above
            }
        }
    }

    /// A copy of what is shown.
    func bitmap(isOpaque: Bool) throws(MediaError) -> DeepBitmap {
        try DeepBitmap(size: size, isOpaque: isOpaque) { rows in
            pixels.withUnsafeBytes { rows.copyMemory(from: $0) }
        }
    }

    private mutating func dispose() {
        switch pending.disposal {
        case .keep: return
        case .restore: pixels = saved
        case .clear:
            for y in pending.rect.y..<pending.rect.bottom {
                for x in pending.rect.x..<pending.rect.right {
                    pixels[y * size.width + x] = .zero
                }
            }
        }
    }

    /// Straight alpha over straight alpha, rounded to nearest, as `APNGBlend` does in 8 bits.
    private static func blended(
        _ above: SIMD4<UInt16>, over below: SIMD4<UInt16>
    ) -> SIMD4<UInt16> {
        let alpha = UInt64(above.w)
        guard alpha < 65535 else { return above }
        guard alpha > 0 else { return below }
        let under = UInt64(below.w) * (65535 - alpha)
        let total = alpha * 65535 + under
        func mixed(_ above: UInt16, _ below: UInt16) -> UInt16 {
            let sum = UInt64(above) * alpha * 65535 + UInt64(below) * under
            return UInt16((sum + total / 2) / total)
        }
        return SIMD4(
            mixed(above.x, below.x), mixed(above.y, below.y), mixed(above.z, below.z),
            UInt16((total + 32767) / 65535))
    }
}
