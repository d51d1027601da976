public import CGTK
internal import CLazyGTK

/// A widget of GTK.
public typealias WidgetPointer = UnsafeMutablePointer<GtkWidget>

extension UnsafeMutablePointer where Pointee == GtkWidget {
    /// The same object for functions of a class whose structure is public.
    package func cast<Class>(to type: Class.Type = Class.self) -> UnsafeMutablePointer<Class> {
        UnsafeMutableRawPointer(self).assumingMemoryBound(to: type)
    }

    /// The same object for functions of a class whose structure is private.
    package var opaque: OpaquePointer { OpaquePointer(self) }

    /// The same object as any object.
    package var raw: UnsafeMutableRawPointer { UnsafeMutableRawPointer(self) }
}

extension OpaquePointer {
    /// The same object as a widget.
    package var widget: WidgetPointer { WidgetPointer(self) }

    /// The same object as any object.
    package var raw: UnsafeMutableRawPointer { UnsafeMutableRawPointer(self) }
}

/// Owns one reference to an object.
package final class ObjectReference {
    package let pointer: UnsafeMutableRawPointer

    /// Takes a reference; sinks a floating one.
    package init(_ pointer: UnsafeMutableRawPointer) {
        self.pointer = pointer
        g_object_ref_sink(pointer)
    }

    /// Takes over the caller's reference.
    package init(owned pointer: UnsafeMutableRawPointer) { self.pointer = pointer }

    deinit { g_object_unref(pointer) }
}
