internal import ArgumentParser
internal import LazyRenditions

extension Option {
    /// An option whose value is written as a grammar says, with its words as completion.
    ///
    /// `valueName` is the name of the value in the help.
    init<Word>(
        _ help: ArgumentHelp, _ grammar: Grammar<Word>, as valueName: String? = nil,
        name: NameSpecification = .long, parsing: SingleValueParsingStrategy = .next
    ) where Value == Word? {
        self.init(
            name: name, parsing: parsing, help: help.naming(valueName),
            completion: grammar.completion, transform: { try grammar.parse($0) })
    }
}

extension Option where Value: Sendable {
    /// The same with a value where the option is not given.
    init(
        wrappedValue: Value, _ help: ArgumentHelp, _ grammar: Grammar<Value>,
        as valueName: String, name: NameSpecification = .long,
        parsing: SingleValueParsingStrategy = .next
    ) {
        self.init(
            wrappedValue: wrappedValue, name: name, parsing: parsing,
            help: help.naming(valueName), completion: grammar.completion,
            transform: { try grammar.parse($0) })
    }
}

extension Grammar {
    fileprivate var completion: CompletionKind? { words.isEmpty ? nil : .list(words) }
}

extension ArgumentHelp {
    fileprivate func naming(_ value: String?) -> ArgumentHelp {
        var help = self
        help.valueName = value
        return help
    }
}
