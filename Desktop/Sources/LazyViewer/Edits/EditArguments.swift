package import LazyKit

/// The options of edits on the command line, as other commands of lazyimg have them; pure.
package struct EditArguments: Equatable, Sendable {
    package var trimsBars = false
    package var crop: CropRegion?
    package var rotation = 0.0
    package var flip: Flip?
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
    package var subtitles: String?
    package var subtitleEncoding: String?

    /// How a picture is mirrored.
    package enum Flip: String, CaseIterable, Sendable {
        case horizontal, vertical, both
    }

    /// A value that cannot be read, in one sentence.
    package struct Mistake: Error, Equatable {
        let message: String
    }

    package init() {}

    /// Whether an option is one of these and has a value.
    package static func hasValue(_ option: String) -> Bool { options[option] != nil }

    /// Reads the value of an option.
    package mutating func read(_ option: String, _ value: String) throws(Mistake) {
        guard let (expected, read) = Self.options[option] else { return }
        guard read(&self, value) else {
            throw Mistake(message: "\(option) '\(value)' is not \(expected).")
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

    private typealias Read = @Sendable (inout EditArguments, String) -> Bool

    /// Each option, what its value is, and how it is read.
    private static let options: [String: (expected: String, read: Read)] = [
        "--crop": ("a part such as 320x240+10+20, 320x240 or 16:9", set(\.crop) { CropRegion($0) }),
        "--rotate": ("a number of degrees, left or right", { $0.setRotation($1) }),
        "--flip": ("horizontal, vertical or both", set(\.flip) { Flip(rawValue: $0) }),
        "--pad": ("a border such as 20, 640x480 or 16:9", set(\.padding) { Padding.Extent($0) }),
        "--pad-color": (color, set(\.paddingColor) { PixelColor(css: $0) }),
        "--gravity": (
            "a place such as north-east, smart or 0.3,0.5",
            set(\.gravity) { $0 == "smart" ? .attention : Gravity($0) }
        ),
        "--text": ("a text", set(\.text) { $0.isEmpty ? nil : $0 }),
        "--text-gravity": (place, set(\.textGravity, placed)),
        "--text-size": ("a number from 1 to 100", set(\.textSize) { number($0, 1...100) }),
        "--text-color": (color, set(\.textColor) { PixelColor(css: $0) }),
        "--watermark": ("a file", set(\.watermark) { $0.isEmpty ? nil : $0 }),
        "--watermark-gravity": (place, set(\.watermarkGravity, placed)),
        "--watermark-opacity": (
            "a number from 0 to 1", set(\.watermarkOpacity) { number($0, 0...1) }
        ),
        "--subtitles": (
            "a file, track, track:2 or track:deu",
            set(\.subtitles) { isSubtitles($0) ? $0 : nil }
        ),
        "--subtitle-encoding": (
            "the name of an encoding", set(\.subtitleEncoding) { $0.isEmpty ? nil : $0 }
        ),
    ]
    private static let color = "a color such as white or #ff8000"
    private static let place = "a place such as center or north-east"

    private static func set<Value>(
        _ path: any WritableKeyPath<EditArguments, Value?> & Sendable,
        _ parse: @escaping @Sendable (String) -> Value?
    ) -> Read {
        { arguments, text in
            guard let value = parse(text) else { return false }
            arguments[keyPath: path] = value
            return true
        }
    }

    private mutating func setRotation(_ text: String) -> Bool {
        let words = ["left": 270.0, "right": 90.0]
        guard let degrees = words[text] ?? Self.number(text, -360...360) else { return false }
        rotation = degrees
        return true
    }

    private static func number(_ text: String, _ range: ClosedRange<Double>) -> Double? {
        Double(text).flatMap { range.contains($0) ? $0 : nil }
    }

    private static func placed(_ text: String) -> Gravity? {
        switch Gravity(text) {
        case .entropy, .attention, .point, nil: nil
        case let gravity?: gravity
        }
    }

    /// The track of the item that a word means, or nil for a file.
    static func track(_ word: String) -> SubtitleChoice? {
        if word == "track" { return .standard }
        return word.hasPrefix("track:") ? SubtitleChoice(String(word.dropFirst(6))) : nil
    }

    private static func isSubtitles(_ word: String) -> Bool {
        !word.isEmpty && (!word.hasPrefix("track:") || track(word) != nil)
    }
}
