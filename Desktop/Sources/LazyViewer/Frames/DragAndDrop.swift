internal import CGTK
internal import CLazyGTK
internal import LazyGTK
internal import LazyKit

/// Drags the file or the frame out of the viewer, and files into it.
@MainActor enum DragAndDrop {
    /// Drags the item of a player: its file, and its frame as a picture.
    static func addSource(_ player: Player) {
        guard let source = gtk_drag_source_new() else { return }
        Signal.connectContent(source.raw) { [weak player] in
            // A zoomed image is moved by dragging.
            guard let player, player.view.magnification.scale == 1 else { return nil }
            if let texture = player.view.texture {
                gtk_drag_source_set_icon(source, texture, 0, 0)
            }
            return content(player)
        }
        gtk_widget_add_controller(player.view.widget, source)
    }

    private static func content(_ player: Player) -> OpaquePointer? {
        var providers: [UnsafeMutablePointer<GdkContentProvider>?] = []
        if let path = player.item?.path { providers.append(lazy_content_for_file(path)) }
        if let texture = player.view.texture { providers.append(lazy_content_for_texture(texture)) }
        guard !providers.isEmpty else { return nil }
        return gdk_content_provider_new_union(&providers, gsize(providers.count))
            .map { OpaquePointer($0) }
    }

    /// Calls an action with the addresses of files that are dropped on a widget.
    static func addTarget(
        _ widget: WidgetPointer, _ action: @escaping @MainActor ([String]) -> Void
    ) {
        guard let target = gtk_drop_target_new(gdk_file_list_get_type(), GDK_ACTION_COPY) else {
            return
        }
        Signal.connectDrop(target.raw) { value in
            guard let list = lazy_file_list_addresses(value) else { return }
            defer { g_strfreev(list) }
            var addresses: [String] = []
            var place = list
            while let text = place.pointee {
                addresses.append(String(cString: text))
                place += 1
            }
            action(addresses)
        }
        gtk_widget_add_controller(widget, target)
    }
}

extension Signal {
    private final class ContentBox {
        let body: @MainActor () -> OpaquePointer?
        init(_ body: @escaping @MainActor () -> OpaquePointer?) { self.body = body }
    }
    private final class DropBox {
        let body: @MainActor (UnsafePointer<GValue>) -> Void
        init(_ body: @escaping @MainActor (UnsafePointer<GValue>) -> Void) { self.body = body }
    }

    /// Connects the question of a drag source for its content.
    fileprivate static func connectContent(
        _ source: UnsafeMutableRawPointer, _ body: @escaping @MainActor () -> OpaquePointer?
    ) {
        let call:
            @convention(c) (UnsafeMutableRawPointer, Double, Double, UnsafeMutableRawPointer)
                -> OpaquePointer? = { _, _, _, data in
                    let box = Unmanaged<ContentBox>.fromOpaque(data).takeUnretainedValue()
                    nonisolated(unsafe) var content: OpaquePointer?
                    MainActor.assumeIsolated { content = box.body() }
                    return content
                }
        attach(source, "prepare", unsafeBitCast(call, to: GCallback.self), ContentBox(body))
    }

    /// Connects what is dropped on a target.
    fileprivate static func connectDrop(
        _ target: UnsafeMutableRawPointer,
        _ body: @escaping @MainActor (UnsafePointer<GValue>) -> Void
    ) {
        let call:
            @convention(c) (
                UnsafeMutableRawPointer, UnsafePointer<GValue>, Double, Double,
                UnsafeMutableRawPointer
            ) -> gboolean = { _, value, _, _, data in
                let box = Unmanaged<DropBox>.fromOpaque(data).takeUnretainedValue()
                nonisolated(unsafe) let value = value
                MainActor.assumeIsolated { box.body(value) }
                return 1
            }
        attach(target, "drop", unsafeBitCast(call, to: GCallback.self), DropBox(body))
    }
}
