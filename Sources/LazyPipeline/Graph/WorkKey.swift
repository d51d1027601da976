internal import LazyRenditions

/// The identity of shared work.
enum WorkKey: Hashable {
    /// A download.
    case data(DataKey)
    /// An image: the decoding and the first processors.
    case image(ImageCacheKey, DataKey, ImageRequest.Options)

    /// What is known of a source before it is loaded, by its whole response or its first range.
    case source(DataKey, readsRanges: Bool)
    /// All parts of a rendition.
    case rendition(ImageCacheKey, DataKey, ImageRequest.Options, Rendition)

    static func data(of request: ImageRequest) -> WorkKey { .data(request.dataKey) }

    static func image(of request: ImageRequest) -> WorkKey {
        // Options for the queue and for previews do not distinguish work.
        let options = request.options.subtracting([.skipDataLoadingQueue, .progressive])
        return .image(ImageCacheKey(request), request.dataKey, options)
    }

    static func rendition(_ rendition: Rendition, of request: ImageRequest) -> WorkKey {
        let options = request.options.subtracting([.skipDataLoadingQueue, .progressive])
        return .rendition(ImageCacheKey(request), request.dataKey, options, rendition)
    }
}
