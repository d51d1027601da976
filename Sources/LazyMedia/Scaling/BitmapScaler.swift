/// Scales RGBA8 rows: area average when shrinking, linear when enlarging.
///
/// Separable, weights in 1/16384, colors weighted by alpha so that transparent pixels do not bleed.
/// Every output pixel is the exact average of the input area it covers, as in ImageMagick's `-scale`
/// and swscale's `area`. One pass over the input. Reusable, and Sendable because a use keeps no state.
public struct BitmapScaler: Sendable {
    /// The size of the input.
    public let source: PixelSize
    /// The size of the output.
    public let target: PixelSize
    private let columns: ScalingTaps
    let rows: ScalingTaps

    /// Makes a scaler between two sizes; costs O(width + height).
    public init(from source: PixelSize, to target: PixelSize) {
        self.source = source
        self.target = target
        columns = ScalingTaps(from: source.width, to: target.width)
        rows = ScalingTaps(from: source.height, to: target.height)
    }

    /// Scales rows of `stride` bytes each into rows without padding.
    ///
    /// `isOpaque` promises alpha 255 throughout and saves the weighting by alpha.
    public func scale(
        _ rows: UnsafeRawBufferPointer, stride: Int, isOpaque: Bool = false,
        into output: UnsafeMutableRawBufferPointer
    ) {
        precondition(rows.count >= stride * (source.height - 1) + source.width * 4)
        precondition(output.count >= target.rgbaByteCount)
        guard let from = rows.baseAddress, let to = output.baseAddress else { return }
        if let scaler = RowScaler(self, isOpaque: isOpaque, into: output) {
            for row in 0..<source.height { scaler.add(from + row * stride) }
            return
        }
        let width = target.width
        // The sum of the output row, and the input row that was scaled last.
        withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: width * 3) { lines in
            guard let sum = lines.baseAddress else { return }
            var kept = (line: sum + width, row: -1)
            var spare = (line: sum + 2 * width, row: -1)
            for y in 0..<target.height {
                sum.update(repeating: .zero, count: width)
                for tap in self.rows.range(y) {
                    let row = self.rows.first(y, tap)
                    if kept.row != row {
                        swap(&kept, &spare)
                        if kept.row != row {
                            scaleRow(from + row * stride, isOpaque: isOpaque, into: kept.line)
                            kept.row = row
                        }
                    }
                    let weight = self.rows.weights[tap]
                    for x in 0..<width { sum[x] += kept.line[x] * weight }
                }
                store(sum, isOpaque: isOpaque, into: to + y * width * 4)
            }
        }
    }

    /// Scales one row in its width, with colors multiplied by alpha.
    func scaleRow(
        _ row: UnsafeRawPointer, isOpaque: Bool, into line: UnsafeMutablePointer<SIMD4<Float>>
    ) {
        let pixels = row.assumingMemoryBound(to: SIMD4<UInt8>.self)
        columns.weights.withUnsafeBufferPointer { weights in
            columns.starts.withUnsafeBufferPointer { starts in
                for x in 0..<target.width {
                    var sum = SIMD4<Float>.zero
                    let tap = Int(starts[x].tap)
                    let pixel = pixels + Int(starts[x].position)
                    for step in 0..<(Int(starts[x + 1].tap) - tap) {
                        var value = Self.floats(pixel[step])
                        if !isOpaque {
                            let alpha = value.w
                            value *= alpha / 255
                            value.w = alpha
                        }
                        sum += value * weights[tap + step]
                    }
                    line[x] = sum
                }
            }
        }
    }

    /// Writes one row of the output.
    func store(
        _ line: UnsafePointer<SIMD4<Float>>, isOpaque: Bool, into row: UnsafeMutableRawPointer
    ) {
        let pixels = row.assumingMemoryBound(to: SIMD4<UInt8>.self)
        for x in 0..<target.width {
            var value = line[x]
            if !isOpaque {
                let alpha = value.w
                guard alpha >= 0.5 else {
                    pixels[x] = .zero
                    continue
                }
                value *= 255 / alpha
                value.w = alpha
            }
            pixels[x] = Self.bytes(value)
        }
    }

    // Lane by lane: the generic conversions of SIMD types are calls, not instructions.
    @inline(__always)
    private static func floats(_ pixel: SIMD4<UInt8>) -> SIMD4<Float> {
        SIMD4(Float(pixel.x), Float(pixel.y), Float(pixel.z), Float(pixel.w))
    }

    @inline(__always)
    private static func bytes(_ value: SIMD4<Float>) -> SIMD4<UInt8> {
        SIMD4(byte(value.x), byte(value.y), byte(value.z), byte(value.w))
    }

    @inline(__always)
    private static func byte(_ value: Float) -> UInt8 {
        UInt8(truncatingIfNeeded: Int32(min(max(value + 0.5, 0), 255)))
    }
}
