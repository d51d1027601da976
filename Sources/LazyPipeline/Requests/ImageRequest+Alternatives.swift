public import FoundationEssentials
internal import LazyLoading

extension ImageRequest {
    /// Another URL of the same image, usually with fewer bytes.
    public struct Alternative: Hashable, Sendable {
        /// The URL.
        public var url: URL
        /// Its size in bytes, if known; a size over the budget then costs no request.
        public var byteCount: Int?

        /// Creates an alternative.
        public init(url: URL, byteCount: Int? = nil) {
            self.url = url
            self.byteCount = byteCount
        }
    }

    /// Other URLs of the same image, best first, to be tried after the request's own.
    ///
    /// The next one is tried if one fails or exceeds the `byteBudget`. The one that answered is the
    /// response's `substitute`; image caches do not store it for the request, as the next
    /// load may get a better one.
    ///
    /// ```swift
    /// var request = ImageRequest(url: large)
    /// request.alternatives = [.init(url: medium), .init(url: small, byteCount: 40_000)]
    /// request.byteBudget = 200_000
    /// ```
    public var alternatives: [Alternative] {
        get { fields.alternatives }
        set { fields.alternatives = newValue }
    }

    /// The maximum size of the image in bytes; if nil, the request's own URL is always loaded.
    ///
    /// The first URL within the budget is loaded; if all exceed it, the one with
    /// the fewest bytes. A download that exceeds the budget is cancelled; stored responses
    /// cost nothing. Sizes of responses are remembered, so that servers are asked once.
    public var byteBudget: Int? {
        get { fields.byteBudget }
        set { fields.byteBudget = newValue }
    }

    /// The delay before a download uses the network; zero by default.
    ///
    /// For images that are scrolled past: a load cancelled within the delay causes no network traffic,
    /// and a cached image is returned at once. Equal requests with a shorter delay are not
    /// delayed.
    public var downloadDelay: Duration {
        get { fields.downloadDelay }
        set { fields.downloadDelay = newValue }
    }

    /// Accepts stored responses of any age, and delays downloads of the others.
    public mutating func returnStoreElseLoad(downloadDelay: Duration = .milliseconds(250)) {
        loadRequest?.policy = .cacheElseLoad
        self.downloadDelay = downloadDelay
    }

    /// Accepts stored responses of any age, and never uses the network.
    public mutating func returnStoreDontLoad() { loadRequest?.policy = .cacheOnly }
}
