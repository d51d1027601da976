public import FoundationEssentials
public import LazyLoading
public import LazyMedia

/// The cache that answered a load.
public enum CacheType: String, Sendable {
    /// The memory cache.
    case memory
    /// The data cache or the store of HTTP responses.
    case disk
}

/// The response to a request: an image or a preview.
public struct ImageResponse: Sendable {
    /// The image.
    public var container: ImageContainer
    /// The request.
    public var request: ImageRequest
    /// The cache that had the image or its bytes; nil for the source.
    ///
    /// Equals `task.summary.cacheType`.
    public var cacheType: CacheType?

    /// The URL that answered in place of the request's own, or nil.
    ///
    /// One of its `alternatives`, or its `lowDataURL`.
    public var substitute: URL?
    /// The head of the response that the image was decoded from: its status and header fields.
    ///
    /// Nil for images of the memory cache and the data cache, and for sources other than URLs. That of a
    /// stored HTTP response has the stored fields.
    public var head: ResponseHead?

    /// Creates a response.
    public init(
        container: ImageContainer, request: ImageRequest, cacheType: CacheType? = nil,
        substitute: URL? = nil, head: ResponseHead? = nil
    ) {
        self.container = container
        self.request = request
        self.cacheType = cacheType
        self.substitute = substitute
        self.head = head
    }

    /// Whether the image comes from the `lowDataURL` of the request.
    public var isLowData: Bool { substitute != nil && substitute == request.lowDataURL }
    /// The poster.
    public var image: Bitmap { container.image }
    /// The frames.
    public var frames: FrameSequence { container.frames }
    /// Whether this is a preview.
    public var isPreview: Bool { container.isPreview }
}

extension ImageResponse: CustomStringConvertible {
    /// One line, such as `ImageResponse(640x480 jpeg, https://example.com/a.jpg, from disk)`.
    public var description: String {
        let origin = cacheType.map { ", from \($0.rawValue)" } ?? ""
        let other = substitute.map { ", from \($0.shortLabel)" } ?? ""
        return "ImageResponse(\(container.summary), \(request.label)\(origin)\(other))"
    }
}
