internal import LazyPipeline

extension ImagePipeline {
    /// What the memory cache has for a request, where the request allows to look.
    func memoryCached(_ request: ImageRequest) -> ImageContainer? {
        let forbidding: ImageRequest.Options = [
            .disableMemoryCacheReads, .reloadIgnoringCachedData,
        ]
        guard request.options.isDisjoint(with: forbidding) else { return nil }
        return cache[request]
    }
}
