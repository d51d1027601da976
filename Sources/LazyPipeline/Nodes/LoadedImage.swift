internal import FoundationEssentials

/// A loaded image, and where it came from.
struct LoadedImage: Sendable {
    var container: ImageContainer
    /// The cache that had the image or its bytes.
    var cacheType: CacheType?
    /// The URL that answered in place of the request's own, or nil.
    var substitute: URL?
    /// Whether it was processed after a cache answered.
    var isProcessed = false

    /// The cache that has this very image, or the bytes it is decoded from.
    var holder: CacheType? { isProcessed ? nil : cacheType }
}

typealias ImageWork = WorkUnit<LoadedImage, ImageContainer>
