internal import FoundationEssentials
internal import LazyLoading

/// A loaded image or a preview of it, and where it came from.
struct LoadedImage: Sendable {
    var container: ImageContainer
    /// The head of the response that it was decoded from, if there was one.
    var head: ResponseHead?
    /// The cache that had the image or its bytes.
    var cacheType: CacheType?
    /// The URL that answered in place of the request's own, or nil.
    var substitute: URL?
    /// Whether it was processed after a cache answered.
    var isProcessed = false

    /// The cache that has this very image, or the bytes it is decoded from.
    var holder: CacheType? { isProcessed ? nil : cacheType }

    /// What a task is told of it.
    func response(to request: ImageRequest) -> ImageResponse {
        ImageResponse(
            container: container, request: request, cacheType: cacheType, substitute: substitute,
            head: head)
    }
}

typealias ImageWork = WorkUnit<LoadedImage, LoadedImage>
