import LazyMedia
import Support
import Testing

@Suite struct RowScalerTests {
    private static let sides = [
        (10, 10, 3, 4), (97, 61, 13, 8), (50, 40, 50, 7), (33, 20, 5, 20), (8, 9, 8, 9),
        (1, 90, 1, 1),
        (64, 64, 16, 16), (70, 100, 69, 99),
    ]

    @Test(arguments: sides, [true, false])
    func `each pixel is the average of the area that it covers`(
        _ sides: (Int, Int, Int, Int), isOpaque: Bool
    ) {
        let picture = Picture(sides.0, sides.1, isOpaque: isOpaque)
        let (width, height) = (sides.2, sides.3)
        let (scaled, _) = picture.scaled(width, height, rows: sides.1)
        for y in 0..<height {
            for x in 0..<width {
                let wanted = picture.average(x, y, width, height)
                let found = scaled[y * width + x]
                #expect(
                    (0..<4).allSatisfy { abs(Double(found[$0]) - wanted[$0]) <= 0.51 }, "\(x), \(y)"
                )
            }
        }
    }

    @Test(arguments: [0, 1, 7, 8, 9, 30, 60], [true, false])
    func `what has not arrived is transparent, and has no share in colors`(
        rows: Int, isOpaque: Bool
    ) {
        let picture = Picture(40, 61, isOpaque: isOpaque)
        let (all, _) = picture.scaled(10, 8, rows: 61)
        let (some, last) = picture.scaled(10, 8, rows: rows)
        let whole = rows * 8 / 61
        #expect(some[..<(whole * 10)] == all[..<(whole * 10)])
        // The last row that arrived, where it ends within a row of the output.
        #expect(last == whole)
        #expect(some[min(80, (whole + 1) * 10)...].allSatisfy { $0 == .zero })
        guard rows > 0, rows * 8 % 61 > 0 else { return }
        let share = Double(rows * 8 % 61) / 61
        for x in 0..<10 where isOpaque {
            #expect(abs(Double(some[whole * 10 + x].w) - 255 * share) <= 0.51)
            let part = picture.average(x, Double(whole) * 61 / 8, Double(rows), 10)
            let found = some[whole * 10 + x]
            #expect((0..<3).allSatisfy { abs(Double(found[$0]) - part[$0]) <= 0.51 })
        }
    }
}

/// Noise, and its exact averages.
private struct Picture {
    let width: Int
    let height: Int
    let isOpaque: Bool
    let pixels: [SIMD4<UInt8>]

    init(_ width: Int, _ height: Int, isOpaque: Bool) {
        (self.width, self.height, self.isOpaque) = (width, height, isOpaque)
        var random = SplitMix(UInt64(width * 1000 + height))
        pixels = (0..<width * height).map { _ in
            var pixel = SIMD4<UInt8>.random(in: 0...255, using: &random)
            if isOpaque { pixel.w = 255 }
            return pixel
        }
    }

    /// The first rows through a `RowScaler`, and the number of whole rows that were written before its end.
    func scaled(
        _ width: Int, _ height: Int, rows: Int
    ) -> (pixels: [SIMD4<UInt8>], whole: Int) {
        let mark = SIMD4<UInt8>(9, 8, 7, 6)
        var output = [SIMD4<UInt8>](repeating: mark, count: width * height)
        let source = PixelSize(width: self.width, height: self.height)
        let target = PixelSize(width: width, height: height)
        var whole = 0
        output.withUnsafeMutableBytes { bytes in
            let scaled = RowScaler(from: source, to: target, isOpaque: isOpaque, into: bytes)
            pixels.withUnsafeBytes { pixels in
                guard let start = pixels.baseAddress else { return }
                for row in 0..<rows { scaled.add(start + row * self.width * 4) }
            }
            let written = bytes.bindMemory(to: SIMD4<UInt8>.self)
            whole = (0..<height).prefix { written[$0 * width] != mark }.count
            scaled.finish()
        }
        return (output, whole)
    }

    /// The average behind one pixel of a smaller picture.
    func average(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> SIMD4<Double> {
        let low = Double(y) * Double(self.height) / Double(height)
        return average(x, low, low + Double(self.height) / Double(height), width)
    }

    /// The average behind a column of a smaller picture, between two heights.
    func average(_ x: Int, _ top: Double, _ bottom: Double, _ width: Int) -> SIMD4<Double> {
        let step = Double(self.width) / Double(width)
        let (left, right) = (Double(x) * step, Double(x + 1) * step)
        var (sum, weights) = (SIMD4<Double>.zero, 0.0)
        for row in Int(top)..<min(height, Int(bottom.rounded(.up))) {
            for column in Int(left)..<min(self.width, Int(right.rounded(.up))) {
                let high = min(bottom, Double(row + 1)) - max(top, Double(row))
                let wide = min(right, Double(column + 1)) - max(left, Double(column))
                let pixel = SIMD4<Double>(pixels[row * self.width + column])
                let weight = max(0, high) * max(0, wide)
                sum +=
                    SIMD4(pixel.x * pixel.w, pixel.y * pixel.w, pixel.z * pixel.w, pixel.w) * weight
                weights += weight
            }
        }
        guard weights > 0, sum.w > 0, sum.w / weights >= 0.5 else { return .zero }
        return SIMD4(sum.x / sum.w, sum.y / sum.w, sum.z / sum.w, sum.w / weights)
    }
}
