/// A text that is not written as its grammar says.
public struct WordError: Error, Hashable, CustomStringConvertible {
    /// How the value is written, as a part of a sentence.
    public let expected: String
    /// The text.
    public let given: String
    /// The word that was probably meant, where the sentence suggests one.
    public let nearest: String?

    /// Makes an error.
    package init(_ expected: String, given: some StringProtocol, nearest: String? = nil) {
        (self.expected, self.given, self.nearest) = (expected, String(given), nearest)
    }

    /// What was expected and what was given, where no sentence around it names the text.
    public var sentence: String {
        let given = given.isEmpty || given.count > 60 ? "" : ", not '\(given)'"
        return expected + given + (nearest.map { ". Did you mean '\($0)'?" } ?? ".")
    }

    /// What was expected, which completes a sentence that names the text and its option.
    public var description: String {
        expected + (nearest.map { ". Did you mean '\($0)'?" } ?? "")
    }
}
