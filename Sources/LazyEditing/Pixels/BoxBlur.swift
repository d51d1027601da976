package import LazyMedia

/// Three equal box blurs whose variances add up to that of a Gaussian.
///
/// The pixels at both ends of a box count in part, so that its width may be any number (P. Gwosdek et
/// al., Theoretical Foundations of Gaussian Convolution by Extended Box Filtering, 2011).
package struct BoxBlur {
    /// The number of whole pixels on each side of the center.
    package let reach: Int
    /// The weight of the pixels beyond them, from 0 up to but not including 1.
    package let edge: Double

    /// Whether there is anything to blur.
    package var isNeeded: Bool { reach > 0 || edge > 0 }

    /// The variance of one box, (2r + 1)r(r + 1)/3 + 2α(r + 1)² over its width 2r + 1 + 2α, is σ²/3.
    package init(deviation: Double) {
        let variance = deviation * deviation / 3
        reach = Int((((12 * variance + 1).squareRoot() - 1) / 2).rounded(.down))
        let whole = Double(reach)
        let next = (whole + 1) * (whole + 1)
        edge =
            (2 * whole + 1) * (whole * (whole + 1) - 3 * variance) / (6 * (variance - next))
    }

    /// Blurs each row into premultiplied colors, in units of 1/256.
    package func blurRows(
        _ from: UnsafePointer<Pixel>, _ size: PixelSize,
        into to: UnsafeMutablePointer<SIMD4<UInt16>>
    ) {
        withLines(size.width) { line, spare in
            for y in 0..<size.height {
                let row = from + y * size.width
                for x in 0..<size.width { line[x] = Self.premultiplied(row[x]) }
                let result = blur(line, spare, size.width)
                let target = to + y * size.width
                for x in 0..<size.width { target[x] = Self.short(result[x]) }
            }
        }
    }

    /// Blurs columns, several at a time to use whole cache lines.
    package func blurColumns(
        _ from: UnsafePointer<SIMD4<UInt16>>, _ size: PixelSize,
        into to: UnsafeMutablePointer<Pixel>
    ) {
        let group = 8
        withLines(size.height * group) { lines, spare in
            for left in stride(from: 0, to: size.width, by: group) {
                let count = min(group, size.width - left)
                for y in 0..<size.height {
                    let row = from + y * size.width + left
                    for x in 0..<count { lines[x * size.height + y] = Self.long(row[x]) }
                }
                for x in 0..<count {
                    let line = lines + x * size.height
                    let result = blur(line, spare, size.height)
                    for y in 0..<size.height {
                        to[y * size.width + left + x] = Self.pixel(result[y])
                    }
                }
            }
        }
    }

    private typealias Line = UnsafeMutablePointer<SIMD4<Float>>

    private func withLines(_ count: Int, _ body: (Line, Line) -> Void) {
        let memory = Line.allocate(capacity: count * 2)
        defer { memory.deallocate() }
        body(memory, memory + count)
    }

    /// Applies the three averages; returns the line that holds the last one.
    @inline(__always)
    private func blur(_ line: Line, _ spare: Line, _ count: Int) -> Line {
        var (from, to) = (line, spare)
        for _ in 0..<3 {
            average(from, to, count)
            swap(&from, &to)
        }
        return from
    }

    /// Averages the pixels of the box around each; the first and last pixels are repeated.
    @inline(__always)
    private func average(_ from: Line, _ to: Line, _ count: Int) {
        let (first, last, edge) = (from[0], from[count - 1], Float(edge))
        let share = 1 / (Float(2 * reach + 1) + 2 * edge)
        var sum = first * Float(reach)
        for x in 0..<min(reach, count) { sum += from[x] }
        if reach > count { sum += last * Float(reach - count) }
        for x in 0..<count {
            sum += x + reach < count ? from[x + reach] : last
            let before = x > reach ? from[x - reach - 1] : first
            let after = x + reach + 1 < count ? from[x + reach + 1] : last
            to[x] = (sum + (before + after) * edge) * share
            sum -= x >= reach ? from[x - reach] : first
        }
    }

    // Lane by lane: the generic conversions of SIMD types are calls, not instructions.
    @inline(__always)
    private static func premultiplied(_ pixel: Pixel) -> SIMD4<Float> {
        let alpha = Float(pixel.w)
        return SIMD4(
            Float(pixel.x) * alpha, Float(pixel.y) * alpha, Float(pixel.z) * alpha, alpha * 255)
    }

    @inline(__always)
    private static func short(_ value: SIMD4<Float>) -> SIMD4<UInt16> {
        func lane(_ value: Float) -> UInt16 {
            UInt16(truncatingIfNeeded: Int32(min(max(value + 0.5, 0), 65535)))
        }
        return SIMD4(lane(value.x), lane(value.y), lane(value.z), lane(value.w))
    }

    @inline(__always)
    private static func long(_ value: SIMD4<UInt16>) -> SIMD4<Float> {
        SIMD4(Float(value.x), Float(value.y), Float(value.z), Float(value.w))
    }

    @inline(__always)
    private static func pixel(_ value: SIMD4<Float>) -> Pixel {
        func lane(_ value: Float) -> UInt8 {
            UInt8(truncatingIfNeeded: Int32(min(max(value + 0.5, 0), 255)))
        }
        let alpha = value.w / 255
        guard alpha >= 0.5 else { return .zero }
        let color = value / alpha
        return Pixel(lane(color.x), lane(color.y), lane(color.z), lane(alpha))
    }
}
