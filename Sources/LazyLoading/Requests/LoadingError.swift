/// Why bytes could not be loaded, told by who is at fault.
public struct LoadingError: Error, Sendable, CustomStringConvertible {
    /// The kind of fault.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable word for the code, as printed by `--json`.
        public let rawValue: String

        /// Makes a code from its word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The address is none, or of a scheme that nothing here loads.
        public static let badAddress = Code(rawValue: "badAddress")
        /// There is nothing at that address: no such file.
        public static let notFound = Code(rawValue: "notFound")
        /// The server answered with a status that is no success; see `status`.
        public static let status = Code(rawValue: "status")
        /// The host's name has no address.
        public static let dns = Code(rawValue: "dns")
        /// No connection could be made.
        public static let connect = Code(rawValue: "connect")
        /// The server's certificate or its encryption is not acceptable.
        public static let tls = Code(rawValue: "tls")
        /// The connection was lost before the answer was whole.
        public static let reset = Code(rawValue: "reset")
        /// The server did not answer, or went quiet, for longer than allowed.
        public static let timeout = Code(rawValue: "timeout")
        /// The body is larger than allowed.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// The body is empty.
        public static let empty = Code(rawValue: "empty")
        /// The body ended before the length that was announced.
        public static let truncated = Code(rawValue: "truncated")
        /// The answer breaks the rules of HTTP.
        public static let malformed = Code(rawValue: "malformed")
        /// Too many redirects, or one to an address that may not be followed.
        public static let redirect = Code(rawValue: "redirect")
        /// The policy forbids the network and the store does not have it.
        public static let notCached = Code(rawValue: "notCached")
        /// The network is constrained and the request does not allow that.
        public static let constrained = Code(rawValue: "constrained")
        /// The load was cancelled.
        public static let cancelled = Code(rawValue: "cancelled")
        /// A library is missing, or the system refused: no memory, no permission, a full disk.
        public static let environment = Code(rawValue: "environment")
    }

    /// The kind of fault.
    public let code: Code
    /// One sentence: what was being loaded and what went wrong.
    public let message: String
    /// The status of the answer, where there was one.
    public let status: Int?
    /// How long the server asked to wait before another try (`Retry-After`).
    public let retryAfter: Duration?
    /// The error of the library or system below, where there is one.
    public let underlying: (any Error)?

    /// Makes an error.
    public init(
        _ code: Code, _ message: String, status: Int? = nil, retryAfter: Duration? = nil,
        underlying: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.status = status
        self.retryAfter = retryAfter
        self.underlying = underlying
    }

    /// The load was cancelled.
    public static let cancelled = LoadingError(.cancelled, "The load was cancelled.")

    /// Whether the same request may succeed later: what retrying and `stale-if-error` go by.
    ///
    /// Statuses: 408, 425, 429, 500, 502, 503, 504 (RFC 9110, 15; RFC 5861, 4).
    public var canHeal: Bool {
        switch code {
        case .dns, .connect, .reset, .timeout, .truncated: true
        case .status: status.map { [408, 425, 429, 500, 502, 503, 504].contains($0) } ?? false
        default: false
        }
    }

    /// The message.
    public var description: String { message }
}
