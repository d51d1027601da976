public import LazyMedia

extension Words {
    /// `browser`, `bt2390`, `clip`: how HDR becomes SDR.
    public static let tone = choice(ToneMapping.self, "the ways to map HDR are")

    /// One of the cases of an enumeration, such as `Dither`; `intro` begins what is expected.
    public static func choice<Word: CaseIterable & RawRepresentable<String> & Sendable>(
        _ type: Word.Type, _ intro: String = "the values are"
    ) -> Grammar<Word> {
        let words = Word.allCases.map(\.rawValue)
        return Grammar(
            "\(intro) \(words.joined(separator: ", "))", words: words,
            shape: words.joined(separator: "|"), samples: words, read: { Word(rawValue: $0) },
            print: \.rawValue)
    }
}
