import LazyRenditions
import Testing

/// The rows of a grammar: how values are written, and what is refused.
struct GrammarRows: Sendable, CustomTestStringConvertible {
    /// The name in `Words`.
    let name: String
    /// What is expected, as people read it.
    let expected: String
    /// Texts, each with what its value prints as, and whether the grammar reads and prints so.
    let right: [Right]
    /// Texts that are not even written as the value is.
    let wrong: [String]
    /// Texts of the right form that are no values.
    let outside: [String]
    /// What is expected of some texts, where it is not `expected`.
    let sentences: [String: String]

    let pattern: String
    let samples: [String]
    let words: [String]
    /// What a text prints as when it has been read.
    let reprint: @Sendable (String) throws(WordError) -> String

    struct Right: Sendable {
        let text: String
        let isRead: @Sendable () -> Bool
        let isPrinted: @Sendable () -> Bool
    }

    init<Value: Equatable>(
        _ name: String, _ grammar: Grammar<Value>, _ expected: String,
        _ right: [(text: String, value: Value, printed: String)], wrong: [String],
        outside: [String] = [], sentences: [String: String] = [:]
    ) {
        (self.name, self.expected) = (name, expected)
        self.right = right.map { row in
            Right(
                text: row.text, isRead: { (try? grammar.parse(row.text)) == row.value },
                isPrinted: {
                    grammar.text(row.value) == row.printed
                        && (try? grammar.parse(row.printed)) == row.value
                })
        }
        (self.wrong, self.outside, self.sentences) = (wrong, outside, sentences)
        (pattern, samples, words) = (grammar.pattern, grammar.samples, grammar.words)
        reprint = { text throws(WordError) in grammar.text(try grammar.parse(text)) }
    }

    var testDescription: String { name }
}
