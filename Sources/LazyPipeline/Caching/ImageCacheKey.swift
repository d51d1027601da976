/// What a picture in memory is known by: source, thumbnail, selection, scale and processors.
///
/// Hashed once, when it is made. Most requests have nothing but a source; what else there may be
/// stands in one object, so that a key is small.
public struct ImageCacheKey: Hashable, Sendable {
    private final class Details: Hashable, Sendable {
        let thumbnail: ImageRequest.ThumbnailOptions?
        let selection: ImageRequest.FrameSelection
        let scale: Double
        let processors: [String]

        init(_ request: ImageRequest) {
            thumbnail = request.thumbnail
            selection = request.selection
            scale = request.scale
            processors = request.processors.map(\.identifier)
        }

        static func == (left: Details, right: Details) -> Bool {
            left === right
                || left.thumbnail == right.thumbnail && left.selection == right.selection
                    && left.scale == right.scale && left.processors == right.processors
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(thumbnail)
            hasher.combine(selection)
            hasher.combine(scale)
            hasher.combine(processors)
        }
    }
    private let id: String
    private let details: Details?
    private let hash: Int

    /// Makes the key of a text of one's own.
    public init(key: String) { self.init(id: key, details: nil) }

    /// Makes the key of a request.
    public init(_ request: ImageRequest) {
        let isPlain =
            request.processors.isEmpty && request.thumbnail == nil && request.selection == .all
            && request.scale == 1
        self.init(id: request.imageID, details: isPlain ? nil : Details(request))
    }

    private init(id: String, details: Details?) {
        self.id = id
        self.details = details
        var hasher = Hasher()
        hasher.combine(id)
        if let details { hasher.combine(details) }
        hash = hasher.finalize()
    }

    /// Whether two keys are of the same picture.
    public static func == (left: ImageCacheKey, right: ImageCacheKey) -> Bool {
        left.hash == right.hash && left.id == right.id && left.details == right.details
    }

    /// Hashes what was hashed when the key was made.
    public func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
