package import CGTK

/// Connects closures to signals; a connection ends with the object.
///
/// The data of a swapped connection comes first, so one C function serves all signals whose arguments
/// are not needed.
@MainActor package enum Signal {
    private final class Handler {
        let body: @MainActor () -> Void
        init(_ body: @escaping @MainActor () -> Void) { self.body = body }
    }

    /// Calls a closure on each emission.
    @discardableResult
    package static func connect(
        _ object: UnsafeMutableRawPointer, _ name: String,
        _ body: @escaping @MainActor () -> Void
    ) -> UInt {
        let call: @convention(c) (UnsafeMutableRawPointer) -> Void = { data in
            let handler = Unmanaged<Handler>.fromOpaque(data).takeUnretainedValue()
            MainActor.assumeIsolated { handler.body() }
        }
        return attach(
            object, name, unsafeBitCast(call, to: GCallback.self), Handler(body), isSwapped: true)
    }

    /// Connects a C function; `data` is its last argument, or its first one if swapped.
    @discardableResult
    package static func attach(
        _ object: UnsafeMutableRawPointer, _ name: String, _ function: GCallback, _ data: AnyObject,
        isSwapped: Bool = false
    ) -> UInt {
        g_signal_connect_data(
            object, name, function, Unmanaged.passRetained(data).toOpaque(),
            { data, _ in
                if let data { Unmanaged<AnyObject>.fromOpaque(data).release() }
            }, isSwapped ? G_CONNECT_SWAPPED : G_CONNECT_DEFAULT)
    }

    /// Ends a connection.
    package static func disconnect(_ object: UnsafeMutableRawPointer, _ connection: UInt) {
        g_signal_handler_disconnect(object, connection)
    }
}
