public import FoundationEssentials

/// What is to be loaded, and how.
public struct LoadRequest: Hashable, Sendable {
    /// Where the bytes are: `http`, `https`, `file` or `data`.
    public var url: URL
    /// Header fields beside those that the loader sets itself.
    public var headers: HTTPHeaders
    /// The bytes asked for, or nil for all; the server may answer with all of them all the same.
    public var range: ByteRange?
    /// Whether the store and the network may be used.
    public var policy: FetchPolicy
    /// Whether it may run while the network is constrained (low-data mode).
    public var isConstrainedNetworkAllowed: Bool
    /// Whether what has arrived of an interrupted load is kept and continued.
    public var isResumable: Bool
    /// The longest time to a connection.
    public var connectTimeout: Duration
    /// The longest time without a single byte.
    public var readTimeout: Duration
    /// The longest time in all, redirects, retries and the body included, or nil for no bound.
    ///
    /// The time in which the consumer does not pull the body counts as well.
    public var totalTimeout: Duration?
    /// The least that has to come on average once the answer has begun; nil for no bound.
    ///
    /// Ends a server that sends a byte now and then, which `readTimeout` never does.
    public var minimumRate: MinimumRate?
    /// The names of header fields whose values are secrets, beside `standardSecretHeaders`.
    ///
    /// Answers to requests with different secrets are kept apart in every cache, and on disk there is
    /// only a salted digest of them.
    public var secretHeaders: Set<String>
    /// What the bytes are known by, where that is not their address.
    ///
    /// A store notes it with the answer, so that it can be removed by that name.
    public var identifier: String?
    /// The most bytes of a body, after decoding of its content; beyond that `.tooLarge`.
    public var maximumBytes: Int?

    /// Makes a request with the defaults: 10 s to connect, 15 s without a byte, no bound on size.
    public init(
        url: URL, headers: HTTPHeaders = HTTPHeaders(), range: ByteRange? = nil,
        policy: FetchPolicy = .normal
    ) {
        self.url = url
        self.headers = headers
        self.range = range
        self.policy = policy
        isConstrainedNetworkAllowed = true
        isResumable = true
        connectTimeout = .seconds(10)
        readTimeout = .seconds(15)
        totalTimeout = nil
        minimumRate = MinimumRate()
        secretHeaders = []
        maximumBytes = nil
    }
}

extension LoadRequest {
    /// How slowly bytes may come.
    public struct MinimumRate: Hashable, Sendable {
        /// Bytes a second, heads included.
        public var bytesPerSecond: Int
        /// The time over which they are counted; time in which the consumer does not pull is left out.
        public var window: Duration

        /// Makes a rate: 100 bytes a second, counted over half a minute.
        public init(bytesPerSecond: Int = 100, window: Duration = .seconds(30)) {
            self.bytesPerSecond = bytesPerSecond
            self.window = window
        }
    }
}

/// A range of bytes as HTTP asks for it (RFC 9110, 14.1.2).
public enum ByteRange: Hashable, Sendable {
    /// Bytes from an offset to the end.
    case from(Int)
    /// The bytes of a half-open range.
    case bytes(Range<Int>)
    /// The last bytes of a number.
    case last(Int)

    /// The value of the `Range` header field.
    public var headerValue: String {
        switch self {
        case .from(let offset): "bytes=\(offset)-"
        case .bytes(let range): "bytes=\(range.lowerBound)-\(range.upperBound - 1)"
        case .last(let count): "bytes=-\(count)"
        }
    }
}
