public import LazyMedia

extension Words {
    /// `12`, `12.5`, `30000/1001`: frames per second.
    public static let rate = Grammar<Rational>(
        "a rate is written as 12, 12.5 or 30000/1001, up to 1000",
        shape: #"[0-9]+(?:\.[0-9]*)?|\.[0-9]+|\+?[0-9]+/\+?[0-9]+"#,
        samples: ["12", "12.5", "0.5", "23.976", "29.9701", "30000/1001"],
        read: { text in
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            let rate: Rational? =
                if parts.count == 2, let above = Int64(parts[0]), let below = Int64(parts[1]),
                    below > 0
                { Rational(above, below) } else { decimalRate(text) }
            return rate.flatMap { isRate($0) ? $0 : nil }
        },
        print: { rate in
            if rate.denominator == 1 { return "\(rate.numerator)" }
            return decimals(rate) ?? "\(rate.numerator)/\(rate.denominator)"
        })

    /// The decimals that are read as a rate, if there are any.
    private static func decimals(_ rate: Rational) -> String? {
        guard [1000, 10_000, 100_000, 1_000_000].contains(rate.denominator) else { return nil }
        let (whole, rest) = rate.numerator.quotientAndRemainder(dividingBy: rate.denominator)
        var digits = "\(rate.denominator + rest)".dropFirst()
        while digits.last == "0" { digits.removeLast() }
        let text = digits.isEmpty ? "\(whole)" : "\(whole).\(digits)"
        return decimalRate(text) == rate ? text : nil
    }

    /// The product of a part of a rate and the ticks of a day does not overflow `Int64`.
    private static func isRate(_ rate: Rational) -> Bool {
        let parts: ClosedRange<Int64> = 1...1_000_000
        return parts.contains(rate.numerator) && parts.contains(rate.denominator)
            && rate.doubleValue <= 1000
    }

    /// A rate in thousandths, or in smaller parts where that is exact.
    private static func decimalRate(_ text: String) -> Rational? {
        guard text.allSatisfy({ $0.isNumber || $0 == "." }), let time = readTime(text) else {
            return nil
        }
        let (seconds, atto) = time.components
        if atto == 0 { return Rational(seconds, 1) }
        for parts: Int64 in [1000, 10_000, 100_000, 1_000_000] {
            let (ticks, rest) = atto.quotientAndRemainder(dividingBy: second / parts)
            let rate = Rational(seconds * parts + ticks, parts)
            if rest == 0, isRate(rate) { return rate }
        }
        return Rational(seconds * 1000 + atto / (second / 1000), 1000)
    }

    /// In attoseconds.
    private static let second: Int64 = 1_000_000_000_000_000_000
}
