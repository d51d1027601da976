internal import CGTK

/// The style sheet of the program.
@MainActor enum Style {
    private static let sheet = """
        .viewer { background: #1c1c1c; }
        .controls { padding: 6px 12px; }
        .information { padding: 18px; }
        .pictures { padding: 6px; }
        .pictures > child { padding: 6px; border-radius: 6px; }
        lazyimage { border-radius: 4px; }
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
