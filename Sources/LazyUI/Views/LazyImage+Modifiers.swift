public import LazyMedia
public import LazyPipeline

// Settings in a chain behind the initializer: each changes the model and hands it on.
//
// `LazyImageOptions` says when a change applies.
extension LazyImage {
    /// Shows a picture until there is something to show.
    @discardableResult
    public func placeholder(_ picture: Bitmap?) -> LazyImage {
        setting { $0.placeholder = picture }
    }

    /// Shows a picture when the load has failed.
    @discardableResult
    public func failurePicture(_ picture: Bitmap?) -> LazyImage {
        setting { $0.failurePicture = picture }
    }

    /// Shows a poster until there is something to show.
    @discardableResult
    public func placeholder(_ poster: Poster) -> LazyImage { placeholder(poster.bitmap) }

    /// Shows a poster when the load has failed.
    @discardableResult
    public func failurePicture(_ poster: Poster) -> LazyImage { failurePicture(poster.bitmap) }

    /// Loads by a pipeline.
    @discardableResult
    public func pipeline(_ pipeline: ImagePipeline) -> LazyImage {
        setting { $0.pipeline = pipeline }
    }

    /// Makes the changes to what is published inside of a closure, such as an animation of a toolkit.
    ///
    /// It has to call the change once, before it returns.
    @discardableResult
    public func transaction(
        _ body: @escaping @MainActor (_ change: () -> Void) -> Void
    ) -> LazyImage {
        fetch.transaction = body
        return self
    }

    /// Comes into sight by a transition.
    @discardableResult
    public func transition(_ transition: ImageTransition) -> LazyImage {
        setting { $0.transition = transition }
    }

    /// Lies in its place in a way.
    @discardableResult
    public func contentMode(_ mode: ContentMode) -> LazyImage { setting { $0.contentMode = mode } }

    /// Plays animations so often.
    @discardableResult
    public func looping(_ looping: Looping) -> LazyImage { setting { $0.looping = looping } }

    /// Loads with an urgency.
    @discardableResult
    public func priority(_ priority: Priority) -> LazyImage { setting { $0.priority = priority } }

    /// Has each frame processed.
    @discardableResult
    public func processors(_ processors: [any ImageProcessing]) -> LazyImage {
        setting { $0.processors = processors }
    }

    /// Calls a closure when a load begins, with its task; not where the memory cache answers.
    @discardableResult
    public func onStart(_ body: @escaping @MainActor (ImageTask) -> Void) -> LazyImage {
        fetch.onStart = body
        return self
    }

    /// Calls a closure with each preview.
    @discardableResult
    public func onPreview(_ body: @escaping @MainActor (ImageResponse) -> Void) -> LazyImage {
        fetch.onPreview = body
        return self
    }

    /// Calls a closure when bytes have arrived.
    @discardableResult
    public func onProgress(
        _ body: @escaping @MainActor (ImageTask.Progress) -> Void
    ) -> LazyImage {
        fetch.onProgress = body
        return self
    }

    /// Calls a closure when the picture is there.
    @discardableResult
    public func onSuccess(_ body: @escaping @MainActor (ImageResponse) -> Void) -> LazyImage {
        fetch.onSuccess = body
        return self
    }

    /// Calls a closure when a load fails; not when it is cancelled.
    @discardableResult
    public func onFailure(_ body: @escaping @MainActor (PipelineError) -> Void) -> LazyImage {
        fetch.onFailure = body
        return self
    }

    /// Calls a closure when a load has ended, either way; not when it is cancelled.
    @discardableResult
    public func onCompletion(
        _ body: @escaping @MainActor (Result<ImageResponse, PipelineError>) -> Void
    ) -> LazyImage {
        fetch.onCompletion = body
        return self
    }

    private func setting(_ change: (inout LazyImageOptions) -> Void) -> LazyImage {
        change(&options)
        return self
    }
}
