public import FoundationEssentials
public import LazyMedia

/// Where the answer of a load came from.
public enum CacheType: String, Sendable {
    /// The memory cache.
    case memory
    /// The data cache, or the store of HTTP answers.
    case disk
}

/// A finished or partial answer to a request.
public struct ImageResponse: Sendable {
    /// The frames and their poster.
    public var container: ImageContainer
    /// The request that was answered.
    public var request: ImageRequest
    /// Which cache answered, with the picture or with what it was made from; nil for the source.
    ///
    /// Always what `task.summary.cacheType` tells.
    public var cacheType: CacheType?

    /// The address that answered in place of the request's own, or nil.
    ///
    /// One of its `alternatives`, or its `lowDataURL`.
    public var substitute: URL?

    /// Makes an answer.
    public init(
        container: ImageContainer, request: ImageRequest, cacheType: CacheType? = nil,
        substitute: URL? = nil
    ) {
        self.container = container
        self.request = request
        self.cacheType = cacheType
        self.substitute = substitute
    }

    /// Whether the address for constrained networks answered, the `lowDataURL` of the request.
    public var isLowData: Bool { substitute != nil && substitute == request.lowDataURL }
    /// The poster.
    public var image: Bitmap { container.image }
    /// The frames.
    public var frames: FrameSequence { container.frames }
    /// Whether more is to come.
    public var isPreview: Bool { container.isPreview }
}
