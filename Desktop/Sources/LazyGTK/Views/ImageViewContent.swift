internal import CGTK
internal import CLazyGTK
internal import LazyBase
internal import LazyKit
internal import Observation

/// What a widget shows, and when it loads and draws; owned by the widget.
@MainActor final class ImageViewContent {
    /// The widget, until it is disposed.
    private(set) var widget: WidgetPointer?
    var model: LazyImage { didSet { didReplaceModel(oldValue) } }
    var settings = ViewSettings() { didSet { didChangeSettings() } }
    var magnification = Magnification() { didSet { didChangeLayout() } }
    /// Clockwise turns by 90 degrees.
    var quarterTurns = 0 { didSet { didChangeLayout() } }
    var alternativeText: String? { didSet { describe() } }
    /// Called after each update of what is shown.
    var onUpdate: (@MainActor () -> Void)?
    /// Whether the window is hidden, so that nothing plays.
    var isCovered = false { didSet { if isCovered != oldValue { applyVisibility() } } }

    private(set) var isMapped = false
    /// The size of the widget.
    private(set) var place = (width: 0, height: 0)
    /// What is drawn.
    var drawing = Drawing()
    private var hasAppeared = false
    /// Whether a change of the model will be reported.
    private var tracking: Tracking?
    private var filling: Task<Void, Never>?
    /// The size that images are decoded at, if this view decides it.
    var decodeSize: DecodeSize?
    var growth: Timeout?
    /// Whether animations play unless the desktop asks for none.
    var isAnimationWanted = true { didSet { ReducedMotion.shared.apply(to: self) } }
    /// The state of the player before its image is decoded anew.
    var resumption: Resumption?
    var phaseName = ""
    var child: WidgetPointer?
    var failureButton: FailureButton?

    /// One registration with the model; a replaced model has another.
    private final class Tracking: Sendable {}

    init(_ widget: WidgetPointer) {
        self.widget = widget
        var options = LazyImageOptions.current
        options.looping = .asAuthored
        model = LazyImage(request: nil, options: options)
        Signal.connect(widget.raw, "notify::scale-factor") { [weak self] in
            self?.didChangeLayout()
        }
        ReducedMotion.shared.add(self)
    }

    func dispose() {
        setChild(nil)
        FrameScheduler.shared.remove(self)
        filling?.cancel()
        growth?.cancel()
        widget = nil
        model.onDisappear()
        drawing = Drawing()
    }

    // MARK: - The widget

    func map() {
        isMapped = true
        FrameScheduler.shared.add(self)
        applyVisibility()
    }

    func unmap() {
        isMapped = false
        FrameScheduler.shared.remove(self)
        growth?.cancel()
        if hasAppeared { model.onDisappear() }
        hasAppeared = false
        // A picture that is not seen needs no texture; the model keeps its poster.
        drawing = Drawing()
    }

    func allocate(width: Int, height: Int) {
        place = (width, height)
        allocateChild()
        didChangeLayout()
        // What is in memory is drawn by this very frame.
        if isMapped, drawing.content == nil { look() }
    }

    // MARK: - Changes

    /// Something may be drawn differently: the next frame looks at it.
    func setNeedsUpdate() {
        if isMapped { FrameScheduler.shared.update(self) }
    }

    /// The pixels that an update hands to the renderer anew.
    var newPixelCount: Int {
        guard let image = shownImage, image.isFilled, !TextureCache.shared.contains(image) else {
            return 0
        }
        return image.size.pixelCount
    }

    /// Takes over what has changed; called in a frame.
    func update() {
        guard widget != nil, isMapped else { return }
        if !hasAppeared, place.width > 0, place.height > 0 {
            hasAppeared = true
            model.onAppear()
            applyVisibility()
        }
        look()
        if model.opacity < 1 { setNeedsUpdate() }
    }

    private func look() {
        let image: Bitmap?
        if tracking == nil {
            let tracking = Tracking()
            self.tracking = tracking
            image = withObservationTracking {
                observe()
            } onChange: { [weak self, weak tracking] in
                MainActor.assumeIsolated {
                    guard let self, let tracking, tracking === self.tracking else { return }
                    self.tracking = nil
                    self.setNeedsUpdate()
                }
            }
        } else {
            image = shownImage
        }
        show(image)
        ReducedMotion.shared.apply(to: self)
        resumePlayback()
        applyVisibility()
        describe()
        onUpdate?()
    }

    private func observe() -> Bitmap? {
        _ = (model.phase, model.info, model.playback?.state)
        return shownImage
    }

    /// The image without placeholder and failure image.
    private var shownImage: Bitmap? { model.playback?.image ?? model.fetch.image }

    private func show(_ image: Bitmap?) {
        var next = drawing
        next.update(self)
        if let image {
            guard image.isFilled else { return fill(image) }
            next.content = texture(of: image)
        } else if !settings.keepsPrevious || model.source == nil || model.error != nil {
            // The previous image is not the one that has failed.
            next.content = nil
        }
        let isFading = model.opacity < 1 || drawing.opacity < 1
        next.opacity = model.opacity
        guard next != drawing || isFading else { return }
        drawing = next
        if let widget { gtk_widget_queue_draw(widget) }
    }

    func texture(of image: Bitmap) -> Texture {
        TextureCache.shared.texture(of: image, textureForm)
    }

    private var textureForm: TextureForm {
        guard let widget, let native = gtk_widget_get_native(widget),
            let renderer = gtk_native_get_renderer(native)
        else { return .bitmap }
        if lazy_is(renderer.raw, gsk_gl_renderer_get_type()) { return .outsideAtlas }
        return lazy_is(renderer.raw, gsk_cairo_renderer_get_type()) ? .cairo : .bitmap
    }

    /// Converts the pixels on another thread, then looks again.
    private func fill(_ image: Bitmap) {
        guard filling == nil else { return }
        // Owned by this object, which cancels it with the widget.
        filling = Task { [weak self] in
            await BlockingPool.shared.run { image.withBytes { _ in } }
            guard let self, !Task.isCancelled else { return }
            self.filling = nil
            self.setNeedsUpdate()
        }
    }

    private func didReplaceModel(_ old: LazyImage) {
        tracking = nil
        if hasAppeared { old.onDisappear() }
        hasAppeared = false
        decodeSize = nil
        resumption = nil
        drawing = Drawing()
        ReducedMotion.shared.apply(to: self)
        didChangeLayout()
    }

    private func didChangeSettings() {
        didChangeLayout()
        if let widget, settings.hasNaturalSize { gtk_widget_queue_resize(widget) }
    }

    /// Whether images of the loaded type may play.
    var isTypeAllowed: Bool { settings.isVideoEnabled || model.info?.type?.family != .video }

    /// Plays only what is seen.
    private func applyVisibility() {
        guard let playback = model.playback else { return }
        let isSeen = isMapped && hasAppeared && !isCovered
        if playback.isOnScreen != isSeen { playback.isOnScreen = isSeen }
    }
}
