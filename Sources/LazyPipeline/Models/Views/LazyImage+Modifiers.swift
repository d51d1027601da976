public import LazyMedia

// Chainable settings: each changes the model and returns it.
//
// `LazyImageOptions` says when a change applies.
extension LazyImage {
    /// Sets the image that is shown until the load delivers one; nil for none, in place of the gray rectangle.
    @discardableResult
    public func placeholder(_ picture: Bitmap?) -> LazyImage {
        setting { $0.placeholder = picture }
    }

    /// Sets the image that is shown when the load has failed.
    @discardableResult
    public func failureImage(_ picture: Bitmap?) -> LazyImage {
        setting { $0.failureImage = picture }
    }

    /// Sets the poster that is shown until the load delivers an image.
    @discardableResult
    public func placeholder(_ poster: Poster) -> LazyImage { placeholder(poster.bitmap) }

    /// Sets the poster that is shown when the load has failed.
    @discardableResult
    public func failureImage(_ poster: Poster) -> LazyImage { failureImage(poster.bitmap) }

    /// Sets the pipeline.
    @discardableResult
    public func pipeline(_ pipeline: ImagePipeline) -> LazyImage {
        setting { $0.pipeline = pipeline }
    }

    /// Applies changes to published properties in a closure, for example in an animation of a toolkit.
    ///
    /// It must call `change` exactly once before it returns.
    @discardableResult
    public func transaction(
        _ body: @escaping @MainActor (_ change: () -> Void) -> Void
    ) -> LazyImage {
        fetch.transaction = body
        return self
    }

    /// Sets what happens to the load when the view disappears: `.cancelOnDisappear`,
    /// `.lowerPriorityOnDisappear`, or `[]` for nothing.
    @discardableResult
    public func onDisappear(_ behavior: LazyImageOptions.LoadOptions) -> LazyImage {
        let all: LazyImageOptions.LoadOptions = [.cancelOnDisappear, .lowerPriorityOnDisappear]
        return setting {
            $0.load.subtract(all)
            $0.load.formUnion(behavior.intersection(all))
        }
    }

    /// Sets the transition.
    @discardableResult
    public func transition(_ transition: ImageTransition) -> LazyImage {
        setting { $0.transition = transition }
    }

    /// Sets the content mode.
    @discardableResult
    public func contentMode(_ mode: ContentMode) -> LazyImage { setting { $0.contentMode = mode } }

    /// Sets how often animations play.
    @discardableResult
    public func looping(_ looping: Looping) -> LazyImage { setting { $0.looping = looping } }

    /// Sets the priority of loads.
    @discardableResult
    public func priority(_ priority: Priority) -> LazyImage { setting { $0.priority = priority } }

    /// Sets the processors of each frame.
    @discardableResult
    public func processors(_ processors: [any ImageProcessing]) -> LazyImage {
        setting { $0.processors = processors }
    }

    /// Calls a closure with the task when a load starts; not if the memory cache answers.
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

    /// Calls a closure when the image has been loaded.
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

    /// Calls a closure when a load has succeeded or failed; not when it is cancelled.
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
