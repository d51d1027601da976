internal import CGTK
internal import LazyGTK

/// A line over the image that says what has been done, for some seconds.
@MainActor final class MessageLabel {
    let widget: WidgetPointer
    private var hiding: Timeout?

    init() {
        widget = gtk_label_new("")
        gtk_widget_add_css_class(widget, "message")
        gtk_widget_set_halign(widget, GTK_ALIGN_CENTER)
        gtk_widget_set_valign(widget, GTK_ALIGN_END)
        gtk_widget_set_can_target(widget, 0)
        gtk_widget_set_visible(widget, 0)
    }

    func show(_ text: String) {
        gtk_label_set_text(widget.opaque, text)
        gtk_widget_set_visible(widget, 1)
        hiding?.cancel()
        hiding = Timeout(after: .seconds(3)) { [weak self] in
            guard let self else { return }
            gtk_widget_set_visible(self.widget, 0)
        }
    }
}
