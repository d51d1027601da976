internal import CGTK
internal import CLazyGTK

/// What a view shows of a failed load: why it failed, and that a click loads again.
@MainActor final class FailureButton {
    let widget: WidgetPointer
    private let label: WidgetPointer
    private let reference: ObjectReference

    init(_ retry: @escaping @MainActor () -> Void) {
        widget = gtk_button_new()
        label = gtk_label_new(nil)
        reference = ObjectReference(widget.raw)
        let column: WidgetPointer = gtk_box_new(GTK_ORIENTATION_VERTICAL, 4)
        gtk_box_append(column.cast(), gtk_image_new_from_icon_name("view-refresh-symbolic"))
        gtk_box_append(column.cast(), label)
        gtk_button_set_child(widget.cast(), column)
        gtk_widget_add_css_class(widget, "osd")
        gtk_widget_add_css_class(label, "caption")
        gtk_label_set_wrap(label.opaque, 1)
        gtk_label_set_wrap_mode(label.opaque, PANGO_WRAP_WORD_CHAR)
        gtk_label_set_lines(label.opaque, 3)
        gtk_label_set_ellipsize(label.opaque, PANGO_ELLIPSIZE_END)
        gtk_label_set_width_chars(label.opaque, 8)
        gtk_label_set_max_width_chars(label.opaque, 40)
        gtk_label_set_justify(label.opaque, GTK_JUSTIFY_CENTER)
        lazy_widget_set_label(widget, "Load again")
        Signal.connect(widget.raw, "clicked", retry)
    }

    /// Tells why a load failed; a narrow view has no room for more than the tooltip.
    func show(_ sentence: String, isWide: Bool) {
        gtk_widget_set_visible(label, isWide ? 1 : 0)
        gtk_label_set_text(label.opaque, sentence)
        gtk_widget_set_tooltip_text(widget, sentence)
    }
}
