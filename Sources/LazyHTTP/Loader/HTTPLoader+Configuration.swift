public import FoundationEssentials
import Glibc
import LazyLoading

extension HTTPLoader {
    /// The settings of a loader.
    public struct Configuration: Sendable {
        /// Which addresses of the network connections may go to, whatever the host's name says.
        public enum AddressPolicy: Sendable {
            /// All.
            case any
            /// Only those of the public Internet: not this machine, not the local network.
            ///
            /// For servers that fetch what strangers name. Checked for each connection on the
            /// resolved address, so that neither redirects nor changing names get round it.
            /// Proxies of the environment are not used, as they would resolve the names.
            case publicOnly
        }

        /// How many requests a second may go to one host.
        public struct RateLimit: Hashable, Sendable {
            /// Requests a second in the long run.
            public var perSecond: Double
            /// Requests that may go at once after a rest.
            public var burst: Int

            /// Makes a limit.
            public init(perSecond: Double = 80, burst: Int = 25) {
                self.perSecond = perSecond
                self.burst = burst
            }
        }

        /// The most connections to one host: 6, as browsers have it.
        ///
        /// As many transfers run side by side, and more where the host speaks HTTP/2.
        public var connectionsPerHost = 6
        /// The most transfers at one time, all hosts together.
        public var transfers = 64
        /// How many requests a second may go to one host; nil for no limit.
        public var rateLimit: RateLimit? = RateLimit()
        /// The most bytes a second of one transfer; nil for no limit.
        public var bytesPerSecond: Int?
        /// The most redirects that are followed.
        public var redirects = 10
        /// Whether a redirect may lead from https to http.
        public var allowsDowngrade = false
        /// Which addresses of the network connections may go to.
        public var addressPolicy = AddressPolicy.any
        /// Whether an address may be loaded; asked for the first one and for each redirect.
        public var allowsAddress: (@Sendable (URL) -> Bool)?
        /// Header fields that a redirect may carry to another scheme, host or port, in lower case.
        ///
        /// All others stay where they were sent to, those of one's own too.
        public var portableHeaders = LoadRequest.portableHeaders
        /// A file of the certificates to trust instead of the system's (PEM).
        ///
        /// From the variable `SSL_CERT_FILE` where that is set.
        public var caFile: String? = getenv("SSL_CERT_FILE").map { String(cString: $0) }
        /// The `User-Agent` field, unless a request has its own.
        public var userAgent = "lazyimg/0.1.0"
        /// The most header fields of an answer, and the most bytes of them.
        ///
        /// Interim answers (1xx), the head and trailers count together.
        public var headerFields = 256, headerBytes = 64 << 10
        /// Whether answers may come compressed (`Content-Encoding`).
        ///
        /// Never asked for with a range, nor where the name in the address is that of a format
        /// that is compressed itself, such as `.jpg` or `.mp4`.
        public var acceptsCompression = true

        /// Makes the standard settings.
        public init() {}
    }
}
