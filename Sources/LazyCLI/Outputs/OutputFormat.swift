internal import LazyKit
internal import LazyMedia
internal import LazyRenditions

/// A format of outputs, as named by `--format` and by file extensions.
///
/// One name means the still and the animated type of a format, such as `webp`; the number of
/// frames decides. The formats are those of `EncoderRegistry.standard`, and raw pixels.
struct OutputFormat: RawRepresentable, Hashable, Sendable {
    /// The extension of files of this format.
    let rawValue: String

    /// Parses the extension of a path.
    init?(rawValue: String) {
        guard Self.all.contains(rawValue) else { return nil }
        self.rawValue = rawValue
    }

    /// Parses a format's name or a file extension, ignoring case.
    init?(_ word: some StringProtocol) {
        let type = try? Self.types.parse(word)
        self.init(rawValue: type?.fileExtensions.first ?? word.lowercased())
    }

    private init(word: String) { rawValue = word }

    /// Parses the value of `--format` of a command that writes only some formats.
    static func parser(among formats: [OutputFormat]) -> @Sendable (String) throws -> OutputFormat {
        { text in
            // A format that this command cannot write is reported later, with the reason.
            if let format = OutputFormat(text) { return format }
            let words = formats.map(\.rawValue)
            throw WordError(
                "the formats are \(words.joined(separator: ", "))", given: text,
                nearest: Suggestion.nearest(text, among: words))
        }
    }

    /// PNG, or APNG for an animation.
    static let png = OutputFormat(word: "png")

    private static let factories = EncoderRegistry.standard.factories
    private static let types = Words.type(among: factories.map(\.type))
    private static let all = Set((animated + still).map(\.rawValue))

    /// The formats that can hold more than one frame.
    static let animated = words(of: factories.filter(\.traits.canAnimate))
    /// The media formats of one image.
    static let picture = words(of: factories.filter { !$0.traits.canAnimate })
    /// Those of them that have room for a side.
    static func picture(side: Int) -> [OutputFormat] {
        words(of: factories.filter { !$0.traits.canAnimate && $0.traits.longestSide >= side })
    }
    /// The formats of one image, and raw pixels.
    static let still = picture + [OutputFormat(word: "ppm"), OutputFormat(word: "raw")]
    /// All media formats, those that can hold more than one frame first.
    static let media = animated + picture.filter { !animated.contains($0) }

    /// Whether it is encoded by a library that the program is linked with, not one that it loads.
    var isLinked: Bool { Self.linked.contains(rawValue) }

    private static let linked: Set = ["apng", "gif", "jpg", "png", "ppm", "raw", "webp"]

    private static func words(of factories: [EncoderFactory]) -> [OutputFormat] {
        factories.reduce(into: []) { formats, factory in
            let format = OutputFormat(word: factory.word)
            if !formats.contains(format) { formats.append(format) }
        }
    }

    /// The type of this name, the animated one of two; nil for raw pixels.
    var type: MediaType? {
        let own = Self.factories.filter { $0.word == rawValue }
        return (own.first(where: \.traits.canAnimate) ?? own.first)?.type
    }

    /// The type for one image or an animation; an animated PNG is APNG.
    func type(isAnimation: Bool) -> MediaType? {
        let fitting = Self.factories.filter { $0.traits.canAnimate == isAnimation }
        return
            (fitting.first { $0.word == rawValue }
            ?? fitting.first { $0.type.fileExtensions.contains(rawValue) })?.type ?? type
    }

    /// The type of one picture, which may be one of raw pixels.
    var pictureType: MediaType? {
        EncoderRegistry.pictures.factories.first { !$0.traits.canAnimate && $0.word == rawValue }?
            .type
    }

    /// The traits of this format; nil for raw pixels.
    var traits: FormatTraits? { type.flatMap(EncoderRegistry.standard.traits) }

    /// The titles of formats with certain traits, such as `MP4 and WebM`.
    static func titles(
        of formats: [OutputFormat] = media, where isMember: (OutputFormat) -> Bool
    ) -> String {
        list(formats.filter(isMember).compactMap(\.type?.title), "and")
    }

    /// A list of formats for help: `png, jpg or webp`.
    static func words(_ formats: [OutputFormat]) -> String {
        list(formats.map(\.rawValue), "or")
    }

    /// A list of file extensions: `.png, .jpg or .webp`.
    static func endings(_ formats: [OutputFormat]) -> String {
        list(formats.map { "." + $0.rawValue }, "or")
    }

    private static func list(_ words: [String], _ conjunction: String) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " \(conjunction) " + last
    }
}

extension EncoderFactory {
    /// The word for its output.
    fileprivate var word: String { type.fileExtensions.first ?? type.name }
}
