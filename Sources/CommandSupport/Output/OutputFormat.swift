internal import LazyKit
package import LazyMedia

/// A format that output can be written in, as named by `--format` and by file extensions.
///
/// One word stands for the still and the animated type of a format, such as `webp`; the number of
/// frames decides. The formats are those of `EncoderRegistry.standard`, and bare pixels.
package struct OutputFormat: RawRepresentable, Hashable, Sendable {
    /// The extension that files of this format get.
    package let rawValue: String

    /// Reads a file extension that is written.
    package init?(rawValue: String) {
        guard Self.all.contains(rawValue) else { return nil }
        self.rawValue = rawValue
    }

    /// Reads a format's name or a file extension, in letters of any case.
    package init?(_ word: some StringProtocol) {
        let word = word.lowercased()
        self.init(rawValue: Self.factories.first { $0.type.name == word }?.word ?? word)
    }

    private init(word: String) { rawValue = word }

    /// PNG, which stands for APNG where an animation is made.
    package static let png = OutputFormat(word: "png")

    private static let factories = EncoderRegistry.standard.factories
    private static let all = Set((animated + still).map(\.rawValue))

    /// The formats that can hold more than one frame.
    package static let animated = words(of: factories.filter(\.traits.canAnimate))
    /// The media formats of one picture.
    package static let picture = words(of: factories.filter { !$0.traits.canAnimate })
    /// The formats of one picture, and bare pixels.
    package static let still = picture + [OutputFormat(word: "ppm"), OutputFormat(word: "raw")]
    /// All media formats, those that can hold more than one frame first.
    package static let media = animated + picture.filter { !animated.contains($0) }

    private static func words(of factories: [EncoderFactory]) -> [OutputFormat] {
        factories.reduce(into: []) { formats, factory in
            let format = OutputFormat(word: factory.word)
            if !formats.contains(format) { formats.append(format) }
        }
    }

    /// The type of this very name, the animated one of two; nil for bare pixels, which are no media.
    package var type: MediaType? {
        let own = Self.factories.filter { $0.word == rawValue }
        return (own.first(where: \.traits.canAnimate) ?? own.first)?.type
    }

    /// The type for one picture or several; PNG of several is APNG.
    package func type(isAnimation: Bool) -> MediaType? {
        let fitting = Self.factories.filter { $0.traits.canAnimate == isAnimation }
        return
            (fitting.first { $0.word == rawValue }
            ?? fitting.first { $0.type.fileExtensions.contains(rawValue) })?.type ?? type
    }

    /// What files of this format can carry; nil for bare pixels.
    package var traits: FormatTraits? { type.flatMap(EncoderRegistry.standard.traits) }

    /// The titles of formats with certain traits, such as `MP4 and WebM`.
    package static func titles(
        of formats: [OutputFormat] = media, where isMember: (OutputFormat) -> Bool
    ) -> String {
        list(formats.filter(isMember).compactMap(\.type?.title), "and")
    }

    /// Several formats as words for help: `png, jpg or webp`.
    package static func words(_ formats: [OutputFormat]) -> String {
        list(formats.map(\.rawValue), "or")
    }

    /// Several formats as file extensions: `.png, .jpg or .webp`.
    package static func endings(_ formats: [OutputFormat]) -> String {
        list(formats.map { "." + $0.rawValue }, "or")
    }

    private static func list(_ words: [String], _ conjunction: String) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " \(conjunction) " + last
    }
}

extension EncoderFactory {
    /// The word for what it writes.
    fileprivate var word: String { type.fileExtensions.first ?? type.name }
}
