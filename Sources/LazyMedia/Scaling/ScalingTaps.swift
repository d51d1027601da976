internal import CKernels

/// For each output position, its input positions and their weights.
struct ScalingTaps: Sendable {
    /// One entry per output position, and one past the end.
    private(set) var starts: [cscaling_start] = []
    private(set) var weights: [Float] = []

    init(from source: Int, to target: Int) {
        let step = Double(source) / Double(target)
        for position in 0..<target {
            if step >= 1 {
                appendArea(Double(position) * step, Double(position + 1) * step, of: source)
            } else {
                appendLinear((Double(position) + 0.5) * step - 0.5, of: source)
            }
        }
        starts.append(cscaling_start(position: 0, tap: Int32(weights.count)))
    }

    func range(_ position: Int) -> Range<Int> {
        Int(starts[position].tap)..<Int(starts[position + 1].tap)
    }

    func first(_ position: Int, _ tap: Int) -> Int {
        Int(starts[position].position) + tap - Int(starts[position].tap)
    }

    private mutating func appendArea(_ low: Double, _ high: Double, of source: Int) {
        let first = min(source - 1, Int(low))
        let last = max(first, min(source - 1, Int(high.rounded(.up)) - 1))
        starts.append(cscaling_start(position: Int32(first), tap: Int32(weights.count)))
        for position in first...last {
            let covered = min(high, Double(position + 1)) - max(low, Double(position))
            weights.append(Float(covered / (high - low)))
        }
    }

    private mutating func appendLinear(_ center: Double, of source: Int) {
        let clamped = min(max(center, 0), Double(source - 1))
        let first = min(Int(clamped), max(0, source - 2))
        let share = Float(clamped - Double(first))
        starts.append(cscaling_start(position: Int32(first), tap: Int32(weights.count)))
        weights.append(1 - share)
        if source > 1 { weights.append(share) }
    }
}
