internal import LazyBase
internal import LazyEditing
internal import LazyMedia

extension Rendition {
    /// What of a rendition of a kind is written.
    static func fields(of kind: Kind) -> [Field<Rendition>] {
        switch kind {
        case .poster: posterFields
        }
    }

    private static let posterFields =
        [Field("at", \Rendition.kind.poster, unless: .auto, Words.poster, "Which picture.")]
        + sharedFields

    private static let sharedFields: [Field<Rendition>] = [
        Field("track", \.reading.track, unless: .main, Words.track, "Which film of a file."),
        Field(
            "color", \.reading.space, unless: .srgb, Words.choice(ColorWord.self),
            "The colors of pixels: sRGB, or those of the source."),
        Field("tone", \.reading.tone, unless: .browser, Words.tone, "How HDR becomes SDR."),
        Field(
            "deinterlace", \.reading.deinterlacing, unless: .auto,
            Words.choice(DeinterlaceWord.self), "Whether interlaced pictures are deinterlaced."),
        Field("edit", \.edit, ClipEdit.fields, "What is done to pictures."),
        Field("output", \.output, Output.fields, "How pictures are encoded."),
    ]

    fileprivate enum ColorWord: String, CaseIterable, Sendable { case srgb, keep }
    fileprivate enum DeinterlaceWord: String, CaseIterable, Sendable { case auto, never }
}

extension Rendition.Kind {
    /// The words of all kinds.
    static let words = ["poster"]

    /// The kind of a word, as it is where nothing is asked for.
    init?(word: String) {
        switch word {
        case "poster": self = .poster(.auto)
        default: return nil
        }
    }

    /// The word of the kind.
    var word: String {
        switch self {
        case .poster: "poster"
        }
    }

    /// The number of what is made of equal words; it goes up when they make other pixels.
    var version: Int {
        switch self {
        case .poster: 1
        }
    }

    fileprivate var poster: PosterChoice {
        get { if case .poster(let choice) = self { choice } else { .auto } }
        set { self = .poster(newValue) }
    }
}

extension Rendition.Output {
    /// The types of all encoders that there are, of which those of a build depend on its traits and libraries.
    private static let types: [MediaType] = [
        .png, .jpeg, .webp, .avif, .jpegXL, .pnm, .rawPixels, .gif, .apng, .webpAnimation,
        .avifSequence,
        .mp4, .webm,
    ]

    static let fields: [Field<Rendition.Output>] =
        [
            Field(
                "type", \Rendition.Output.type, Words.type(among: types), "The type of the file.")
        ] + EncodingOptions.fields.map { $0.within(\Rendition.Output.encoding) }
}

extension EncodingOptions {
    static let fields: [Field<EncodingOptions>] = [
        Field("quality", \.quality, Words.quality, "The quality, from 0 to 100."),
        Field("effort", \.effort, Words.effort, "The effort for a smaller file, from 0 to 10."),
        Field("lossless", \.lossless, fidelity, "Whether pixels stay exact."),
        Field("colors", \.colors, unless: 256, Words.colors, "The most colors of a palette."),
        Field(
            "dither", \.dither, unless: .auto, Words.choice(Dither.self),
            "How a palette is dithered."),
        Field(
            "palettes", \.palettes, unless: .auto, Words.choice(PaletteScope.self),
            "Which part of a clip shares a palette."),
        Field(
            "background", \.background, Words.color,
            "The color behind transparent pixels in formats without them."),
        Field("codec", \.codec, Words.choice(VideoCodecChoice.self), "The codec of a film."),
    ]

    private static let fidelity = Grammar<Bool>(
        "it is true or false", words: ["true", "false"], shape: "true|false",
        samples: ["true", "false"], read: { Bool($0) }, print: { "\($0)" })
}

extension Rendition.Reading {
    fileprivate var tone: ToneMapping {
        get { if case .sRGB(let tone) = color { tone } else { .browser } }
        set { if case .sRGB = color { color = .sRGB(newValue) } }
    }

    fileprivate var space: Rendition.ColorWord {
        get { color == .source ? .keep : .srgb }
        set { color = newValue == .keep ? .source : .sRGB(tone) }
    }

    fileprivate var deinterlacing: Rendition.DeinterlaceWord {
        get { deinterlaces ? .auto : .never }
        set { deinterlaces = newValue == .auto }
    }
}
