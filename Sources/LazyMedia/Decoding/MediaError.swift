/// Why media could not be opened, read or decoded, told by who is at fault.
///
/// A struct with open codes, so that a new reason breaks nobody's `switch`:
///
/// ```swift
/// do { … } catch where error.code == .limitExceeded { … }
/// ```
public struct MediaError: Error, Sendable, CustomStringConvertible {
    /// Who or what is at fault.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable word for the code, as printed by `--json`.
        public let rawValue: String

        /// Makes a code from its word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The bytes are of a kind, or hold a codec, that nothing here decodes.
        public static let unsupported = Code(rawValue: "unsupported")
        /// What was asked for cannot be written: the format cannot hold it, or not with these options.
        public static let notWritable = Code(rawValue: "notWritable")
        /// The tracks are encrypted and there is no key.
        public static let encrypted = Code(rawValue: "encrypted")
        /// The bytes contradict their own format, and no frame can be had.
        public static let malformed = Code(rawValue: "malformed")
        /// The bytes end before the first frame does.
        public static let truncated = Code(rawValue: "truncated")
        /// A `DecodingLimits` value would have been exceeded.
        public static let limitExceeded = Code(rawValue: "limitExceeded")
        /// The file has sound and a picture of its own (cover art), and no frames.
        public static let coverOnly = Code(rawValue: "coverOnly")
        /// The frame, time or picture asked for is not in the media.
        public static let notFound = Code(rawValue: "notFound")
        /// The work was cancelled; never reported as a fault of the media.
        public static let cancelled = Code(rawValue: "cancelled")
        /// A library is missing or of another version, or memory or I/O failed.
        public static let environment = Code(rawValue: "environment")
    }

    /// A limit and the value that went beyond it.
    public struct Excess: Hashable, Sendable {
        /// The name of the `DecodingLimits` property.
        public let limit: String
        /// The most that was allowed.
        public let allowed: Int64
        /// What the media asked for.
        public let actual: Int64

        /// Makes a report of an excess.
        public init(limit: String, allowed: Int64, actual: Int64) {
            self.limit = limit
            self.allowed = allowed
            self.actual = actual
        }
    }

    /// Who or what is at fault.
    public let code: Code
    /// One sentence: what was being done, to what, and what went wrong.
    public let message: String
    /// The limit and the value, where `code` is `.limitExceeded`.
    public let excess: Excess?
    /// The error of the library or system below, where there is one.
    public let underlying: (any Error)?

    /// Makes an error.
    public init(
        _ code: Code, _ message: String, excess: Excess? = nil, underlying: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.excess = excess
        self.underlying = underlying
    }

    /// The work was cancelled.
    public static let cancelled = MediaError(.cancelled, "The work was cancelled.")

    /// The message.
    public var description: String { message }
}

/// Damage or oddity that did not stop the reading.
public struct MediaWarning: Hashable, Sendable, CustomStringConvertible {
    /// The kind of damage.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable word for the code, as printed by `--json`.
        public let rawValue: String

        /// Makes a code from its word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The data ends early; all whole frames before the end were kept.
        public static let truncated = Code(rawValue: "truncated")
        /// The data breaks its format's rules; the frames before that were kept.
        public static let malformed = Code(rawValue: "malformed")
        /// Packets could not be decoded and were skipped or concealed.
        public static let corruptPackets = Code(rawValue: "corruptPackets")
        /// The picture's size changes on the way; later frames are as the sequence says.
        public static let sizeChange = Code(rawValue: "sizeChange")
        /// Something else that a reader should know.
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
