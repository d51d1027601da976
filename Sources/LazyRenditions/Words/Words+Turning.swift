internal import LazyMedia

extension Words {
    /// `90`, `-12.5`, `left`, `right`: degrees clockwise.
    public static let rotation = Grammar<Double>(
        "it must be a number of degrees from -360 to 360, left or right",
        words: ["90", "180", "270"], shape: "left|right|\(decimalShape)",
        samples: ["90", "-12.5", "left", "right", "0"],
        read: { text in
            switch text {
            case "left": 270
            case "right": 90
            default: readNumber(text, -360...360)
            }
        }, print: printNumber)

    /// `horizontal`, `vertical`, `both`: how a picture is mirrored.
    public static let flip = choice(Flip.self)

    /// How a picture is mirrored.
    public enum Flip: String, CaseIterable, Sendable {
        /// Left to right.
        case horizontal
        /// Upside down.
        case vertical
        /// Both.
        case both
    }

    /// `2`, `0.5`, `1.5x`: a factor of speed.
    public static let speed = Grammar<Double>(
        "a factor is a number from 0.01 to 100", shape: "(?:\(decimalShape))x?",
        samples: ["2", "0.5", "1.5x", "100"],
        read: { readNumber($0.hasSuffix("x") ? "\($0.dropLast())" : $0, TimingChange.speeds) },
        print: printNumber)
}
