package import ArgumentParser
package import LazyRenditions

extension Option {
    /// An option whose value is written as a grammar says, with its words as completion.
    ///
    /// `valueName` is the name of the value in the help.
    package init<Word>(
        _ help: String, _ grammar: Grammar<Word>, as valueName: String,
        name: NameSpecification = .long, parsing: SingleValueParsingStrategy = .next
    ) where Value == Word? {
        self.init(
            name: name, parsing: parsing, help: .init(help, valueName: valueName),
            completion: grammar.completion, transform: { try grammar.parse($0) })
    }
}

extension Option {
    /// An option that only this program has; `transform` reads its value.
    package init<Word>(
        _ help: String, as valueName: String, name: NameSpecification = .long,
        completion: CompletionKind? = nil,
        transform: @escaping @Sendable (String) throws -> Word
    ) where Value == Word? {
        self.init(
            name: name, help: .init(help, valueName: valueName), completion: completion,
            transform: transform)
    }

    /// An option with any text, or with a word of this program.
    package init<Word: ExpressibleByArgument>(
        _ help: String, as valueName: String, name: NameSpecification = .long,
        completion: CompletionKind? = nil
    ) where Value == Word? {
        self.init(name: name, help: .init(help, valueName: valueName), completion: completion)
    }
}

extension Option where Value: Sendable {
    /// The same with a value where the option is not given.
    package init(
        wrappedValue: Value, _ help: String, _ grammar: Grammar<Value>,
        as valueName: String, name: NameSpecification = .long,
        parsing: SingleValueParsingStrategy = .next
    ) {
        self.init(
            wrappedValue: wrappedValue, name: name, parsing: parsing,
            help: .init(help, valueName: valueName), completion: grammar.completion,
            transform: { try grammar.parse($0) })
    }
}

extension Grammar {
    fileprivate var completion: CompletionKind? { words.isEmpty ? nil : .list(words) }
}
