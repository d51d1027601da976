extension Words {
    /// `80`: the quality of lossy formats.
    public static let quality = number(0...100)
    /// `6`: the effort for smaller files, from fast to small.
    public static let effort = whole(0...10)
    /// `256`: the largest number of colors in a palette.
    public static let colors = whole(2...256)
    /// `0.5`: a share, such as how opaque an overlay is.
    public static let opacity = number(0...1)
    /// `6` or `6%`: the height of a line of text in percent of the picture's.
    public static let textSize = percent(1...100)
    /// `20%`: the width of a watermark in percent of the picture's.
    public static let watermarkSize = percent(1...100)
    /// `3`: the largest number of segments.
    public static let pieces = whole(1...10)
    /// `24`: a number of frames, tiles, rows or columns.
    public static let count = whole(
        1...Int(Int32.max), "it must be a whole number of at least 1")
    /// `0`: a distance in pixels, or where counting starts.
    public static let distance = whole(
        0...Int(Int32.max), "it must be a whole number of at least 0")
    /// `4`: a number of threads or workers, each of which holds a frame; 0 is one per core.
    public static let threads = whole(0...256)

    /// A number in a range.
    package static func number(_ range: ClosedRange<Double>) -> Grammar<Double> {
        let bounds = [range.lowerBound, range.upperBound].map(printNumber)
        return Grammar(
            "it must be a number from \(bounds[0]) to \(bounds[1])", shape: decimalShape,
            samples: bounds, read: { readNumber($0, range) }, print: printNumber)
    }

    /// A whole number in a range.
    package static func whole(
        _ range: ClosedRange<Int>, _ expected: String? = nil
    ) -> Grammar<Int> {
        Grammar(
            expected
                ?? "it must be a whole number from \(range.lowerBound) to \(range.upperBound)",
            shape: #"[+-]?[0-9]+"#, samples: ["\(range.lowerBound)", "\(range.upperBound)"],
            read: { Int($0).flatMap { range.contains($0) ? $0 : nil } }, print: { "\($0)" })
    }

    /// A number in a range with the sign of percent or without it.
    private static func percent(_ range: ClosedRange<Double>) -> Grammar<Double> {
        let number = number(range)
        return Grammar(
            number.expected, shape: "(?:\(decimalShape))%?",
            samples: number.samples + [number.samples[0] + "%"],
            read: { readNumber($0.hasSuffix("%") ? String($0.dropLast()) : $0, range) },
            print: printNumber)
    }

    static let decimalShape = #"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"#

    /// A decimal number in a range; nil for other forms of `Double`.
    static func readNumber(_ text: String, _ range: ClosedRange<Double>) -> Double? {
        guard text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }) else { return nil }
        return Double(text).flatMap { range.contains($0) ? $0 : nil }
    }

    static func printNumber(_ number: Double) -> String {
        Int(exactly: number).map { "\($0)" } ?? "\(number)"
    }
}
