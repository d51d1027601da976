public import LazyPipeline

extension LazyImage {
    /// Makes something of the phase, such as the HTML of a page or the text of a log.
    public func content<Content>(_ make: (LoadPhase) throws -> Content) rethrows -> Content {
        try make(phase)
    }

    /// Makes something of the phase, by one closure for each of the four states of a load.
    ///
    /// A preview is content too; its `info` says that more is to come.
    ///
    /// ```swift
    /// let html = picture.content {
    ///     ""
    /// } inProgress: { progress in
    ///     "<progress value=\(progress.fraction)>"
    /// } failure: { error, retry in
    ///     "<p>\(error)</p>"
    /// } content: { picture, info in
    ///     "<img width=\(info.size.width) height=\(info.size.height)>"
    /// }
    /// ```
    public func content<Content>(
        empty: () throws -> Content,
        inProgress: (ImageTask.Progress) throws -> Content,
        failure: (PipelineError, _ retry: @escaping @MainActor () -> Void) throws -> Content,
        content: (ImageContainer, ImageInfo) throws -> Content
    ) rethrows -> Content {
        switch phase {
        case .empty: try empty()
        case .inProgress(let progress): try inProgress(progress)
        case .failure(let error, let retry): try failure(error, retry)
        case .preview(let picture), .success(let picture):
            try content(picture, ImageInfo(picture))
        }
    }
}
