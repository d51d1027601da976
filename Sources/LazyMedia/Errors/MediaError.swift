/// Why media could not be opened, read or decoded; the code says where the cause lies.
///
/// A struct with open codes, so that a new code breaks no `switch`:
///
/// ```swift
/// do { … } catch where error.code == .limitExceeded { … }
/// ```
public struct MediaError: Error, Sendable, CustomStringConvertible {
    /// Where the cause lies.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable name of the code, as printed by `--json`.
        public let rawValue: String

        /// Makes a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The bytes are of a type, or use a codec, that nothing here decodes.
        public static let unsupported = Code(rawValue: "unsupported")
        /// The requested output is impossible: the format, or the format with these options, has no way to
        /// store it.
        public static let notWritable = Code(rawValue: "notWritable")
        /// The tracks are encrypted, and there is no key.
        public static let encrypted = Code(rawValue: "encrypted")
        /// The bytes violate their own format, and no frame can be decoded.
        public static let malformed = Code(rawValue: "malformed")
        /// The bytes end before the first frame does.
        public static let truncated = Code(rawValue: "truncated")
        /// A `DecodingLimits` value would have been exceeded.
        public static let limitExceeded = Code(rawValue: "limitExceeded")
        /// The file has audio and cover art, and no frames.
        public static let coverOnly = Code(rawValue: "coverOnly")
        /// The file has audio, and neither frames nor cover art.
        public static let noCover = Code(rawValue: "noCover")
        /// The codes for what has sound and no pictures, which is no fault of a file.
        package static let ofSongs: Set<Code> = [.coverOnly, .noCover]
        /// The requested frame, time or picture is not in the media.
        public static let notFound = Code(rawValue: "notFound")
        /// The work was cancelled; never reported as a fault of the media.
        public static let cancelled = Code(rawValue: "cancelled")
        /// A library is missing or has an unsupported version, or memory or I/O failed.
        public static let environment = Code(rawValue: "environment")
        /// The process that decoded the media ended, or its answers made no sense.
        public static let decoderCrashed = Code(rawValue: "decoderCrashed")
        /// The process that decoded the media was killed, which is no fault of the media: it can be decoded again.
        public static let decoderKilled = Code(rawValue: "decoderKilled")
        /// The process that decoded the media did not answer in time, or used too much processor time.
        public static let timedOut = Code(rawValue: "timedOut")
    }

    /// A limit and the value that exceeded it.
    public struct Excess: Hashable, Sendable {
        /// The name of the `DecodingLimits` property.
        public let limit: String
        /// The limit's value.
        public let allowed: Int64
        /// The value that the media needs.
        public let actual: Int64

        /// Makes a description of the excess.
        public init(limit: String, allowed: Int64, actual: Int64) {
            self.limit = limit
            self.allowed = allowed
            self.actual = actual
        }
    }

    /// Where the cause lies.
    public let code: Code
    /// One sentence: what was being done, to what, and what failed.
    public let message: String
    /// The limit and the value, where `code` is `.limitExceeded`.
    public let excess: Excess?
    /// The error of the library or system below, if there is one.
    public let underlying: (any Error)?
    /// Whether a decoder passes the bytes on to the next one, as `declined(_:)` says.
    public let isDeclined: Bool

    /// Makes an error.
    public init(
        _ code: Code, _ message: String, excess: Excess? = nil, underlying: (any Error)? = nil
    ) {
        self.init(code, message, excess: excess, underlying: underlying, isDeclined: false)
    }

    private init(
        _ code: Code, _ message: String, excess: Excess? = nil, underlying: (any Error)? = nil,
        isDeclined: Bool
    ) {
        self.code = code
        self.message = message
        self.excess = excess
        self.underlying = underlying
        self.isDeclined = isDeclined
    }

    /// An `.unsupported` by which a decoder passes bytes on to the next decoder of their type.
    ///
    /// For a decoder that has not judged the bytes: it lacks a library, or they are of a kind that is
    /// not its own. What it knows and does not support is a plain `.unsupported`, because the next decoder may
    /// ignore the very thing and show a wrong picture.
    public static func declined(_ message: String) -> MediaError {
        MediaError(.unsupported, message, isDeclined: true)
    }

    /// The work was cancelled.
    public static let cancelled = MediaError(.cancelled, "The work was cancelled.")

    /// The message.
    public var description: String { message }
}

extension MediaError {
    /// The error as a warning about media of which a part is good.
    package var warning: MediaWarning {
        MediaWarning(code == .truncated ? .truncated : .malformed, message)
    }
}
