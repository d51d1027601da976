internal import LazyLoading
internal import LazyMedia

// What a delegate decides, with the defaults if there is none.
extension ImagePipeline {
    func imageCache(for request: ImageRequest) -> (any ImageCaching)? {
        guard let delegate else { return configuration.imageCache }
        return delegate.imageCache(for: request, pipeline: self)
    }

    func dataCache(for request: ImageRequest) -> (any DataCaching)? {
        guard let delegate else { return configuration.dataCache }
        return delegate.dataCache(for: request, pipeline: self)
    }

    /// The encoder for a finished image, or nil if none can represent it.
    func encoder(for container: ImageContainer, _ request: ImageRequest) -> (any MediaEncoding)? {
        let own = delegate?.imageEncoder(for: container, request: request, pipeline: self)
        if let own { return own }
        // A format without transparency would show the corners of a circle when it comes back from disk.
        let isOpaque = !container.frames.info.hasAlpha && container.decodedImage?.isOpaque != false
        return configuration.encoders.first {
            ($0.canAnimate || !container.isAnimated) && ($0.canStoreAlpha || isOpaque)
        }
    }

    /// The loader that the delegate chooses for a request, or nil for that of the configuration.
    func ownLoader(for request: ImageRequest) -> (any DataLoading)? {
        delegate?.dataLoader(for: request, pipeline: self)
    }

    /// The load request as the delegate changes it; throws if the delegate rejects it.
    func approved(
        _ load: LoadRequest, for request: ImageRequest
    ) async throws(PipelineError) -> LoadRequest {
        guard let delegate else { return load }
        do {
            return try await delegate.willLoadData(load, for: request, pipeline: self)
        } catch let error as LoadingError {
            throw PipelineError(error, limit: nil)
        } catch {
            if error is CancellationError { throw .cancelled }
            throw .dataLoadingFailed(
                LoadingError(
                    .environment, "The delegate failed before the load: \(error).",
                    underlying: error))
        }
    }
}

extension ImageRequest {
    /// The request under the identifier that a delegate gives it.
    func known(
        by delegate: (any ImagePipelineDelegate)?, _ pipeline: ImagePipeline
    ) -> ImageRequest {
        guard let key = delegate?.cacheKey(for: self, pipeline: pipeline) else { return self }
        var request = self
        request.imageID = key
        return request
    }
}
