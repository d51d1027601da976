import Support
import Testing

@testable import LazyMedia

@Suite struct ScalingPlanTests {
    @Test(arguments: [true, false], [(17, 5), (480, 160), (320, 320), (7, 19), (1, 3), (9, 1)])
    func `a row is the sum of its taps, in their order`(
        isOpaque: Bool, widths: (Int, Int)
    ) {
        let (source, target) = (
            PixelSize(width: widths.0, height: 1), PixelSize(width: widths.1, height: 1)
        )
        let plan = ScalingPlan(from: source, to: target)
        var numbers = SplitMix(7)
        let row = (0..<source.width).flatMap { _ in
            (0..<3).map { _ in UInt8.random(in: 0...255, using: &numbers) }
                + [isOpaque ? 255 : UInt8.random(in: 0...255, using: &numbers)]
        }
        let line = UnsafeMutablePointer<SIMD4<Float>>.allocate(capacity: target.width)
        defer { line.deallocate() }
        row.withUnsafeBytes { bytes in
            if let start = bytes.baseAddress {
                plan.scaleRow(start, isOpaque: isOpaque, into: line)
            }
        }
        for x in 0..<target.width {
            var sum = SIMD4<Float>.zero
            for tap in plan.columns.range(x) {
                let at = plan.columns.first(x, tap) * 4
                var value = SIMD4<Float>(
                    Float(row[at]), Float(row[at + 1]), Float(row[at + 2]), Float(row[at + 3]))
                if !isOpaque {
                    let alpha = value.w
                    value *= alpha / 255
                    value.w = alpha
                }
                sum += value * plan.columns.weights[tap]
            }
            #expect(line[x] == sum)
        }
    }
}
