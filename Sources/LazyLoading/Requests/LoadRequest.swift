public import FoundationEssentials
internal import LazyBase

/// A URL to load, with options.
public struct LoadRequest: Hashable, Sendable {
    private struct Fields: Hashable, Sendable {
        var url: URL
        var headers: HTTPHeaders
        var range: ByteRange?
        var policy: FetchPolicy
        var isConstrainedNetworkAllowed = true
        var isResumable = true
        var connectTimeout = Duration.seconds(10)
        var readTimeout = Duration.seconds(15)
        var totalTimeout: Duration?
        var minimumRate: MinimumRate? = MinimumRate()
        var secretHeaders: Set<String> = []
        var identifier: String?
        var maximumBytes: Int?
        var trustedHost: String?
        var method = "GET"
        var upload: [UInt8]?
    }

    /// The fields, held by one reference: a load hands its request on many times.
    @CopyOnWrite private var fields: Fields

    /// The URL: `http`, `https`, `file` or `data`.
    public var url: URL {
        get { fields.url }
        set { fields.url = newValue }
    }
    /// Header fields in addition to those of the loader.
    public var headers: HTTPHeaders {
        get { fields.headers }
        set { fields.headers = newValue }
    }
    /// The requested bytes, or nil for all; the server may respond with all bytes anyway.
    public var range: ByteRange? {
        get { fields.range }
        set { fields.range = newValue }
    }
    /// Whether the cache and the network may be used.
    public var policy: FetchPolicy {
        get { fields.policy }
        set { fields.policy = newValue }
    }
    /// Whether it may run while the network is constrained (low-data mode).
    public var isConstrainedNetworkAllowed: Bool {
        get { fields.isConstrainedNetworkAllowed }
        set { fields.isConstrainedNetworkAllowed = newValue }
    }
    /// Whether an interrupted load is kept and continued.
    public var isResumable: Bool {
        get { fields.isResumable }
        set { fields.isResumable = newValue }
    }
    /// The timeout for establishing a connection.
    public var connectTimeout: Duration {
        get { fields.connectTimeout }
        set { fields.connectTimeout = newValue }
    }
    /// The timeout without a received byte.
    public var readTimeout: Duration {
        get { fields.readTimeout }
        set { fields.readTimeout = newValue }
    }
    /// The timeout of the whole load with redirects, retries and the body, or nil for none.
    ///
    /// Includes the time in which the consumer does not pull the body.
    public var totalTimeout: Duration? {
        get { fields.totalTimeout }
        set { fields.totalTimeout = newValue }
    }
    /// The minimum average rate after the response has begun; nil for none.
    ///
    /// Ends loads from servers that send a byte now and then, which `readTimeout` does not.
    public var minimumRate: MinimumRate? {
        get { fields.minimumRate }
        set { fields.minimumRate = newValue }
    }
    /// The names of header fields with secret values, in addition to `standardSecretHeaders`.
    ///
    /// Every cache separates the responses by these secrets, and stores only a salted digest of them.
    public var secretHeaders: Set<String> {
        get { fields.secretHeaders }
        set { fields.secretHeaders = newValue }
    }
    /// An identifier of the resource, if that is not the URL.
    ///
    /// A cache records it with the response, so that it can be removed by the identifier.
    public var identifier: String? {
        get { fields.identifier }
        set { fields.identifier = newValue }
    }
    /// The maximum size of a decoded body; beyond that `.tooLarge`.
    public var maximumBytes: Int? {
        get { fields.maximumBytes }
        set { fields.maximumBytes = newValue }
    }
    /// The only host that may be in a private network, or nil for no such condition.
    ///
    /// For addresses that somebody else wrote, such as those in a playlist: connections to all other hosts go to the
    /// public Internet, whatever the loader allows. Holds for redirects, too.
    public var trustedHost: String? {
        get { fields.trustedHost }
        set { fields.trustedHost = newValue }
    }

    /// The method; loaders above the one of HTTP know `GET` only.
    package var method: String {
        get { fields.method }
        set { fields.method = newValue }
    }
    /// The bytes that are sent with a method other than `GET`; nil for none.
    package var upload: [UInt8]? {
        get { fields.upload }
        set { fields.upload = newValue }
    }

    /// Makes a request with defaults: 10 s to connect, 15 s without a byte, no limit of size.
    public init(
        url: URL, headers: HTTPHeaders = HTTPHeaders(), range: ByteRange? = nil,
        policy: FetchPolicy = .normal
    ) {
        fields = Fields(url: url, headers: headers, range: range, policy: policy)
    }

    /// Whether all fields are equal.
    public static func == (left: LoadRequest, right: LoadRequest) -> Bool {
        left._fields.isIdentical(to: right._fields) || left.fields == right.fields
    }

    /// Hashes all fields.
    public func hash(into hasher: inout Hasher) { hasher.combine(fields) }
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
