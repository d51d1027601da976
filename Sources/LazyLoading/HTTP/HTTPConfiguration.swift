public import FoundationEssentials
import Glibc

/// The settings of an `HTTPLoader`.
public struct HTTPConfiguration: Sendable {
    /// The network addresses that may be connected to, regardless of the host name.
    public enum AddressPolicy: Sendable {
        /// All; but a redirect from the public Internet leads to no other address.
        case any
        /// Only those of the public Internet: not this machine, not the local network.
        ///
        /// For servers that fetch URLs from untrusted users. Checked for each connection on the
        /// resolved address, so that redirects and changing DNS records do not bypass it.
        /// Proxies of the environment are not used, because they would resolve the names.
        case publicOnly
    }

    /// A limit of the request rate to one host.
    public struct RateLimit: Hashable, Sendable {
        /// The sustained number of requests a second.
        public var perSecond: Double
        /// The number of requests allowed at once after a pause.
        public var burst: Int

        /// Makes a limit.
        public init(perSecond: Double = 80, burst: Int = 25) {
            self.perSecond = perSecond
            self.burst = burst
        }
    }

    /// The maximum number of connections to one host: 6, as in browsers.
    ///
    /// As many transfers run concurrently, and more if the host supports HTTP/2.
    public var connectionsPerHost = 6
    /// The maximum number of concurrent transfers of all hosts.
    public var transfers = 64
    /// The limit of the request rate to one host; nil for no limit.
    public var rateLimit: RateLimit? = RateLimit()
    /// The maximum number of bytes a second of one transfer; nil for no limit.
    public var bytesPerSecond: Int?
    /// The maximum number of redirects that are followed.
    public var redirects = 10
    /// Whether a redirect may lead from https to http.
    public var allowsDowngrade = false
    /// The network addresses that may be connected to.
    public var addressPolicy = AddressPolicy.any
    /// Whether a URL may be loaded; called for the first one and for each redirect.
    public var allowsAddress: (@Sendable (URL) -> Bool)?
    /// The header fields that a redirect may carry to another scheme, host or port, in lower case.
    ///
    /// All others, including custom fields, are removed.
    public var portableHeaders = LoadRequest.portableHeaders
    /// A file of certificates to trust instead of the system's (PEM).
    ///
    /// By default the value of the environment variable `SSL_CERT_FILE`.
    public var caFile: String? = getenv("SSL_CERT_FILE").map { String(cString: $0) }
    /// The `User-Agent` field of requests without one.
    public var userAgent = "lazyimg/0.1.0"
    /// The maximum number of header fields of a response, and of their bytes.
    ///
    /// Interim responses (1xx), the head and trailers count together.
    public var headerFields = 256, headerBytes = 64 << 10
    /// Whether responses may be compressed (`Content-Encoding`).
    ///
    /// Never requested with a range, nor if the URL's extension is that of a compressed format, such
    /// as `.jpg` or `.mp4`.
    public var acceptsCompression = true

    /// The extensions of files that are compressed already, in lower case, such as `mp4`.
    public var compressedExtensions: Set<String> = ["zip", "gz", "xz", "zst", "br", "7z"]

    /// The field `Accept` of requests that have none of their own; nil for libcurl's `*/*`.
    ///
    /// Caches do not see it: loaders that share a store need the same value.
    public var accept: String?

    /// Whether the proxies of the environment are used.
    package var usesProxies = true

    /// Makes the default settings.
    public init() {}
}
