extension LazyImage {
    /// Maps the phase to content, such as the HTML of a page or the text of a log.
    public func content<Content>(_ make: (LoadPhase) throws -> Content) rethrows -> Content {
        try make(phase)
    }

    /// Maps the phase to content with one closure for each of the four states of a load.
    ///
    /// A preview is content too; its `info` has `isPreview` set.
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
