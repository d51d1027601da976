internal import CGTK
internal import CLazyGTK
import Glibc
internal import LazyBase
internal import LazyGTK
internal import LazyKit
internal import LazyViewer

/// The measurements, by name; each prints one line of names and values.
@MainActor enum Benchmarks {
    static let clock = SystemSteadyClock()

    static func run(_ words: [String]) async {
        switch words.first {
        case "hop": await hop(words[1])
        case "idle": await idle(words[1])
        case "bare": await bare()
        case "poster": await poster(words[1])
        case "grid": await grid(words[1], seconds: Int(words[2]) ?? 3)
        case "wall": await wall(Array(words.dropFirst(2)), seconds: Int(words[1]) ?? 5)
        default: print("usage: GTKBenchmark hop|idle|bare|poster|grid|wall …")
        }
    }

    static func tell(_ values: [(String, Double)]) {
        let words = values.map { "\($0)=\(($1 * 1000).rounded() / 1000)" }
        print(words.joined(separator: " "))
        fflush(nil)
    }

    static func window(_ child: WidgetPointer?, _ width: CInt, _ height: CInt) -> WidgetPointer {
        let window: WidgetPointer = gtk_window_new()
        gtk_window_set_decorated(window.cast(), 0)
        gtk_window_set_default_size(window.cast(), width, height)
        if let child { gtk_window_set_child(window.cast(), child) }
        gtk_window_present(window.cast())
        return window
    }

    static func wait(_ time: Duration) async { try? await Task.sleep(for: time) }

    // MARK: - The main actor

    /// Hops to the main actor under a window that draws.
    private static func hop(_ path: String) async {
        let view = LazyImageView("file://" + path)
        let window = window(view.widget, 640, 360)
        await wait(.seconds(1))
        let clock = clock
        var times: [Duration] = []
        for _ in 0..<500 {
            let start = await Task.detached { clock.now }.value
            _ = start
            let time = await Task.detached { () -> Duration in
                let start = clock.now
                await MainActor.run {}
                return (clock.now - start)
            }.value
            times.append(time)
            await wait(.milliseconds(3))
        }
        let sum = times.reduce(.zero, +) / .milliseconds(1)
        tell([
            ("hop_mean_ms", sum / Double(times.count)),
            ("hop_worst_ms", (times.max() ?? .zero) / .milliseconds(1)),
        ])
        withExtendedLifetime(window) {}
    }

    /// When the loop has slept.
    private static var sleeps: [Duration] = []

    /// Wakeups of the loop while a still image is shown.
    private static func idle(_ path: String) async {
        let view = LazyImageView("file://" + path)
        let window = window(view.widget, 640, 360)
        await wait(.seconds(2))
        g_main_context_set_poll_func(nil) { descriptors, count, timeout in
            MainActor.assumeIsolated { Benchmarks.sleeps.append(Benchmarks.clock.now) }
            return g_poll(descriptors, count, timeout)
        }
        let start = clock.now
        await wait(.seconds(6))
        let end = clock.now
        // What this measurement does is at both ends.
        let idle = sleeps.filter {
            $0 > start + .milliseconds(500) && $0 < end - .milliseconds(500)
        }
        tell([("wakeups_per_second", Double(idle.count) / 5)])
        withExtendedLifetime(window) {}
    }

    // MARK: - Start

    private static func painted(_ window: WidgetPointer, _ condition: @escaping () -> Bool) async {
        guard let pointer = gtk_widget_get_frame_clock(window) else { return }
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            var waiting: CheckedContinuation<Void, Never>? = continuation
            Signal.connect(pointer.raw, "after-paint") {
                if condition() { waiting.take()?.resume() }
            }
        }
    }

    private static func bare() async {
        let window = window(nil, 960, 640)
        await painted(window) { true }
        print("painted")
    }

    private static func poster(_ path: String) async {
        let view = LazyImageView("file://" + path).contentMode(.aspectFit)
        let window = window(view.widget, 960, 640)
        await painted(window) { view.texture != nil }
        print("painted")
    }
}
