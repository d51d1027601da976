internal import ArgumentParser
internal import CommandSupport
internal import LazyMedia
internal import MediaJobs

/// What is written, how good and how often it plays.
struct EncodingArguments: ParsableArguments {
    @Option(
        name: [.customShort("f", allowingJoined: true), .long],
        help: .init(
            "\(OutputFormat.words(OutputFormat.animated)) (\(OutputFormat.words(OutputFormat.media.filter { !OutputFormat.animated.contains($0) })) where one picture is written), whatever the file is called.",
            valueName: "format"),
        completion: .list(OutputFormat.media.map(\.rawValue)),
        transform: Arguments.format(OutputFormat.media))
    var format: OutputFormat?

    @Option(
        name: [.customShort("q", allowingJoined: true), .long],
        help: .init("How good it looks, 0 to 100.", valueName: "number"),
        transform: { try Arguments.number($0, 0...100) })
    var quality: Double?

    @Option(
        help: .init(
            "How much work may be spent on fewer bytes: 0 (fast) to 10 (small).",
            valueName: "number"),
        transform: { Int(try Arguments.whole($0, 0...10)) })
    var effort: Int?

    @Flag(
        exclusivity: .exclusive,
        help: "Whether pixels come back exactly; without either the content decides.")
    var fidelity: Fidelity?

    @Option(
        help: .init("The most colors of a palette, 2 to 256 (GIF).", valueName: "number"),
        transform: { Int(try Arguments.whole($0, 2...256)) })
    var colors: Int?

    @Option(
        help: .init(
            "How colors in between are shown: auto, none, ordered or diffusion (GIF).",
            valueName: "way"),
        completion: .list(Dither.allCases.map(\.rawValue)), transform: Arguments.word)
    var dither: Dither?

    @Option(
        help: .init("Palettes for the clip, for each scene, or auto (GIF).", valueName: "scope"),
        completion: .list(PaletteScope.allCases.map(\.rawValue)), transform: Arguments.word)
    var palettes: PaletteScope?

    @Option(
        help: .init(
            "What shows through where the format has no transparency: a CSS color such as white or #ff8000.",
            valueName: "color"),
        transform: Arguments.color)
    var background: PixelColor?

    @Option(
        help: .init("h264, vp9 or av1, where the format has a choice.", valueName: "codec"),
        completion: .list(VideoCodecChoice.allCases.map(\.rawValue)), transform: Arguments.word)
    var codec: VideoCodecChoice?

    @Option(
        help: .init(
            "How often it plays, where the format says that: forever, once, a number, or source.",
            valueName: "plays"),
        transform: Arguments.looping)
    var loop: Looping?

    @Flag(
        help:
            "Sound is not wanted: do not warn that a video is written without that of its source."
    )
    var noAudio = false

    @Option(
        help: .init("Threads to work on; 0 is one for each core.", valueName: "n"),
        transform: Arguments.jobs)
    var threads: Int = 0

    /// The options for an encoder.
    func options() -> EncodingOptions {
        EncodingOptions(
            quality: quality, effort: effort, lossless: fidelity.map { $0 == .lossless },
            colors: colors ?? 256, dither: dither ?? .auto, palettes: palettes ?? .auto,
            background: background, codec: codec, threads: threads)
    }

    /// The loop count to write for a source's own; `standard` holds where none was asked for.
    func loop(
        for source: LoopCount, standard: Looping = .asAuthored
    ) -> LoopCount {
        (loop ?? standard).written(for: source)
    }
}

/// Whether pixels come back exactly.
enum Fidelity: String, EnumerableFlag {
    case lossless, lossy
}

extension Arguments {
    /// One of a few words.
    static func word<Word: CaseIterable & RawRepresentable<String>>(_ text: String) throws -> Word {
        guard let word = Word(rawValue: text) else {
            let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
            throw ArgumentError("the words are \(words)")
        }
        return word
    }

    /// A number of a range.
    static func number(_ text: String, _ range: ClosedRange<Double>) throws -> Double {
        guard let number = Double(text), range.contains(number) else {
            throw ArgumentError(
                "it must be a number from \(Int(range.lowerBound)) to \(Int(range.upperBound))")
        }
        return number
    }

    /// A whole number of a range.
    static func whole(_ text: String, _ range: ClosedRange<Int>) throws -> Int {
        guard let number = Int(text), range.contains(number) else {
            throw ArgumentError(
                "it must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// A CSS color: a name, `#rgb`, `#rgba`, `#rrggbb` or `#rrggbbaa`.
    static func color(_ text: String) throws -> PixelColor {
        guard let color = PixelColor(css: text) else {
            throw ArgumentError("a color is written as white, #fff, #ff8000 or #ff800080")
        }
        return color
    }
}
