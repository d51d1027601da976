internal import CGTK
import Glibc
internal import LazyGTK
internal import LazyKit

/// What the tests look at, by name.
@MainActor enum Scenarios {
    struct Unknown: Error {}

    static func run(_ words: [String]) async throws {
        let name = words.first ?? ""
        let rest = Array(words.dropFirst())
        switch name {
        case "actor": await actor()
        case "frames": try await frames(rest[0])
        case "shared": await shared(rest[0])
        case "motion": await reducedMotion(rest[0])
        case "size": await size(rest[0])
        case "failure": await failure(rest[0])
        case "sentences": await sentences(rest)
        case "gray": await gray(rest[0])
        case "renderer": renderer()
        case "scroll": await scroll(rest[0])
        case "many": await many(rest)
        case "accessible": await accessible(rest[0])
        case "options": await options(rest[0])
        case "idle": await idle(rest)
        case "drag": await drag(rest[0])
        case "drop": await drop(rest[0])
        default: throw Unknown()
        }
    }

    static func tell(_ name: String, _ value: Any) {
        print("\(name) \(value)")
        fflush(nil)
    }

    /// An image whose player follows a clock of the scenario.
    static func model(_ path: String, _ clock: TestClock) -> LazyImage {
        var options = LazyImageOptions()
        options.looping = .asAuthored
        return LazyImage(
            request: ImageRequest(string: "file://" + path), options: options,
            pipeline: ImagePipeline(configuration: .inMemory), clock: clock)
    }

    static func view(_ path: String, _ pipeline: ImagePipeline) -> LazyImageView {
        let address = path.hasPrefix("/") ? "file://" + path : path
        return LazyImageView(address, pipeline: pipeline)
    }

    // MARK: - The main actor

    /// Tasks of the main actor run, and nothing wakes the loop when nothing happens.
    private static func actor() async {
        var sum = 0
        for number in 0..<1000 {
            sum += await Task.detached { await hop(number) }.value
        }
        tell("sum", sum)
        tell("timeout", LoopWatch.shared.nextTimeout.map { "\($0)" } ?? "none")
    }

    private static func hop(_ number: Int) -> Int {
        precondition(g_main_context_is_owner(g_main_context_default()) != 0)
        return number
    }

    // MARK: - Frames

    /// Each frame at its time, pixel for pixel, and none twice.
    private static func frames(_ path: String) async throws {
        let clock = TestClock()
        let view = LazyImageView(request: nil).contentMode(.fill)
        view.model = model(path, clock)
        view.contentMode(.fill)
        let sequence = try FrameSequence(path: path)
        let size = sequence.info.size
        let window = TestWindow(width: size.width, height: size.height, child: view.widget)
        let index = try await sequence.frameIndex()
        for timing in index.timings {
            clock.move(to: timing.presentation.duration)
            await LoopWatch.shared.until {
                view.model.playback?.frame?.index == timing.index && clock.sleeperCount > 0
            }
            let expected = try await sequence.frame(timing.index).bitmap.downloaded
            await LoopWatch.shared.until { window.pixels(of: view.widget) == expected }
            tell("shown", timing.index)
            // The driver looks at the screen, and answers.
            if timing.index % 4 == 0 {
                await window.shown()
                tell("look", timing.index)
                _ = readLine()
            }
        }
        tell("phase", view.model.phase.name)
    }

    // MARK: - Sharing

    /// Two views of one animation decode each frame once and share its texture.
    private static func shared(_ path: String) async {
        let pipeline = ImagePipeline(configuration: .inMemory)
        let views = [view(path, pipeline), view(path, pipeline)]
        let box: WidgetPointer = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0)
        for view in views {
            gtk_widget_set_size_request(view.widget, 128, 96)
            gtk_box_append(box.cast(), view.widget)
        }
        let window = TestWindow(width: 256, height: 96, child: box)
        await LoopWatch.shared.until {
            views.allSatisfy { ($0.model.playback?.frame?.index ?? 0) > 2 }
        }
        for view in views { view.model.playback?.pause() }
        views[0].model.playback?.seek(toFrame: 1)
        views[1].model.playback?.seek(toFrame: 1)
        await LoopWatch.shared.until { views.allSatisfy { $0.model.playback?.frame?.index == 1 } }
        await LoopWatch.shared.until { views[0].texture == views[1].texture }
        tell("same", views[0].texture == views[1].texture)
        tell("stores", FramePool.shared.statistics.stores.count)
        withExtendedLifetime(window) {}
    }

    // MARK: - Settings

    /// With reduced motion the poster stands; without it, the animation plays.
    private static func reducedMotion(_ path: String) async {
        setAnimations(false)
        let view = view(path, ImagePipeline(configuration: .inMemory))
        let window = TestWindow(width: 128, height: 96, child: view.widget)
        await LoopWatch.shared.until { view.model.phase.name == "success" && view.texture != nil }
        tell("reduced", view.model.playback == nil)
        setAnimations(true)
        await LoopWatch.shared.until { (view.model.playback?.frame?.index ?? 0) > 0 }
        tell("plays", true)
        setAnimations(false)
        await LoopWatch.shared.until { view.model.playback == nil }
        tell("reducedAgain", true)
        withExtendedLifetime(window) {}
    }

    private static func setAnimations(_ isEnabled: Bool) {
        guard let settings = gtk_settings_get_default() else { return }
        var value = GValue()
        g_value_init(&value, GType(5 << 2))  // G_TYPE_BOOLEAN
        g_value_set_boolean(&value, isEnabled ? 1 : 0)
        let object = UnsafeMutableRawPointer(settings).assumingMemoryBound(to: GObject.self)
        g_object_set_property(object, "gtk-enable-animations", &value)
    }

    /// Images are decoded at the size they are shown, and anew when that grows.
    private static func size(_ path: String) async {
        let view = view(path, ImagePipeline(configuration: .inMemory)).contentMode(.aspectFit)
        let window = TestWindow(width: 160, height: 120, child: view.widget)
        await LoopWatch.shared.until { view.model.playback?.frame != nil }
        tell("first", view.model.info.map { "\($0.deliveredSize)" } ?? "")
        view.model.playback?.pause()
        view.model.playback?.seek(toFrame: 30)
        await LoopWatch.shared.until { view.model.playback?.frame?.index == 30 }
        gtk_window_set_default_size(window.widget.cast(), 480, 360)
        await LoopWatch.shared.until {
            (view.model.info?.deliveredSize.width ?? 0) > 160
                && view.model.playback?.frame?.index == 30
        }
        tell("grown", view.model.info.map { "\($0.deliveredSize)" } ?? "")
        tell("state", view.model.playback?.state.rawValue ?? "")
    }
}
