public import LazyMedia

extension Words {
    /// `browser`, `bt2390`, `clip`: how HDR becomes SDR.
    public static let tone = choice(ToneMapping.self, "the ways to map HDR are")

    /// One of the cases of an enumeration, such as `Dither`; `intro` begins what is expected.
    public static func choice<Word: CaseIterable & RawRepresentable<String> & Sendable>(
        _ type: Word.Type, _ intro: String = "the values are"
    ) -> Grammar<Word> {
        choice(of: Array(Word.allCases), intro)
    }

    /// One of some cases of an enumeration.
    static func choice<Word: RawRepresentable<String> & Sendable>(
        of cases: [Word], _ intro: String = "the values are"
    ) -> Grammar<Word> {
        let words = cases.map(\.rawValue)
        return Grammar(
            "\(intro) \(words.joined(separator: ", "))", words: words,
            shape: words.joined(separator: "|"), samples: words,
            read: { text in cases.first { $0.rawValue == text } },
            print: \.rawValue)
    }
}
