/// The identity of shared work.
enum WorkKey: Hashable {
    /// A download.
    case data(DataKey)
    /// An image: the decoding and the first processors.
    case image(ImageCacheKey, DataKey, ImageRequest.Options)

    static func data(of request: ImageRequest) -> WorkKey { .data(request.dataKey) }

    static func image(of request: ImageRequest) -> WorkKey {
        // Options for the queue and for previews do not distinguish work.
        let options = request.options.subtracting([.skipDataLoadingQueue, .progressive])
        return .image(ImageCacheKey(request), request.dataKey, options)
    }
}
