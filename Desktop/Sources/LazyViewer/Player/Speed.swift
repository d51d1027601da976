/// The speeds that keys choose; pure.
package enum Speed {
    package static let steps = [0.1, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 4, 8, 16]

    /// The next faster or slower step, in the same direction of playing.
    package static func next(after rate: Double, isFaster: Bool) -> Double {
        let size = abs(rate)
        let next =
            isFaster
            ? steps.first { $0 > size + 0.0005 } ?? steps[steps.count - 1]
            : steps.last { $0 < size - 0.0005 } ?? steps[0]
        return rate < 0 ? -next : next
    }

    /// The speed as a label.
    package static func label(_ rate: Double) -> String {
        let hundredths = Int((abs(rate) * 100).rounded())
        let fraction = hundredths % 100
        var digits = fraction < 10 ? "0\(fraction)" : "\(fraction)"
        if digits.hasSuffix("0") { digits.removeLast() }
        let number = fraction == 0 ? "\(hundredths / 100)" : "\(hundredths / 100).\(digits)"
        return "\(rate < 0 ? "−" : "")\(number)×"
    }
}
