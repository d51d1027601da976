internal import CGTK
internal import CLazyGTK
internal import LazyKit

// The image and its options.
extension ImageViewContent {
    /// The options as the user sets them: without what this view and the desktop add.
    var options: LazyImageOptions {
        get {
            var options = model.options
            options.isAnimationEnabled = isAnimationWanted
            if decodeSize != nil { options.thumbnail = nil }
            return options
        }
        set {
            var options = newValue
            isAnimationWanted = newValue.isAnimationEnabled
            options.isAnimationEnabled = model.options.isAnimationEnabled
            if options.thumbnail != nil || options.maxPixelSize != nil {
                decodeSize = nil
            } else if let decodeSize {
                options.thumbnail = decodeSize.thumbnail(options.contentMode)
            }
            model.options = options
            didChangeLayout()
        }
    }

    /// Shows another image; what belonged to the previous one is dropped.
    func setSource(_ request: ImageRequest?) {
        resumption = nil
        growth?.cancel()
        // Without a source, a change of the size loads nothing.
        model.setSource(nil)
        chooseDecodeSize(of: request)
        if !settings.keepsPrevious { drawing.content = nil }
        model.setSource(request)
        if let widget { lazy_image_view_set_uri_text(widget, request?.url?.absoluteString) }
        describe()
        setNeedsUpdate()
        if let widget, !settings.keepsPrevious { gtk_widget_queue_draw(widget) }
    }

    /// A request with the options and the size of this view.
    func prefetchRequest(_ request: ImageRequest) -> ImageRequest? {
        guard place.width > 0 else { return nil }
        var request = request
        if !model.options.processors.isEmpty { request.processors = model.options.processors }
        if let side = model.options.maxPixelSize {
            request.thumbnail = ImageRequest.ThumbnailOptions(maxPixelSize: side)
        }
        if let thumbnail = model.options.thumbnail { request.thumbnail = thumbnail }
        return request
    }

    /// A recycled view may have been larger.
    private func chooseDecodeSize(of request: ImageRequest?) {
        let isOurs = isDecodeSizeOurs
        if isOurs, request?.thumbnail == nil, settings.decodesAtShownSize, let wanted = wantedSize {
            setDecodeSize(wanted)
        } else if decodeSize != nil {
            decodeSize = nil
            model.options.thumbnail = nil
        }
    }

    /// The property "uri" was set by another language.
    func setURI(_ uri: String?) {
        guard uri != model.source?.url?.absoluteString else { return }
        setSource(uri.map { ImageRequest(string: $0) })
    }
}
