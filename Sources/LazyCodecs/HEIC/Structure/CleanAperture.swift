internal import LazyMedia

/// A crop by fractions, around the center of the picture (ISO/IEC 14496-12, 12.1.4).
struct CleanAperture: Sendable {
    private let width: Fraction
    private let height: Fraction
    private let right: Fraction
    private let down: Fraction

    private struct Fraction: Sendable {
        let numerator: Int
        let denominator: Int
        // Of 32-bit numbers, so that nothing here overflows 128 bits.
        var isValid: Bool { denominator > 0 }
    }

    /// Takes the eight numbers of the box, of 32 bits each.
    init(_ numbers: [Int]) {
        width = Fraction(numerator: numbers[0], denominator: numbers[1])
        height = Fraction(numerator: numbers[2], denominator: numbers[3])
        right = Fraction(numerator: numbers[4], denominator: numbers[5])
        down = Fraction(numerator: numbers[6], denominator: numbers[7])
    }

    /// The part of a picture that is shown, as libheif rounds it; nil where it is empty or invalid.
    func rect(in size: PixelSize) -> PixelRect? {
        guard width.isValid, height.isValid, right.isValid, down.isValid,
            let across = Self.span(width, right, size.width, rounding: 0),
            let along = Self.span(height, down, size.height, rounding: 1)
        else { return nil }
        return PixelRect(
            x: across.lowerBound, y: along.lowerBound, width: across.count, height: along.count)
    }

    /// The first sample is at offset + (side - 1) / 2 - (length - 1) / 2.
    ///
    /// libheif rounds the first column down, and the first row to the nearest (`rounding` halves).
    private static func span(
        _ length: Fraction, _ offset: Fraction, _ side: Int, rounding: Int128
    ) -> Range<Int>? {
        let (ln, ld) = (Int128(length.numerator), Int128(length.denominator))
        let (on, od) = (Int128(offset.numerator), Int128(offset.denominator))
        let denominator = 2 * ld * od
        let numerator = 2 * on * ld + (Int128(side) - 1) * ld * od - (ln - ld) * od
        let first = floorDivide(2 * numerator + rounding * denominator, 2 * denominator)
        let count = floorDivide(2 * ln + ld, 2 * ld)
        let low = max(first, 0)
        let high = min(first + count, Int128(side))
        guard low < high else { return nil }
        return Int(low)..<Int(high)
    }

    private static func floorDivide(_ a: Int128, _ b: Int128) -> Int128 {
        let quotient = a / b
        return a % b < 0 ? quotient - 1 : quotient
    }
}
