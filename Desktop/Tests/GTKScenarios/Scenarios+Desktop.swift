internal import CGTK
internal import CLazyGTK
internal import LazyGTK
internal import LazyKit

// Scenarios with the desktop around a window, and with nothing to do.
extension Scenarios {
    /// A still image and an animation that is over: nothing wakes the loop.
    static func idle(_ paths: [String]) async {
        let pipeline = ImagePipeline(configuration: .inMemory)
        let views = paths.map { view($0, pipeline).looping(.once).transition(.fadeIn()) }
        let box: WidgetPointer = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0)
        for view in views {
            gtk_widget_set_size_request(view.widget, 128, 96)
            gtk_box_append(box.cast(), view.widget)
        }
        let window = TestWindow(width: 256, height: 96, child: box)
        await LoopWatch.shared.until {
            views.allSatisfy { $0.texture != nil && $0.model.opacity == 1 }
                && views.compactMap(\.model.playback).allSatisfy { $0.state == .finished }
        }
        tell("animations", views.compactMap(\.model.playback).count)
        // A timer would be there again after each turn; frames that are due end.
        let start = LoopWatch.shared.turns
        await LoopWatch.shared.until {
            LoopWatch.shared.nextTimeout == nil || LoopWatch.shared.turns - start > 300
        }
        let (paints, turns) = (window.paintCount, LoopWatch.shared.turns)
        tell("timeout", LoopWatch.shared.nextTimeout.map { "\($0)" } ?? "none")
        // A question to the display server takes its time without a timer of this loop.
        gdk_display_sync(gtk_widget_get_display(window.widget))
        tell("paints", window.paintCount - paints)
        tell("turns", LoopWatch.shared.turns - turns)
    }

    /// A window that a file is dragged from.
    static func drag(_ path: String) async {
        let label: WidgetPointer = gtk_label_new("drag")
        let source = gtk_drag_source_new()
        gtk_drag_source_set_content(source, lazy_content_for_file(path))
        gtk_widget_add_controller(label, source)
        let window = TestWindow(width: 200, height: 200, child: label)
        await window.shown()
        tell("ready", "")
        // Until the driver ends this process.
        await LoopWatch.shared.until { false }
    }

    /// A window that files or pictures are dropped on.
    static func drop(_ kind: String) async {
        let label: WidgetPointer = gtk_label_new("drop")
        let type = kind == "picture" ? gdk_texture_get_type() : gdk_file_list_get_type()
        guard let target = gtk_drop_target_new(type, GDK_ACTION_COPY) else { return }
        Signal.connect(target.raw, "notify::current-drop") { tell("over", "") }
        connectDrop(target.raw)
        gtk_widget_add_controller(label, target)
        let window = TestWindow(width: 200, height: 200, child: label)
        await window.shown()
        tell("ready", "")
        // Until the driver ends this process.
        await LoopWatch.shared.until { false }
    }

    private final class Nothing {}

    private static func connectDrop(_ target: UnsafeMutableRawPointer) {
        let call:
            @convention(c) (
                UnsafeMutableRawPointer, UnsafePointer<GValue>, Double, Double,
                UnsafeMutableRawPointer
            ) -> gboolean = { _, value, _, _, _ in
                nonisolated(unsafe) let value = value
                MainActor.assumeIsolated { Scenarios.didDrop(value) }
                return 1
            }
        Signal.attach(target, "drop", unsafeBitCast(call, to: GCallback.self), Nothing())
    }

    private static func didDrop(_ value: UnsafePointer<GValue>) {
        if let list = lazy_file_list_addresses(value) {
            tell("dropped", list.pointee.map { String(cString: $0) } ?? "")
            g_strfreev(list)
        } else if let object = g_value_get_object(value) {
            let texture = OpaquePointer(object)
            tell("dropped", "\(gdk_texture_get_width(texture))x\(gdk_texture_get_height(texture))")
        }
    }
}
