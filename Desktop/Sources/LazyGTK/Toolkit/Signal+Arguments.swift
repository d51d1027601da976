package import CGTK

// Signals whose arguments matter; the instance comes first and the data last.
extension Signal {
    private final class Box<Body> {
        let body: Body
        init(_ body: Body) { self.body = body }
    }

    /// The closure that was passed as data.
    nonisolated private static func body<Body>(_ data: UnsafeMutableRawPointer) -> Body {
        Unmanaged<Box<Body>>.fromOpaque(data).takeUnretainedValue().body
    }

    package typealias PointBody = @MainActor (_ x: Double, _ y: Double) -> Bool

    /// Connects a signal with two numbers, such as a motion, a drag or a scroll event.
    package static func connectPoint(
        _ object: UnsafeMutableRawPointer, _ name: String, _ body: @escaping PointBody
    ) {
        let call:
            @convention(c) (UnsafeMutableRawPointer, Double, Double, UnsafeMutableRawPointer)
                -> gboolean = { _, x, y, data in
                    let body: PointBody = Signal.body(data)
                    return MainActor.assumeIsolated { body(x, y) } ? 1 : 0
                }
        attach(object, name, unsafeBitCast(call, to: GCallback.self), Box(body))
    }

    package typealias NumberBody = @MainActor (_ value: Double) -> Void

    /// Connects a signal with one number, such as a pinch.
    package static func connectNumber(
        _ object: UnsafeMutableRawPointer, _ name: String, _ body: @escaping NumberBody
    ) {
        let call:
            @convention(c) (UnsafeMutableRawPointer, Double, UnsafeMutableRawPointer) -> Void = {
                _, value, data in
                let body: NumberBody = Signal.body(data)
                MainActor.assumeIsolated { body(value) }
            }
        attach(object, name, unsafeBitCast(call, to: GCallback.self), Box(body))
    }

    package typealias PressBody = @MainActor (_ count: Int, _ x: Double, _ y: Double) -> Void

    /// Connects a signal with the number of presses and their place.
    package static func connectPress(
        _ object: UnsafeMutableRawPointer, _ name: String, _ body: @escaping PressBody
    ) {
        let call:
            @convention(c) (UnsafeMutableRawPointer, CInt, Double, Double, UnsafeMutableRawPointer)
                -> Void = { _, count, x, y, data in
                    let body: PressBody = Signal.body(data)
                    MainActor.assumeIsolated { body(Int(count), x, y) }
                }
        attach(object, name, unsafeBitCast(call, to: GCallback.self), Box(body))
    }

    package typealias CodeBody = @MainActor (_ code: Int) -> Void

    /// Connects a signal with one integer of 32 bits, such as a position or an answer.
    package static func connectCode(
        _ object: UnsafeMutableRawPointer, _ name: String, _ body: @escaping CodeBody
    ) {
        let call: @convention(c) (UnsafeMutableRawPointer, CInt, UnsafeMutableRawPointer) -> Void =
            {
                _, code, data in
                let body: CodeBody = Signal.body(data)
                MainActor.assumeIsolated { body(Int(code)) }
            }
        attach(object, name, unsafeBitCast(call, to: GCallback.self), Box(body))
    }

    package typealias ObjectBody = @MainActor (_ object: OpaquePointer) -> Void

    /// Connects a signal with one object, such as the item of a list.
    package static func connectObject(
        _ object: UnsafeMutableRawPointer, _ name: String, _ body: @escaping ObjectBody
    ) {
        let call:
            @convention(c) (UnsafeMutableRawPointer, OpaquePointer, UnsafeMutableRawPointer) -> Void =
                { _, other, data in
                    nonisolated(unsafe) let pointer = other
                    let body: ObjectBody = Signal.body(data)
                    MainActor.assumeIsolated { body(pointer) }
                }
        attach(object, name, unsafeBitCast(call, to: GCallback.self), Box(body))
    }

    package typealias KeyBody = @MainActor (_ key: UInt32, _ modifiers: GdkModifierType) -> Bool

    /// Connects the signal of a pressed key.
    package static func connectKey(
        _ object: UnsafeMutableRawPointer, _ name: String, _ body: @escaping KeyBody
    ) {
        let call:
            @convention(c) (
                UnsafeMutableRawPointer, UInt32, UInt32, GdkModifierType, UnsafeMutableRawPointer
            ) -> gboolean = { _, key, _, modifiers, data in
                let body: KeyBody = Signal.body(data)
                return MainActor.assumeIsolated { body(key, modifiers) } ? 1 : 0
            }
        attach(object, name, unsafeBitCast(call, to: GCallback.self), Box(body))
    }

    package typealias TextBody = @MainActor () -> String?

    /// Answers the question of a widget for its tooltip, which GTK asks where the pointer rests.
    ///
    /// To set the text of a tooltip asks the display server where the pointer is, and waits.
    package static func connectTooltip(_ widget: WidgetPointer, _ body: @escaping TextBody) {
        let call:
            @convention(c) (
                UnsafeMutableRawPointer, CInt, CInt, gboolean, OpaquePointer,
                UnsafeMutableRawPointer
            ) -> gboolean = { _, _, _, _, tooltip, data in
                let body: TextBody = Signal.body(data)
                let text = MainActor.assumeIsolated { body() }
                gtk_tooltip_set_text(tooltip, text)
                return text == nil ? 0 : 1
            }
        attach(
            widget.raw, "query-tooltip", unsafeBitCast(call, to: GCallback.self), Box(body))
        gtk_widget_set_has_tooltip(widget, 1)
    }
}
