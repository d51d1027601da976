public import FoundationEssentials

/// A URL to load, with options.
public struct LoadRequest: Hashable, Sendable {
    /// The URL: `http`, `https`, `file` or `data`.
    public var url: URL
    /// Header fields in addition to those of the loader.
    public var headers: HTTPHeaders
    /// The requested bytes, or nil for all; the server may respond with all bytes anyway.
    public var range: ByteRange?
    /// Whether the cache and the network may be used.
    public var policy: FetchPolicy
    /// Whether it may run while the network is constrained (low-data mode).
    public var isConstrainedNetworkAllowed: Bool
    /// Whether an interrupted load is kept and continued.
    public var isResumable: Bool
    /// The timeout for establishing a connection.
    public var connectTimeout: Duration
    /// The timeout without a received byte.
    public var readTimeout: Duration
    /// The timeout of the whole load with redirects, retries and the body, or nil for none.
    ///
    /// Includes the time in which the consumer does not pull the body.
    public var totalTimeout: Duration?
    /// The minimum average rate after the response has begun; nil for none.
    ///
    /// Ends loads from servers that send a byte now and then, which `readTimeout` does not.
    public var minimumRate: MinimumRate?
    /// The names of header fields with secret values, in addition to `standardSecretHeaders`.
    ///
    /// Every cache separates the responses by these secrets, and stores only a salted digest of them.
    public var secretHeaders: Set<String>
    /// An identifier of the resource, if that is not the URL.
    ///
    /// A cache records it with the response, so that it can be removed by the identifier.
    public var identifier: String?
    /// The maximum size of a decoded body; beyond that `.tooLarge`.
    public var maximumBytes: Int?

    /// Makes a request with defaults: 10 s to connect, 15 s without a byte, no limit of size.
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
    /// A minimum transfer rate.
    public struct MinimumRate: Hashable, Sendable {
        /// Bytes a second, including heads.
        public var bytesPerSecond: Int
        /// The time over which bytes are counted, excluding time in which the consumer does not pull.
        public var window: Duration

        /// Makes a rate: by default 100 bytes a second over half a minute.
        public init(bytesPerSecond: Int = 100, window: Duration = .seconds(30)) {
            self.bytesPerSecond = bytesPerSecond
            self.window = window
        }
    }
}

/// A requested range of bytes (RFC 9110, 14.1.2).
public enum ByteRange: Hashable, Sendable {
    /// Bytes from an offset to the end.
    case from(Int)
    /// The bytes of a half-open range.
    case bytes(Range<Int>)
    /// A number of last bytes.
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
