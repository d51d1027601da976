internal import CGTK

/// The style sheet of the program.
@MainActor enum Style {
    /// A quarter of the squares behind a transparent image.
    private static let squares = """
        linear-gradient(45deg, alpha(currentColor, 0.15) 25%, transparent 25%,
            transparent 75%, alpha(currentColor, 0.15) 75%)
        """

    private static let sheet = """
        .viewer { background: #1c1c1c; }
        .controls { padding: 6px 12px; }
        .information { padding: 18px; }
        .pictures { padding: 6px; }
        .pictures > child { padding: 6px; border-radius: 6px; }
        lazyimage { border-radius: 4px; }
        .pictures lazyimage { background: alpha(currentColor, 0.08);
            outline: 1px solid alpha(currentColor, 0.15); outline-offset: 0; }
        .pictures lazyimage.transparent {
            background-image: \(squares), \(squares);
            background-size: 16px 16px; background-position: 0 0, 8px 8px; }
        .viewer { border-radius: 0; }
        .message { margin: 24px; padding: 8px 16px; border-radius: 99px; color: white;
            background: rgba(0, 0, 0, 0.75); }
        """

    static func install() {
        guard let provider = gtk_css_provider_new(), let display = gdk_display_get_default() else {
            return
        }
        gtk_css_provider_load_from_data(provider, sheet, gssize(sheet.utf8.count))
        gtk_style_context_add_provider_for_display(display, OpaquePointer(provider), 600)
        g_object_unref(provider)
    }
}
