internal import CGTK

/// Runs a closure once, after a delay, on GLib's loop; releasing it cancels that.
@MainActor package final class Timeout {
    private final class Handler {
        var body: (@MainActor () -> Void)?
        init(_ body: @escaping @MainActor () -> Void) { self.body = body }
    }
    private let handler: Handler

    package init(after delay: Duration, _ body: @escaping @MainActor () -> Void) {
        handler = Handler(body)
        let milliseconds = UInt32(clamping: Int(max(0, delay / .milliseconds(1))))
        g_timeout_add_full(
            G_PRIORITY_DEFAULT, milliseconds,
            { data in
                guard let data else { return 0 }
                let handler = Unmanaged<Handler>.fromOpaque(data).takeUnretainedValue()
                MainActor.assumeIsolated { handler.body.take()?() }
                return 0
            }, Unmanaged.passRetained(handler).toOpaque(),
            { data in if let data { Unmanaged<Handler>.fromOpaque(data).release() } })
    }

    /// Cancels it.
    package func cancel() { handler.body = nil }
}
