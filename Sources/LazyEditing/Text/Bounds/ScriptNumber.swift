/// A number as libass reads it: what comes before anything else in a text.
struct ScriptNumber {
    let value: Double
    /// How it is written.
    let text: ArraySlice<UInt8>

    /// Reads the number at the beginning, behind spaces; nil where there is none.
    init?(_ bytes: ArraySlice<UInt8>) {
        let bytes = bytes.drop { $0.isScriptSpace }
        var end = bytes.startIndex
        func skip(_ condition: (UInt8) -> Bool) -> Int {
            let start = end
            while end < bytes.endIndex, condition(bytes[end]) { end += 1 }
            return end - start
        }
        func skip(one characters: [UInt8]) {
            if end < bytes.endIndex, characters.contains(bytes[end]) { end += 1 }
        }
        skip(one: [.plus, .minus])
        var digits = skip(\.isDigit)
        if end < bytes.endIndex, bytes[end] == .point {
            end += 1
            digits += skip(\.isDigit)
        }
        guard digits > 0 else { return nil }
        let mantissa = end
        skip(one: [UInt8(ascii: "e"), UInt8(ascii: "E")])
        if end > mantissa {
            skip(one: [.plus, .minus])
            if skip(\.isDigit) == 0 { end = mantissa }
        }
        text = bytes[..<end]
        // Without digits behind the point Swift reads none.
        let word = String(decoding: text, as: UTF8.self)
        guard let value = Double(word) ?? Double(word + "0") ?? Double("0" + word) else {
            return nil
        }
        self.value = value
    }

    private init(value: Double) {
        let value = value.isNaN ? 0 : min(max(value, -1e9), 1e9)
        self.value = value
        let whole = value.rounded()
        text = Array((value == whole ? "\(Int(whole))" : "\(value)").utf8)[...]
    }

    /// The same, or the nearest in a range.
    func clamped(to range: ClosedRange<Double>) -> ScriptNumber {
        range.contains(value)
            ? self : ScriptNumber(value: min(max(value, range.lowerBound), range.upperBound))
    }

    /// A number that is rewritten.
    static func written(_ value: Double) -> ScriptNumber { ScriptNumber(value: value) }
}

extension UInt8 {
    static let plus = UInt8(ascii: "+")
    static let minus = UInt8(ascii: "-")
    static let point = UInt8(ascii: ".")
    static let comma = UInt8(ascii: ",")
    static let backslash = UInt8(ascii: "\\")
    static let opening = UInt8(ascii: "(")
    static let closing = UInt8(ascii: ")")
    static let openingBrace = UInt8(ascii: "{")
    static let closingBrace = UInt8(ascii: "}")

    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
    var isScriptSpace: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}

extension ArraySlice<UInt8> {
    /// Without spaces at both ends.
    var trimmed: ArraySlice<UInt8> {
        let start = drop { $0.isScriptSpace }
        let end = start.lastIndex { !$0.isScriptSpace }
        return end.map { start[...$0] } ?? start.prefix(0)
    }
}
