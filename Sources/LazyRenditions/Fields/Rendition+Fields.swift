internal import LazyBase
internal import LazyEditing
internal import LazyMedia

extension Rendition {
    /// What of a rendition of a kind is written.
    static func fields(of kind: Kind) -> [Field<Rendition>] {
        switch kind {
        case .facts: Facts.fields.map { $0.within(\.kind.facts) }
        case .poster: posterFields
        case .animation: Animation.fields.map { $0.within(\.kind.animation) } + sharedFields
        case .conversion: Conversion.fields.map { $0.within(\.kind.conversion) } + sharedFields
        case .loop: TimingChange.fields.map { $0.within(\.kind.change) }
        case .sheet: Sheet.fields.map { $0.within(\.kind.sheet) } + sharedFields
        case .frames: Frames.fields.map { $0.within(\.kind.frames) } + sharedFields
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
    /// Every kind, as it is where nothing is asked for.
    private static let all: [Self] = [
        .facts(.init()), .poster(.auto), .animation(.init()), .conversion(.init()), .loop(.init()),
        .sheet(.init()), .frames(.init()),
    ]

    /// The words of all kinds.
    static let words = all.map(\.word)

    /// The kind of a word, as it is where nothing is asked for.
    init?(word: String) {
        guard let kind = Self.all.first(where: { $0.word == word }) else { return nil }
        self = kind
    }

    /// The word of the kind.
    var word: String {
        switch self {
        case .facts: "facts"
        case .poster: "poster"
        case .animation: "animation"
        case .conversion: "conversion"
        case .loop: "loop"
        case .sheet: "sheet"
        case .frames: "frames"
        }
    }

    /// The number of what is made of equal words; it goes up when they make other pixels.
    var version: Int {
        switch self {
        case .facts, .poster, .animation, .conversion, .loop, .sheet, .frames: 1
        }
    }

    fileprivate var facts: Rendition.Facts {
        get { if case .facts(let facts) = self { facts } else { .init() } }
        set { self = .facts(newValue) }
    }

    fileprivate var poster: PosterChoice {
        get { if case .poster(let choice) = self { choice } else { .auto } }
        set { self = .poster(newValue) }
    }

    fileprivate var animation: Rendition.Animation {
        get { if case .animation(let animation) = self { animation } else { .init() } }
        set { self = .animation(newValue) }
    }

    fileprivate var conversion: Rendition.Conversion {
        get { if case .conversion(let conversion) = self { conversion } else { .init() } }
        set { self = .conversion(newValue) }
    }

    fileprivate var change: TimingChange {
        get { if case .loop(let change) = self { change } else { .init() } }
        set { self = .loop(newValue) }
    }

    fileprivate var frames: Rendition.Frames {
        get { if case .frames(let frames) = self { frames } else { .init() } }
        set { self = .frames(newValue) }
    }

    fileprivate var sheet: Rendition.Sheet {
        get { if case .sheet(let sheet) = self { sheet } else { .init() } }
        set { self = .sheet(newValue) }
    }
}

extension Rendition.Output {
    /// The types of all encoders that there are, of which those of a build depend on its traits and libraries.
    private static let types: [MediaType] = [
        .png, .jpeg, .webp, .avif, .jpegXL, .pnm, .rawPixels, .gif, .apng, .webpAnimation,
        .avifSequence,
        .mp4, .webm, .y4m,
    ]

    static let fields: [Field<Rendition.Output>] =
        [
            Field(
                "type", \Rendition.Output.type, Words.type(among: types), "The type of the file."),
            Field(
                "maxBytes", \.limit, Words.byteLimit,
                "The most bytes, or source for those of the source."),
            Field(
                "for", \.platform, Words.choice(Rendition.Platform.self),
                "Where an animation goes, whose bounds decide what is not asked for."),
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
