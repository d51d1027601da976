package import LazyKit

/// The options of edits on the command line, as other commands of lazyimg have them; pure.
package struct EditArguments: Equatable, Sendable {
    package var trimsBars = false
    package var crop: CropRegion?
    package var rotation: Double?
    package var flip: Words.Flip?
    package var padding: Padding.Extent?
    package var paddingColor: PixelColor?
    package var gravity: Gravity?
    package var text: String?
    package var textGravity: Gravity?
    package var textSize: Double?
    package var textColor: PixelColor?
    package var watermark: String?
    package var watermarkGravity: Gravity?
    package var watermarkOpacity: Double?
    package var subtitles: Words.Subtitles?
    package var subtitleEncoding: String?

    /// A value that cannot be read, in one sentence.
    package struct Mistake: Error, Equatable {
        let message: String
    }

    package init() {}

    /// Whether an option is one of these and has a value.
    package static func hasValue(_ option: String) -> Bool { options[option] != nil }

    /// Reads the value of an option.
    package mutating func read(_ option: String, _ value: String) throws(Mistake) {
        guard !value.isEmpty else { throw Mistake(message: "\(option) is empty.") }
        do throws(WordError) { try Self.options[option]?(&self, value) } catch {
            throw Mistake(
                message: "The value '\(value)' is invalid for '\(option)': \(error).")
        }
    }

    /// Throws for options that need another one.
    package func check() throws(Mistake) {
        let needs: [(String, Bool, String, Bool)] = [
            ("--pad-color", paddingColor != nil, "--pad", padding != nil),
            ("--text-gravity", textGravity != nil, "--text", text != nil),
            ("--text-size", textSize != nil, "--text", text != nil),
            ("--text-color", textColor != nil, "--text", text != nil),
            ("--watermark-gravity", watermarkGravity != nil, "--watermark", watermark != nil),
            ("--watermark-opacity", watermarkOpacity != nil, "--watermark", watermark != nil),
            ("--subtitle-encoding", subtitleEncoding != nil, "--subtitles", subtitles != nil),
            ("--gravity", gravity != nil, "--crop with a size or a ratio", isPlaced),
        ]
        for (option, isGiven, other, hasOther) in needs where isGiven && !hasOther {
            throw Mistake(message: "\(option) needs \(other).")
        }
    }

    /// Whether the gravity places the crop.
    private var isPlaced: Bool {
        switch crop {
        case .size, .ratio: true
        case .rect, nil: false
        }
    }

    // MARK: - Values

    private typealias Read = @Sendable (inout EditArguments, String) throws(WordError) -> Void

    /// Each option with a value, and how it is read.
    private static let options: [String: Read] = [
        "--crop": set(\.crop, Words.crop), "--rotate": set(\.rotation, Words.rotation),
        "--flip": set(\.flip, Words.flip), "--pad": set(\.padding, Words.border),
        "--pad-color": set(\.paddingColor, Words.color), "--gravity": set(\.gravity, Words.gravity),
        "--text": set(\.text), "--text-gravity": set(\.textGravity, Words.place),
        "--text-size": set(\.textSize, Words.textSize),
        "--text-color": set(\.textColor, Words.color), "--watermark": set(\.watermark),
        "--watermark-gravity": set(\.watermarkGravity, Words.place),
        "--watermark-opacity": set(\.watermarkOpacity, Words.opacity),
        "--subtitles": set(\.subtitles, Words.subtitles),
        "--subtitle-encoding": set(\.subtitleEncoding),
    ]

    private static func set<Value>(
        _ path: any WritableKeyPath<EditArguments, Value?> & Sendable, _ grammar: Grammar<Value>
    ) -> Read {
        { arguments, text throws(WordError) in
            arguments[keyPath: path] = try grammar.parse(text)
        }
    }

    private static func set(
        _ path: any WritableKeyPath<EditArguments, String?> & Sendable
    ) -> Read {
        { arguments, text in arguments[keyPath: path] = text }
    }
}
