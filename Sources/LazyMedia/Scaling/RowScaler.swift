/// Scales the rows of a picture as they arrive, from the top, and keeps none of them.
///
/// The pixels are those of `BitmapScaler`, in whose area average each row belongs to the rows of the output that
/// it touches.
package final class RowScaler {
    private typealias Line = UnsafeMutablePointer<SIMD4<Float>>

    private let plan: ScalingPlan
    private let isOpaque: Bool
    private let output: UnsafeMutableRawBufferPointer
    // The sum of the output row, and the row that was added last.
    private let sum: Line
    private let line: Line
    private var added = 0
    private var next = 0

    /// Makes a scaler into rows without padding; pictures must not get higher, because that looks back.
    ///
    /// `isOpaque` promises alpha 255 throughout.
    package convenience init(
        from source: PixelSize, to target: PixelSize, isOpaque: Bool,
        into output: UnsafeMutableRawBufferPointer
    ) {
        self.init(ScalingPlan(from: source, to: target), isOpaque: isOpaque, into: output)
    }

    init(_ plan: ScalingPlan, isOpaque: Bool, into output: UnsafeMutableRawBufferPointer) {
        precondition(plan.goesRowByRow && output.count >= plan.target.rgbaByteCount)
        self.plan = plan
        self.isOpaque = isOpaque
        self.output = output
        let width = plan.target.width
        sum = .allocate(capacity: width * 2)
        sum.initialize(repeating: .zero, count: width * 2)
        line = sum + width
    }

    deinit { sum.deallocate() }

    /// Adds the next row: RGBA8 of the width of the source.
    package func add(_ row: UnsafeRawPointer) {
        let width = plan.target.width
        plan.scaleRow(row, isOpaque: isOpaque, into: line)
        while next < plan.target.height {
            let taps = plan.rows.range(next)
            let first = plan.rows.first(next, taps.lowerBound)
            guard added >= first else { break }
            let weight = plan.rows.weights[taps.lowerBound + added - first]
            for x in 0..<width { sum[x] += line[x] * weight }
            guard added == first + taps.count - 1 else { break }
            store(isOpaque: isOpaque)
        }
        added += 1
    }

    /// Ends early: the rows that have not arrived are transparent.
    package func finish() {
        guard next < plan.target.height else { return }
        // In an opaque picture, too, alpha tells how much of the row has arrived.
        store(isOpaque: false)
        let end = next * plan.target.width * 4
        let rest = UnsafeMutableRawBufferPointer(
            rebasing: output[end..<plan.target.rgbaByteCount])
        rest.initializeMemory(as: UInt8.self, repeating: 0)
    }

    private func store(isOpaque: Bool) {
        guard let to = output.baseAddress else { return }
        let width = plan.target.width
        plan.store(sum, isOpaque: isOpaque, into: to + next * width * 4)
        sum.update(repeating: .zero, count: width)
        next += 1
    }
}
