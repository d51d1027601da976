/// Damage or an irregularity that did not stop the reading.
public struct MediaWarning: Hashable, Sendable, CustomStringConvertible {
    /// The kind of damage.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable name of the code, as printed by `--json`.
        public let rawValue: String

        /// Makes a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The data ends early; all complete frames before the end are kept.
        public static let truncated = Code(rawValue: "truncated")
        /// The data violates its format; the frames before that place are kept.
        public static let malformed = Code(rawValue: "malformed")
        /// Packets could not be decoded and were skipped or concealed.
        public static let corruptPackets = Code(rawValue: "corruptPackets")
        /// The picture's size changes within the stream; all frames come out at the sequence's size.
        public static let sizeChange = Code(rawValue: "sizeChange")
        /// The clock of the file restarts or jumps; its parts follow one another.
        public static let clockJump = Code(rawValue: "clockJump")
        /// Anything else worth knowing.
        public static let note = Code(rawValue: "note")
    }

    /// The kind of damage.
    public let code: Code
    /// One sentence about it.
    public let message: String

    /// Makes a warning.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    public var description: String { message }
}
