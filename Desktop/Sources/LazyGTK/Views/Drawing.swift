internal import CGTK
internal import LazyKit
internal import LazyPipeline

/// What a view draws.
@MainActor struct Drawing: @MainActor Equatable {
    /// The image, or nil until there is one.
    var content: Texture?
    var placeholder: Texture?
    var failure: Texture?
    var opacity = 1.0

    static func == (left: Drawing, right: Drawing) -> Bool {
        left.content === right.content && left.placeholder === right.placeholder
            && left.failure === right.failure && left.opacity == right.opacity
    }

    /// Takes placeholder and failure image from the options.
    mutating func update(_ view: ImageViewContent) {
        let options = view.model.options
        let isFailed = view.model.error != nil
        failure = isFailed ? options.failureImage.map { view.texture(of: $0) } : nil
        placeholder = options.placeholder.map { view.texture(of: $0) }
    }
}

extension ImageViewContent {
    /// The frame of an image of a size in the widget.
    func frame(of size: PixelSize, _ mode: ContentMode) -> LayoutRect {
        let scale = model.source?.scale ?? 1
        var sides = (width: Double(size.width) / scale, height: Double(size.height) / scale)
        if quarterTurns % 2 != 0 { sides = (sides.height, sides.width) }
        let place = (width: Double(place.width), height: Double(place.height))
        return mode.frame(for: sides, in: place)
    }

    /// The frame of the image without magnification; nil while there is none.
    var layoutFrame: LayoutRect? {
        guard let texture = drawing.content else { return nil }
        let mode = model.options.contentMode
        let own = model.info?.size ?? texture.size
        if !settings.enlarges, fits(own) { return frame(of: pointSize(own), .center) }
        return frame(of: mode == .center ? texture.size : own, mode)
    }

    /// The frame of the image as it is drawn.
    var imageFrame: LayoutRect? {
        guard let rect = layoutFrame else { return nil }
        guard magnification != Magnification(range: magnification.range) else {
            return snapped(rect)
        }
        return magnification.frame(
            of: rect, in: (width: Double(place.width), height: Double(place.height)))
    }

    /// The nearest frame on whole pixels: half a pixel beside them, each would be mixed of two.
    func snapped(_ rect: LayoutRect) -> LayoutRect {
        let scale = Double(self.scale)
        func snap(_ value: Double) -> Double { (value * scale).rounded() / scale }
        return LayoutRect(
            x: snap(rect.x), y: snap(rect.y), width: max(snap(rect.width), 1 / scale),
            height: max(snap(rect.height), 1 / scale))
    }

    func snapshot(_ snapshot: OpaquePointer) {
        if let failure = drawing.failure {
            failure.draw(snapshot, in: snapped(frame(of: failure.size, settings.failureMode)))
        } else {
            drawPlaceholder(snapshot)
            drawContent(snapshot)
        }
        if let child, let widget { gtk_widget_snapshot_child(widget, child, snapshot) }
    }

    private func drawPlaceholder(_ snapshot: OpaquePointer) {
        guard drawing.content == nil || drawing.opacity < 1, let texture = drawing.placeholder
        else { return }
        // One pixel is a color.
        let mode = texture.size.pixelCount == 1 ? ContentMode.fill : settings.placeholderMode
        texture.draw(snapshot, in: snapped(frame(of: texture.size, mode)))
    }

    private func drawContent(_ snapshot: OpaquePointer) {
        guard let texture = drawing.content, let rect = imageFrame else { return }
        let isFading = drawing.opacity < 1
        if isFading { gtk_snapshot_push_opacity(snapshot, drawing.opacity) }
        drawTurned(texture, snapshot, rect)
        if isFading { gtk_snapshot_pop(snapshot) }
    }

    private func drawTurned(_ texture: Texture, _ snapshot: OpaquePointer, _ rect: LayoutRect) {
        guard quarterTurns % 4 != 0 else { return texture.draw(snapshot, in: rect) }
        gtk_snapshot_save(snapshot)
        var middle = graphene_point_t(
            x: Float(rect.x + rect.width / 2), y: Float(rect.y + rect.height / 2))
        gtk_snapshot_translate(snapshot, &middle)
        gtk_snapshot_rotate(snapshot, Float(quarterTurns % 4) * 90)
        let isLying = quarterTurns % 2 != 0
        let sides = isLying ? (rect.height, rect.width) : (rect.width, rect.height)
        texture.draw(
            snapshot,
            in: LayoutRect(x: -sides.0 / 2, y: -sides.1 / 2, width: sides.0, height: sides.1))
        gtk_snapshot_restore(snapshot)
    }

    /// Whether an image is smaller than the widget at one pixel per pixel.
    private func fits(_ size: PixelSize) -> Bool {
        let turned = quarterTurns % 2 == 0 ? size : size.transposed
        let scale = self.scale
        return turned.width <= place.width * scale && turned.height <= place.height * scale
    }

    /// A size in the units of the toolkit, of which each has `scale` pixels.
    private func pointSize(_ size: PixelSize) -> PixelSize {
        PixelSize(width: max(1, size.width / scale), height: max(1, size.height / scale))
    }

    /// The pixels per unit of the toolkit.
    var scale: Int { widget.map { Int(gtk_widget_get_scale_factor($0)) } ?? 1 }
}
