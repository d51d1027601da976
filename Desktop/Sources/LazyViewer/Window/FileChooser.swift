internal import CGTK
internal import LazyGTK

/// Asks for files in the desktop's own dialog.
@MainActor enum FileChooser {
    /// Shows a chooser and calls an action with the addresses of the chosen files.
    static func show(_ chooser: OpaquePointer, _ action: @escaping @MainActor ([String]) -> Void) {
        Signal.connectCode(chooser.raw, "response") { answer in
            let addresses =
                answer == Int(GTK_RESPONSE_ACCEPT.rawValue) ? Self.addresses(chooser) : []
            g_object_unref(chooser.raw)
            if !addresses.isEmpty { action(addresses) }
        }
        gtk_native_dialog_show(
            UnsafeMutableRawPointer(chooser).assumingMemoryBound(to: GtkNativeDialog.self))
    }

    private static func addresses(_ chooser: OpaquePointer) -> [String] {
        guard let files = gtk_file_chooser_get_files(chooser) else { return [] }
        defer { g_object_unref(files.raw) }
        return (0..<g_list_model_get_n_items(files)).compactMap { place in
            guard let file = g_list_model_get_item(files, place) else { return nil }
            defer { g_object_unref(file) }
            guard let address = g_file_get_uri(OpaquePointer(file)) else { return nil }
            defer { g_free(address) }
            return String(cString: address)
        }
    }
}
