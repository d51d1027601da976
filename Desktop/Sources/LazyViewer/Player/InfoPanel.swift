internal import CGTK
internal import LazyGTK
internal import LazyKit
internal import LazyPipeline

/// The panel of information beside the image.
@MainActor final class InfoPanel {
    let widget: WidgetPointer
    private let label: WidgetPointer
    private var work: Task<Void, Never>?
    private var identity: String?

    init() {
        widget = gtk_scrolled_window_new()
        label = gtk_label_new(nil)
        gtk_label_set_selectable(label.opaque, 1)
        gtk_label_set_wrap(label.opaque, 1)
        gtk_label_set_wrap_mode(label.opaque, PANGO_WRAP_WORD_CHAR)
        gtk_label_set_xalign(label.opaque, 0)
        gtk_widget_set_valign(label, GTK_ALIGN_START)
        gtk_widget_set_size_request(label, 240, -1)
        gtk_widget_add_css_class(label, "information")
        gtk_scrolled_window_set_child(widget.opaque, label)
        gtk_scrolled_window_set_policy(widget.opaque, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
        // The keys belong to the window, also after text was selected.
        gtk_widget_set_focusable(label, 0)
        gtk_widget_set_visible(widget, 0)
    }

    deinit { work?.cancel() }

    var isShown: Bool {
        get { gtk_widget_get_visible(widget) != 0 }
        set { gtk_widget_set_visible(widget, newValue ? 1 : 0) }
    }

    /// Describes what a model shows; asks for more than that only while the panel is shown.
    func show(_ item: ViewerItem?, _ model: LazyImage) {
        guard isShown else { return }
        let rows = Self.rows(item, model.info)
        let identity = "\(rows)"
        guard identity != self.identity else { return }
        self.identity = identity
        write(rows)
        guard let frames = model.frames else { return }
        // Owned by the panel; the next item replaces it.
        work?.cancel()
        work = Task { [weak self] in
            let info = try? await frames.detailedInfo()
            guard let self, let info, !Task.isCancelled else { return }
            self.write(rows + Self.details(info))
        }
    }

    private func write(_ rows: [(String, String)]) {
        let text = rows.map { name, value in
            "<span alpha='60%'>\(Self.escaped(name))</span>\n\(Self.escaped(value))"
        }
        gtk_label_set_markup(label.opaque, text.joined(separator: "\n\n"))
    }

    private static func rows(_ item: ViewerItem?, _ info: ImageInfo?) -> [(String, String)] {
        var rows: [(String, String)] = []
        if let item {
            rows.append(("Name", item.name))
            if item.url.scheme != "data" {
                rows.append(("Place", item.path ?? item.url.absoluteString))
            }
        }
        guard let info else { return rows }
        if let type = info.type { rows.append(("Type", "\(type)")) }
        rows.append(("Size", "\(info.size.width) × \(info.size.height) pixels"))
        if info.isAnimated {
            if let count = info.frameCount { rows.append(("Frames", "\(count)")) }
            if let duration = info.duration { rows.append(("Duration", TimeLabel.text(duration))) }
            let plays = info.loop.plays.map { $0 == 1 ? "once" : "\($0) times" } ?? "forever"
            rows.append(("Plays", plays))
        }
        rows.append(("Transparency", info.hasAlpha ? "yes" : "no"))
        return rows
    }

    private static func details(_ info: MediaInfo) -> [(String, String)] {
        var rows = [("Codec", info.codec)]
        if let format = info.pixelFormat { rows.append(("Pixel format", format)) }
        if let bits = info.bitRate { rows.append(("Bit rate", "\(bits / 1000) kbit/s")) }
        if let hdr = info.hdrFormat { rows.append(("HDR", hdr)) }
        for warning in info.warnings { rows.append(("Warning", "\(warning)")) }
        return rows
    }

    private static func escaped(_ text: String) -> String {
        guard let copy = g_markup_escape_text(text, -1) else { return "" }
        defer { g_free(copy) }
        return String(cString: copy)
    }
}
