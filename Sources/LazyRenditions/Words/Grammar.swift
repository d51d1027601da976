/// How a value is written: a time, a size, a color and so on.
///
/// `parse` reads what `text(_:)` prints as an equal value. Every grammar is one of `Words`.
public struct Grammar<Value: Sendable>: Sendable {
    /// How the value is written, as a part of a sentence: `a rate is written as 12, 12.5 …`.
    public let expected: String
    /// Words that are values, for completion and suggestions; numbers are not listed.
    public let words: [String]
    /// Texts of values, one for each way to write them.
    public let samples: [String]
    /// The expression without its ends, a part of that of other grammars.
    let shape: String

    private let read: @Sendable (String) throws(WordError) -> Value?
    private let print: @Sendable (Value) -> String

    /// Makes a grammar; `read` returns nil for a text that is not as `expected`.
    package init(
        _ expected: String, words: [String] = [], shape: String, samples: [String],
        read: @escaping @Sendable (String) throws(WordError) -> Value?,
        print: @escaping @Sendable (Value) -> String
    ) {
        (self.expected, self.words, self.shape, self.samples) = (expected, words, shape, samples)
        (self.read, self.print) = (read, print)
    }

    /// An expression of ECMA-262 that every text of a value matches.
    ///
    /// It tells the form, not the bounds: `parse` refuses some of what matches.
    public var pattern: String { "^(?:\(shape))$" }

    /// The value of a text.
    public func parse(_ text: some StringProtocol) throws(WordError) -> Value {
        let given = String(text)
        guard let value = try read(given) else { throw WordError(expected, given: given) }
        return value
    }

    /// The text of a value that `parse` can return, in its usual spelling.
    public func text(_ value: Value) -> String { print(value) }

    /// The word that was probably meant, or nil if none is similar enough.
    public func nearest(_ wrong: String) -> String? { Suggestion.nearest(wrong, among: words) }
}

extension Grammar {
    /// The same for some of the values.
    package func only(
        _ expected: String, words: [String]? = nil, samples: [String]? = nil,
        where isAllowed: @escaping @Sendable (Value) -> Bool
    ) -> Grammar {
        Grammar(
            expected, words: words ?? self.words, shape: shape, samples: samples ?? self.samples,
            read: { [read] text throws(WordError) in
                try read(text).flatMap { isAllowed($0) ? $0 : nil }
            }, print: print)
    }

    /// Values that are separated by commas.
    package func list(_ expected: String, samples: [String]) -> Grammar<[Value]> {
        Grammar<[Value]>(
            expected, shape: "(?:\(shape))(?:,(?:\(shape)))*", samples: samples,
            read: { [read] text throws(WordError) in
                var values: [Value] = []
                for part in text.split(separator: ",", omittingEmptySubsequences: false) {
                    guard let value = try read(String(part)) else { return nil }
                    values.append(value)
                }
                return values
            }, print: { [print] in $0.map(print).joined(separator: ",") })
    }
}
