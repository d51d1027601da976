internal import LazyBase
internal import LazyEditing
internal import LazyMedia

extension ImageRequest {
    /// Media with selection and thumbnail applied; blocks if frames have to be counted.
    func tailored(
        _ media: any OpenedMedia, _ limits: DecodingLimits, _ flag: CancellationFlag
    ) throws(MediaError) -> any OpenedMedia {
        var edit = ClipEdit(size: thumbnail?.size)
        if case .range(let times) = selection { edit.segments = [times] }
        var media = media
        for step in edit.steps { media = try step.applied(to: media, limits: limits, flag) }
        return media
    }
}

extension ImageNode {
    /// Applies selection and thumbnail to an image from a closure.
    func tailor(_ container: ImageContainer) async throws(PipelineError) -> ImageContainer {
        guard request.thumbnail != nil || request.selection != .all else { return container }
        return try await inStage(.decoding) {
            () async throws(PipelineError) -> ImageContainer in
            do throws(MediaError) { return try await tailored(container) } catch {
                throw PipelineError(error)
            }
        }
    }

    /// A processed image with the thumbnail of the request, whose source it is.
    func scaled(_ container: ImageContainer) async throws(PipelineError) -> ImageContainer {
        var container = container
        container.sourceSize = container.frames.info.size
        guard let thumbnail = request.thumbnail else { return container }
        let whole = container.frames
        do throws(MediaError) {
            container.frames = try await BlockingPool.shared.run { () throws(MediaError) in
                try whole.wrapped { (media) throws(MediaError) in
                    try EditStep.fit(thumbnail.size, .center).applied(
                        to: media, limits: whole.limits)
                }
            }
            container.image = try await container.frames.poster(.first).bitmap
        } catch {
            throw PipelineError(error)
        }
        return container
    }

    private func tailored(_ container: ImageContainer) async throws(MediaError) -> ImageContainer {
        let whole = container.frames
        let frames = try await BlockingPool.shared.run { () throws(MediaError) in
            try whole.wrapped { (media) throws(MediaError) in
                try request.tailored(media, whole.limits, unit.flag)
            }
        }
        if case .poster(let choice) = request.selection {
            var still = ImageContainer(
                still: try await frames.poster(choice).bitmap, type: container.type)
            still.sourceSize = container.sourceSize
            return still
        }
        var tailored = container
        tailored.sourceSize = container.sourceSize
        tailored.frames = frames
        tailored.image = try await frames.poster(.first).bitmap
        tailored.data = nil
        return tailored
    }
}
