internal import CGTK
public import LazyKit

// Chainable settings: each changes the view and returns it.
extension LazyImageView {
    /// Passes the view, and with it the widget, to a closure.
    @discardableResult
    public func onCreated(_ body: @MainActor (LazyImageView) -> Void) -> LazyImageView {
        body(self)
        return self
    }

    /// Sets the image that is shown until the load delivers one.
    @discardableResult
    public func placeholder(
        _ picture: Bitmap?, contentMode: ContentMode = .aspectFit
    ) -> LazyImageView {
        settings.placeholderMode = contentMode
        return setting { $0.placeholder = picture }
    }

    /// Sets a widget that is shown until the load delivers an image.
    @discardableResult
    public func placeholder(_ widget: WidgetPointer) -> LazyImageView {
        settings.placeholderWidget = widget
        return self
    }

    /// Sets the image that is shown when the load has failed.
    @discardableResult
    public func failureImage(
        _ picture: Bitmap?, contentMode: ContentMode = .aspectFit
    ) -> LazyImageView {
        settings.failureMode = contentMode
        return setting { $0.failureImage = picture }
    }

    /// Sets a widget that is shown when the load has failed.
    @discardableResult
    public func failureWidget(_ widget: WidgetPointer) -> LazyImageView {
        settings.failureWidget = widget
        return self
    }

    /// Sets the transition.
    @discardableResult
    public func transition(_ transition: ImageTransition) -> LazyImageView {
        setting { $0.transition = transition }
    }

    /// Sets the content mode.
    @discardableResult
    public func contentMode(_ mode: ContentMode) -> LazyImageView {
        setting { $0.contentMode = mode }
    }

    /// Sets how often animations play.
    @discardableResult
    public func looping(_ looping: Looping) -> LazyImageView { setting { $0.looping = looping } }

    /// Sets whether animations and videos play.
    @discardableResult
    public func animated(_ isAnimated: Bool) -> LazyImageView {
        setting { $0.isAnimationEnabled = isAnimated }
    }

    /// Sets the priority of loads.
    @discardableResult
    public func priority(_ priority: Priority) -> LazyImageView {
        setting { $0.priority = priority }
    }

    /// Sets the processors of each frame.
    @discardableResult
    public func processors(_ processors: [any ImageProcessing]) -> LazyImageView {
        setting { $0.processors = processors }
    }

    /// Sets what happens to a load when the view disappears, beside loading when it appears.
    @discardableResult
    public func onDisappear(_ behavior: LazyImageOptions.LoadOptions) -> LazyImageView {
        setting { $0.load = [.loadOnAppear, behavior] }
    }

    /// Calls a closure with the task when a load starts; not if the memory cache answers.
    @discardableResult
    public func onStart(_ body: @escaping @MainActor (ImageTask) -> Void) -> LazyImageView {
        model.onStart(body)
        return self
    }

    /// Calls a closure with each preview.
    @discardableResult
    public func onPreview(_ body: @escaping @MainActor (ImageResponse) -> Void) -> LazyImageView {
        model.onPreview(body)
        return self
    }

    /// Calls a closure when bytes have arrived.
    @discardableResult
    public func onProgress(
        _ body: @escaping @MainActor (ImageTask.Progress) -> Void
    ) -> LazyImageView {
        model.onProgress(body)
        return self
    }

    /// Calls a closure when the image has been loaded.
    @discardableResult
    public func onSuccess(_ body: @escaping @MainActor (ImageResponse) -> Void) -> LazyImageView {
        model.onSuccess(body)
        return self
    }

    /// Calls a closure when a load fails; not when it is cancelled.
    @discardableResult
    public func onFailure(_ body: @escaping @MainActor (PipelineError) -> Void) -> LazyImageView {
        model.onFailure(body)
        return self
    }

    /// Calls a closure when a load has succeeded or failed; not when it is cancelled.
    @discardableResult
    public func onCompletion(
        _ body: @escaping @MainActor (Result<ImageResponse, PipelineError>) -> Void
    ) -> LazyImageView {
        model.onCompletion(body)
        return self
    }

    private func setting(_ change: (inout LazyImageOptions) -> Void) -> LazyImageView {
        change(&options)
        return self
    }
}
