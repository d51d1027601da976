internal import FoundationEssentials

/// A picture that was made, and which cache it came from.
struct LoadedImage: Sendable {
    var container: ImageContainer
    /// The cache that answered with the picture, or with what it was made from.
    var cacheType: CacheType?
    /// The address that it comes from in place of the request's own, or nil.
    var substitute: URL?
    /// Whether it was processed after a cache answered.
    var isProcessed = false

    /// The cache that has this very picture, or the bytes it is decoded from.
    var holder: CacheType? { isProcessed ? nil : cacheType }
}

typealias ImageWork = WorkUnit<LoadedImage, ImageContainer>
