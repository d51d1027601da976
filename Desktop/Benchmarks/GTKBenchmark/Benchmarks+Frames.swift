internal import CGTK
import Glibc
internal import LazyGTK
internal import LazyKit
internal import LazyViewer

extension Benchmarks {
    /// What frames cost: the time of this package and of the thread, and until the frame is painted.
    @MainActor final class Frames {
        private(set) var own: [Double] = []
        private(set) var ownWall: [Double] = []
        private(set) var cpu: [Double] = []
        private(set) var wall: [Double] = []
        var onFrame: (() -> Void)?
        private var cpuStart = 0.0
        private var wallStart = 0.0
        private var isCounting = false

        init(_ window: WidgetPointer) {
            guard let clock = gtk_widget_get_frame_clock(window) else { return }
            OwnWork.isMeasured = true
            Signal.connect(clock.raw, "before-paint") { [unowned self] in self.begin() }
            Signal.connect(clock.raw, "after-paint") { [unowned self] in self.end() }
            Signal.connect(clock.raw, "update") { [unowned self] in self.onFrame?() }
        }

        func start() { isCounting = true }

        private func begin() {
            cpuStart = Self.threadTime
            wallStart = Benchmarks.clock.now / .milliseconds(1)
        }

        private func end() {
            let time = OwnWork.take()
            guard isCounting else { return }
            own.append(time.cpu / .milliseconds(1))
            ownWall.append(time.wall / .milliseconds(1))
            cpu.append(Self.threadTime - cpuStart)
            wall.append(Benchmarks.clock.now / .milliseconds(1) - wallStart)
        }

        func reset() { (own, ownWall, cpu, wall) = ([], [], [], []) }

        func tell(_ name: String, seconds: Double) {
            Benchmarks.tell([
                (name + "_fps", Double(own.count) / seconds),
                (name + "_own_p50", Self.part(own, 0.5)), (name + "_own_p99", Self.part(own, 0.99)),
                (name + "_own_wall_p50", Self.part(ownWall, 0.5)),
                (name + "_own_wall_p99", Self.part(ownWall, 0.99)),
                (name + "_cpu_p50", Self.part(cpu, 0.5)),
                (name + "_wall_p50", Self.part(wall, 0.5)),
                (name + "_wall_p95", Self.part(wall, 0.95)),
                (name + "_textures", Double(LazyImageView.textureCount)),
                (name + "_rss_mb", Benchmarks.memory),
                (name + "_pool_mb", Double(FramePool.shared.peakBytes) / 1_048_576),
            ])
        }

        private static func part(_ values: [Double], _ part: Double) -> Double {
            guard !values.isEmpty else { return 0 }
            return values.sorted()[min(values.count - 1, Int(Double(values.count) * part))]
        }

        private static var threadTime: Double {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000
        }
    }

    /// The grid of a folder: standing still, then flung by 40 pixels a frame.
    static func grid(_ folder: String, seconds: Int) async {
        let grid = ItemGrid(ItemSearch([folder]).items)
        let window = window(grid.widget, 1280, 800)
        let frames = Frames(window)
        await wait(.seconds(5))
        frames.start()
        await wait(.seconds(seconds))
        frames.tell("still", seconds: Double(seconds))
        frames.reset()
        let adjustment = gtk_scrolled_window_get_vadjustment(grid.widget.opaque)
        let tick = Tick(window) {
            let value = gtk_adjustment_get_value(adjustment) + 40
            let end =
                gtk_adjustment_get_upper(adjustment) - gtk_adjustment_get_page_size(adjustment)
            gtk_adjustment_set_value(adjustment, value < end ? value : 0)
        }
        await wait(.seconds(seconds))
        frames.tell("fling", seconds: Double(seconds))
        withExtendedLifetime((window, frames, tick, grid)) {}
    }

    /// A hundred animations side by side, each decoded by itself.
    static func wall(_ paths: [String], seconds: Int) async {
        let table: WidgetPointer = gtk_grid_new()
        var views: [LazyImageView] = []
        for number in 0..<100 {
            var request = ImageRequest(string: "file://" + paths[number % paths.count])
            request.imageID = "picture \(number)"
            let view = LazyImageView(request: request).looping(.forever)
            gtk_widget_set_size_request(view.widget, 128, 80)
            gtk_grid_attach(table.cast(), view.widget, CInt(number % 10), CInt(number / 10), 1, 1)
            views.append(view)
        }
        let window = window(table, 1280, 800)
        let frames = Frames(window)
        await wait(.seconds(5))
        frames.start()
        for _ in 0..<3 {
            await wait(.seconds(seconds))
            frames.tell("wall", seconds: Double(seconds))
            frames.reset()
        }
        let counts = views.compactMap { $0.model.playback?.droppedFrames }
        tell([("playing", Double(counts.count)), ("dropped", Double(counts.reduce(0, +)))])
        withExtendedLifetime((window, frames)) {}
    }

    /// Asks for a frame after the other, as a fling does.
    @MainActor final class Tick {
        let body: () -> Void

        init(_ window: WidgetPointer, _ body: @escaping () -> Void) {
            self.body = body
            gtk_widget_add_tick_callback(
                window,
                { _, _, data in
                    guard let data else { return 0 }
                    nonisolated(unsafe) let pointer = data
                    MainActor.assumeIsolated {
                        Unmanaged<Tick>.fromOpaque(pointer).takeUnretainedValue().body()
                    }
                    return 1
                }, Unmanaged.passUnretained(self).toOpaque(), nil)
        }
    }

    /// The memory of this process in MB.
    static var memory: Double {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 128)
        fgets(&line, 128, file)
        let text = String(
            decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? 0
        return pages * Double(sysconf(CInt(_SC_PAGESIZE))) / 1_048_576
    }
}
