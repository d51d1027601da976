internal import CGTK
internal import CLazyGTK
internal import LazyKit

/// The GObject class `LazyImageView`.
@MainActor enum WidgetClass {
    private static let isRegistered: Bool = {
        var table = LazyImageViewClassTable()
        table.create = { widget in
            guard let widget else { return nil }
            nonisolated(unsafe) let pointer = widget
            nonisolated(unsafe) var content: UnsafeMutableRawPointer?
            MainActor.assumeIsolated { content = WidgetClass.makeContent(pointer) }
            return content
        }
        table.dispose = { content in WidgetClass.dispose(content) }
        table.map = { content in WidgetClass.with(content) { $0.map() } }
        table.unmap = { content in WidgetClass.with(content) { $0.unmap() } }
        table.allocate = { content, width, height in
            WidgetClass.with(content) { $0.allocate(width: Int(width), height: Int(height)) }
        }
        table.measure = { content, orientation, _, minimum, natural in
            nonisolated(unsafe) let natural = natural
            WidgetClass.with(content) {
                let size = $0.naturalSize
                natural?.pointee = CInt(
                    orientation == GTK_ORIENTATION_HORIZONTAL ? size.width : size.height)
            }
        }
        table.snapshot = { content, snapshot in
            guard let snapshot else { return }
            nonisolated(unsafe) let pointer = snapshot
            WidgetClass.with(content) { $0.snapshot(pointer) }
        }
        table.set_uri = { content, uri in
            let text = uri.map { String(cString: $0) }
            WidgetClass.with(content) { $0.setURI(text) }
        }
        table.set_alternative_text = { content, text in
            let text = text.map { String(cString: $0) }
            WidgetClass.with(content) { $0.alternativeText = text }
        }
        lazy_image_view_set_table(&table)
        return true
    }()

    /// Makes the class known to GObject.
    static func register() { precondition(isRegistered) }

    /// The content of a widget, until it is disposed.
    static func content(_ widget: WidgetPointer) -> ImageViewContent? {
        lazy_image_view_get_content(widget).map {
            Unmanaged<ImageViewContent>.fromOpaque($0).takeUnretainedValue()
        }
    }

    private static func makeContent(_ widget: WidgetPointer) -> UnsafeMutableRawPointer {
        Unmanaged.passRetained(ImageViewContent(widget)).toOpaque()
    }

    nonisolated private static func dispose(_ content: UnsafeMutableRawPointer?) {
        with(content) { $0.dispose() }
        if let content { Unmanaged<ImageViewContent>.fromOpaque(content).release() }
    }

    /// GTK calls on the main thread, which is that of the main actor.
    nonisolated private static func with(
        _ content: UnsafeMutableRawPointer?, _ body: @MainActor (ImageViewContent) -> Void
    ) {
        guard let content else { return }
        nonisolated(unsafe) let pointer = content
        MainActor.assumeIsolated {
            let content = Unmanaged<ImageViewContent>.fromOpaque(pointer).takeUnretainedValue()
            OwnWork.measure { body(content) }
        }
    }
}

/// Makes the class `LazyImageView` known to GObject and attaches the main actor to GLib's loop.
///
/// For programs in other languages, before their first `lazy_image_view_new`.
@_cdecl("lazy_gtk_init")
public func lazyGTKInit() {
    MainActor.assumeIsolated {
        MainActorLoop.attach()
        WidgetClass.register()
    }
}
