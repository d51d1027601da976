public import LazyMedia

extension Words {
    /// How HDR becomes SDR.
    public static let tone = choice(ToneMapping.self, "the ways to map HDR are")
    /// The dithering of palettes.
    public static let dither = choice(Dither.self)
    /// Whether scenes share a palette.
    public static let palettes = choice(PaletteScope.self)
    /// The codec of a video.
    public static let codec = choice(VideoCodecChoice.self)
    /// How a loop is closed.
    public static let seam = choice(LoopSeam.self)
    /// Whether dithering is removed first.
    public static let undithering = choice(Conversion.Undithering.self)
    /// What becomes of sound.
    public static let sound = choice(Conversion.Sound.self)

    /// One of the cases of an enumeration; `intro` is the beginning of what is expected.
    package static func choice<Word: CaseIterable & RawRepresentable<String> & Sendable>(
        _ type: Word.Type, _ intro: String = "the values are"
    ) -> Grammar<Word> {
        let words = Word.allCases.map(\.rawValue)
        return Grammar(
            "\(intro) \(words.joined(separator: ", "))", words: words,
            shape: words.joined(separator: "|"), samples: words, read: { Word(rawValue: $0) },
            print: \.rawValue)
    }
}
