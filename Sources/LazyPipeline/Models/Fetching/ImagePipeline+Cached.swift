extension ImagePipeline {
    /// The image of a request in the memory cache, if the request's options allow reading it.
    func memoryCached(_ request: ImageRequest) -> ImageContainer? {
        let forbidding: ImageRequest.Options = [
            .disableMemoryCacheReads, .reloadIgnoringCachedData,
        ]
        guard request.options.isDisjoint(with: forbidding) else { return nil }
        return cache[request]
    }
}
