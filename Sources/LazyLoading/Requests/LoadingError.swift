/// An error of loading.
public struct LoadingError: Error, Sendable, CustomStringConvertible {
    /// The kind of an error.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable name of the code, as printed by `--json`.
        public let rawValue: String

        /// Makes a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The URL is invalid, or its scheme is not supported.
        public static let badAddress = Code(rawValue: "badAddress")
        /// The file does not exist.
        public static let notFound = Code(rawValue: "notFound")
        /// The status of the response is not a success; see `status`.
        public static let status = Code(rawValue: "status")
        /// The host name cannot be resolved.
        public static let dns = Code(rawValue: "dns")
        /// No connection could be established.
        public static let connect = Code(rawValue: "connect")
        /// The certificate or the encryption of the server is not acceptable.
        public static let tls = Code(rawValue: "tls")
        /// The connection was lost before the end of the response.
        public static let reset = Code(rawValue: "reset")
        /// The server did not respond, or stopped sending, for longer than allowed.
        public static let timeout = Code(rawValue: "timeout")
        /// The body is larger than allowed.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// The body is empty.
        public static let empty = Code(rawValue: "empty")
        /// The body ended before its announced length.
        public static let truncated = Code(rawValue: "truncated")
        /// The response violates HTTP.
        public static let malformed = Code(rawValue: "malformed")
        /// Too many redirects, or one to a URL that is not allowed.
        public static let redirect = Code(rawValue: "redirect")
        /// The policy forbids the network, and the response is not cached.
        public static let notCached = Code(rawValue: "notCached")
        /// The network is constrained, which the request does not allow.
        public static let constrained = Code(rawValue: "constrained")
        /// The load was cancelled.
        public static let cancelled = Code(rawValue: "cancelled")
        /// A library is missing, or the system failed: no memory, no permission, a full disk.
        public static let environment = Code(rawValue: "environment")
    }

    /// The kind of error.
    public let code: Code
    /// A sentence that names the resource and the cause.
    public let message: String
    /// The status of the response, if there was one.
    public let status: Int?
    /// The head of the response, if it is one whose status is no success.
    public let head: ResponseHead?
    /// The delay before a retry that the server asks for (`Retry-After`).
    public let retryAfter: Duration?
    /// The error of a library or of the system, if there is one.
    public let underlying: (any Error)?

    /// Makes an error.
    public init(
        _ code: Code, _ message: String, status: Int? = nil, retryAfter: Duration? = nil,
        underlying: (any Error)? = nil, head: ResponseHead? = nil
    ) {
        self.code = code
        self.message = message
        self.status = status
        self.retryAfter = retryAfter
        self.underlying = underlying
        self.head = head
    }

    /// The load was cancelled.
    public static let cancelled = LoadingError(.cancelled, "The load was cancelled.")

    /// Whether there is no such resource.
    package var isMissing: Bool { code == .notFound || status == 404 || status == 410 }

    /// Whether the same request may succeed later, as for retries and `stale-if-error`.
    ///
    /// Statuses: 408, 425, 429, 500, 502, 503, 504 (RFC 9110, 15; RFC 5861, 4).
    public var isTransient: Bool {
        switch code {
        case .dns, .connect, .reset, .timeout, .truncated: true
        case .status: status.map { [408, 425, 429, 500, 502, 503, 504].contains($0) } ?? false
        default: false
        }
    }

    /// The message.
    public var description: String { message }
}
