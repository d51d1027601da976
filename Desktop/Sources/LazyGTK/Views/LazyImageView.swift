internal import CGTK
internal import CLazyGTK
public import LazyKit
public import LazyPipeline

/// A widget that loads and shows an image, an animation or a silent video.
///
/// It loads when it is mapped and allocated, at the size it is shown, and cancels when it is unmapped.
/// It shows a placeholder, previews, the poster and then the playing frames; videos are silent and
/// loop as authored. A failed load shows a button that says why and retries. The widget may be put into
/// any container, by any binding of GTK; this object may be dropped then.
///
/// ```swift
/// let view = LazyImageView("https://example.com/cat.gif").transition(.fadeIn())
/// gtk_window_set_child(window, view.widget)
/// ```
@MainActor public final class LazyImageView {
    /// The widget.
    public let widget: WidgetPointer
    let content: ImageViewContent
    private let reference: ObjectReference

    /// Makes a view of a request, or of none yet.
    public init(
        request: ImageRequest?, options: LazyImageOptions? = nil, pipeline: ImagePipeline? = nil
    ) {
        WidgetClass.register()
        guard let widget = lazy_image_view_new(nil), let content = WidgetClass.content(widget)
        else { preconditionFailure("GObject constructors do not fail") }
        self.widget = widget
        self.content = content
        reference = ObjectReference(widget.raw)
        if let options { self.options = options }
        if let pipeline { self.options.pipeline = pipeline }
        if let request { setSource(request) }
    }

    /// Makes a view of a URL.
    public convenience init(url: URL?, pipeline: ImagePipeline? = nil) {
        self.init(request: url.map { ImageRequest(url: $0) }, pipeline: pipeline)
    }

    /// Makes a view of a URL string; an invalid one fails when it is loaded.
    public convenience init(_ source: String, pipeline: ImagePipeline? = nil) {
        self.init(request: ImageRequest(string: source), pipeline: pipeline)
    }

    /// The view of a widget that another language has made; nil for other widgets.
    public init?(widget: WidgetPointer) {
        guard lazy_is(widget.raw, lazy_image_view_get_type()),
            let content = WidgetClass.content(widget)
        else { return nil }
        self.widget = widget
        self.content = content
        reference = ObjectReference(widget.raw)
    }

    // MARK: - The image

    /// The model: phase, progress, player, information, and all callbacks.
    ///
    /// Another one may be set, for example one with a clock of its own.
    public var model: LazyImage {
        get { content.model }
        set { content.model = newValue }
    }

    /// The request of the image.
    public var source: ImageRequest? { model.source }

    /// Shows another image; nil for none.
    public func setSource(_ request: ImageRequest?) { content.setSource(request) }

    /// Retries a failed load.
    public func retry() { model.retry() }

    /// Cancels the load; what is shown stays.
    public func cancel() { model.fetch.cancel() }

    /// Cancels the load and shows nothing.
    public func reset() { setSource(nil) }

    // MARK: - Options

    /// The options of loading and layout, with their defaults; only `looping` is as authored.
    public var options: LazyImageOptions {
        get { content.options }
        set { content.options = newValue }
    }

    /// The options of the view itself.
    public var settings: ViewSettings {
        get { content.settings }
        set { content.settings = newValue }
    }

    /// The zoom and pan of the image.
    public var magnification: Magnification {
        get { content.magnification }
        set { content.magnification = newValue }
    }

    /// The clockwise turns of the image by 90 degrees.
    public var quarterTurns: Int {
        get { content.quarterTurns }
        set { content.quarterTurns = ((newValue % 4) + 4) % 4 }
    }

    /// What the image shows, for those who do not see it; nil for its file name.
    public var alternativeText: String? {
        get { content.alternativeText }
        set { content.alternativeText = newValue }
    }

    /// Called after each update of what is shown.
    public var onUpdate: (@MainActor () -> Void)? {
        get { content.onUpdate }
        set { content.onUpdate = newValue }
    }

    /// The request that this view would load for another one, for `ImagePrefetcher`.
    ///
    /// Nil before the widget has a size.
    public func prefetchRequest(_ request: ImageRequest) -> ImageRequest? {
        content.prefetchRequest(request)
    }

    // MARK: - What is shown

    /// The frame of the image in the widget without magnification; nil while there is none.
    public var layoutFrame: LayoutRect? { content.layoutFrame }

    /// The frame of the image in the widget; nil while there is none.
    public var imageFrame: LayoutRect? { content.imageFrame }

    /// The texture that is drawn, for drag icons and the clipboard; nil while there is none.
    public var texture: OpaquePointer? { content.drawing.content?.pointer }

    /// The number of textures of all views that are alive.
    public static var textureCount: Int { Texture.count }
}
