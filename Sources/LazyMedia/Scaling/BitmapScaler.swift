/// Scales RGBA8 rows: area average when shrinking, linear when enlarging.
///
/// Separable, weights in 1/16384, colors weighted by alpha so that transparent pixels do not bleed.
/// Every output pixel is the exact average of the input area it covers, as in ImageMagick's `-scale`
/// and swscale's `area`. One pass over the input. Reusable, and Sendable because a use keeps no state.
public struct BitmapScaler: Sendable {
    private let plan: ScalingPlan

    /// Makes a scaler between two sizes; costs O(width + height).
    public init(from source: PixelSize, to target: PixelSize) {
        plan = ScalingPlan(from: source, to: target)
    }

    /// The size of the input.
    public var source: PixelSize { plan.source }
    /// The size of the output.
    public var target: PixelSize { plan.target }

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
        if plan.goesRowByRow {
            let scaler = RowScaler(plan, isOpaque: isOpaque, into: output)
            for row in 0..<source.height { scaler.add(from + row * stride) }
            return
        }
        let (plan, width) = (plan, target.width)
        // The sum of the output row, and the input row that was scaled last.
        withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: width * 3) { lines in
            guard let sum = lines.baseAddress else { return }
            var kept = (line: sum + width, row: -1)
            var spare = (line: sum + 2 * width, row: -1)
            for y in 0..<plan.target.height {
                sum.update(repeating: .zero, count: width)
                for tap in plan.rows.range(y) {
                    let row = plan.rows.first(y, tap)
                    if kept.row != row {
                        swap(&kept, &spare)
                        if kept.row != row {
                            plan.scaleRow(from + row * stride, isOpaque: isOpaque, into: kept.line)
                            kept.row = row
                        }
                    }
                    let weight = plan.rows.weights[tap]
                    for x in 0..<width { sum[x] += kept.line[x] * weight }
                }
                plan.store(sum, isOpaque: isOpaque, into: to + y * width * 4)
            }
        }
    }
}
