/// An exact fraction of two integers, such as a time base or a pixel aspect ratio.
///
/// Two fractions are equal when both of their parts are: 2/4 is not equal to 1/2.
public struct Rational: Hashable, Sendable, CustomStringConvertible {
    /// The numerator.
    public let numerator: Int64
    /// The denominator; always at least 1.
    public let denominator: Int64

    /// Makes a fraction; the denominator must be positive.
    public init(_ numerator: Int64, _ denominator: Int64) {
        precondition(denominator > 0, "a fraction has a positive denominator")
        self.numerator = numerator
        self.denominator = denominator
    }

    /// The nearest floating-point number.
    public var doubleValue: Double { Double(numerator) / Double(denominator) }

    /// The fraction as `1:90000`.
    public var description: String { "\(numerator):\(denominator)" }
}

extension Rational {
    /// The same fraction in lowest terms.
    package var reduced: Rational {
        let divisor = Int64(clamping: greatestDivisor(numerator.magnitude, denominator.magnitude))
        return Rational(numerator / divisor, denominator / divisor)
    }
}

/// The greatest common divisor of two numbers that are not negative; 1 where both are 0.
package func greatestDivisor<Number: FixedWidthInteger>(
    _ a: Number, _ b: Number
) -> Number {
    var (a, b) = (a, b)
    while b != 0 { (a, b) = (b, a % b) }
    return max(1, a)
}
