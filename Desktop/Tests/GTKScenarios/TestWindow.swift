internal import CGTK
internal import LazyGTK
internal import LazyKit

/// A window without decorations, and what is on it.
@MainActor final class TestWindow {
    let widget: WidgetPointer
    private(set) var paintCount = 0

    init(width: Int, height: Int, child: WidgetPointer) {
        widget = gtk_window_new()
        gtk_window_set_decorated(widget.cast(), 0)
        gtk_window_set_default_size(widget.cast(), CInt(width), CInt(height))
        gtk_window_set_child(widget.cast(), child)
        gtk_window_present(widget.cast())
        guard let clock = gtk_widget_get_frame_clock(widget) else { return }
        Signal.connect(clock.raw, "after-paint") { [weak self] in self?.paintCount += 1 }
    }

    /// Waits until something was painted after a change.
    func painted(after change: () -> Void) async {
        let count = paintCount
        change()
        await LoopWatch.shared.until { [unowned self] in self.paintCount > count }
    }

    /// Waits until the screen shows what the window has painted.
    func shown() async {
        await painted(after: { gtk_widget_queue_draw(widget) })
        gdk_display_sync(gtk_widget_get_display(widget))
    }

    /// The pixels of a widget as its renderer draws them: BGRA, premultiplied.
    func pixels(of child: WidgetPointer) -> [UInt8]? {
        let (width, height) = (gtk_widget_get_width(child), gtk_widget_get_height(child))
        guard let paintable = gtk_widget_paintable_new(child), let snapshot = gtk_snapshot_new(),
            let native = gtk_widget_get_native(child),
            let renderer = gtk_native_get_renderer(native)
        else { return nil }
        defer { g_object_unref(paintable.raw) }
        gdk_paintable_snapshot(paintable, snapshot, Double(width), Double(height))
        guard let node = gtk_snapshot_free_to_node(snapshot) else { return nil }
        defer { gsk_render_node_unref(node) }
        var bounds = graphene_rect_t(
            origin: graphene_point_t(x: 0, y: 0),
            size: graphene_size_t(width: Float(width), height: Float(height)))
        guard let texture = gsk_renderer_render_texture(renderer, node, &bounds) else { return nil }
        defer { g_object_unref(texture.raw) }
        var bytes = [UInt8](repeating: 0, count: Int(width * height) * 4)
        gdk_texture_download(texture, &bytes, gsize(width) * 4)
        return bytes
    }
}

extension Bitmap {
    /// The pixels as GDK downloads them: BGRA, premultiplied.
    var downloaded: [UInt8] {
        withBytes { bytes in
            var result = [UInt8](repeating: 0, count: bytes.count)
            for place in Swift.stride(from: 0, to: bytes.count, by: 4) {
                let alpha = Int(bytes[place + 3])
                for channel in 0..<3 {
                    result[place + 2 - channel] = UInt8(
                        (Int(bytes[place + channel]) * alpha + 127) / 255)
                }
                result[place + 3] = UInt8(alpha)
            }
            return result
        }
    }
}
