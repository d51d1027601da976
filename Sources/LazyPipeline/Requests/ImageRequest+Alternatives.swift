public import FoundationEssentials
internal import LazyLoading

extension ImageRequest {
    /// Another address of the same picture, usually with fewer bytes.
    public struct Alternative: Hashable, Sendable {
        /// Where it is.
        public var url: URL
        /// The bytes it has, where that is known: then no server is asked to find it too large.
        public var byteCount: Int?

        /// Names another address.
        public init(url: URL, byteCount: Int? = nil) {
            self.url = url
            self.byteCount = byteCount
        }
    }

    /// Other addresses of the same picture, the best first; what is tried after the request's own.
    ///
    /// The next one is loaded where one cannot be, or is over the `byteBudget`. What answered is the
    /// response's `substitute`; the caches of pictures do not keep it for the request, as the next
    /// load may get the better one.
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

    /// The bytes that the picture may cost; nil takes the request's own address whatever it costs.
    ///
    /// Of the addresses the first is taken that does not have more; where all have more, the one with
    /// the fewest. A download that turns out to be over the budget is ended there, and what the store has
    /// costs nothing. The sizes of servers' answers are remembered, so that they are asked once.
    public var byteBudget: Int? {
        get { fields.byteBudget }
        set { fields.byteBudget = newValue }
    }

    /// How long a download waits before it asks the network; none unless set.
    ///
    /// For pictures that are scrolled past: what is cancelled before that never touches the network,
    /// and what a cache has comes at once. Others who ask for the same with less patience are not
    /// held up.
    public var downloadDelay: Duration {
        get { fields.downloadDelay }
        set { fields.downloadDelay = newValue }
    }

    /// Takes what the store has, however old, and asks the network for the rest after a delay.
    public mutating func returnStoreElseLoad(downloadDelay: Duration = .milliseconds(250)) {
        loadRequest?.policy = .cacheElseLoad
        self.downloadDelay = downloadDelay
    }

    /// Takes what the store has, however old, and never asks the network.
    public mutating func returnStoreDontLoad() { loadRequest?.policy = .cacheOnly }
}
