internal import CGTK
public import LazyKit

/// The options of a `LazyImageView` beside those of its `LazyImage`.
@MainActor public struct ViewSettings {
    /// The content mode of the placeholder; one of a single pixel, such as the gray default, fills the view.
    public var placeholderMode = ContentMode.aspectFit
    /// The content mode of the failure image.
    public var failureMode = ContentMode.aspectFit
    /// A widget that is shown while there is no image; over the placeholder, centered.
    public var placeholderWidget: WidgetPointer?
    /// A widget that is shown when the load has failed, or nil for a button that says why and retries.
    public var failureWidget: WidgetPointer?
    /// Whether a failed load shows a button that says why and retries.
    public var showsRetry = true
    /// Whether images are decoded at the size they are shown, and anew when that grows.
    ///
    /// Has no effect on requests and options with a size of their own.
    public var decodesAtShownSize = true
    /// Whether videos play; if not, they show their poster.
    public var isVideoEnabled = true
    /// Whether the previous image stays until there is a new one; if not, a new source clears it.
    public var keepsPrevious = false
    /// Whether images that are smaller than the view are enlarged; if not, they keep their pixels.
    public var enlarges = true
    /// Whether the size of the image is the natural size of the widget.
    public var hasNaturalSize = false

    /// Creates the default settings.
    public init() {}
}
