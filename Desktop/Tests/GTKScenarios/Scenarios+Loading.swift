internal import CGTK
internal import CLazyGTK
import Glibc
internal import LazyGTK
internal import LazyKit

// Scenarios with a server, whose log the driver reads.
extension Scenarios {
    /// A failed load shows a button, which loads again.
    static func failure(_ address: String) async {
        let view = view(address, ImagePipeline(configuration: .inMemory))
        let window = TestWindow(width: 128, height: 96, child: view.widget)
        await LoopWatch.shared.until { view.model.error != nil }
        await LoopWatch.shared.until { gtk_widget_get_first_child(view.widget) != nil }
        tell("phase", view.model.phase.name)
        guard let button = gtk_widget_get_first_child(view.widget) else { return }
        tell("button", lazy_is(button.raw, gtk_button_get_type()))
        gtk_widget_activate(button)
        await LoopWatch.shared.until { view.texture != nil }
        tell("again", view.model.phase.name)
        await LoopWatch.shared.until { gtk_widget_get_first_child(view.widget) == nil }
        tell("child", "none")
        withExtendedLifetime(window) {}
    }

    /// One view shows one failing file after the other.
    static func sentences(_ paths: [String]) async {
        let view = view(paths[0], ImagePipeline(configuration: .inMemory))
        let window = TestWindow(width: 320, height: 240, child: view.widget)
        for (number, path) in paths.enumerated() {
            view.setSource(ImageRequest(string: "file://" + path))
            await LoopWatch.shared.until { view.model.error != nil }
            await window.painted(after: { gtk_widget_queue_draw(view.widget) })
            tell("error\(number)", view.model.error?.description ?? "")
            guard let button = gtk_widget_get_first_child(view.widget) else { continue }
            tell(
                "tip\(number)",
                gtk_widget_get_tooltip_text(button).map { String(cString: $0) } ?? "")
            tell("text\(number)", text(in: button) ?? "")
        }
    }

    /// The text of the first label in a widget.
    private static func text(in widget: WidgetPointer) -> String? {
        if lazy_is(widget.raw, gtk_label_get_type()) {
            return String(cString: gtk_label_get_text(widget.opaque))
        }
        var child = gtk_widget_get_first_child(widget)
        while let present = child {
            if let text = text(in: present) { return text }
            child = gtk_widget_get_next_sibling(present)
        }
        return nil
    }

    /// The alpha in the corners of a view whose load has failed.
    static func gray(_ path: String) async {
        let view = view(path, ImagePipeline(configuration: .inMemory))
        view.settings.showsRetry = false
        let window = TestWindow(width: 128, height: 96, child: view.widget)
        await LoopWatch.shared.until { view.model.error != nil }
        await window.painted(after: { gtk_widget_queue_draw(view.widget) })
        let alphas = window.pixels(of: view.widget).map { bytes in
            [3, bytes.count - 1].map { bytes[$0] }
        }
        tell("alphas", alphas ?? [])
    }

    /// What draws, where the environment does not say it.
    static func renderer() {
        Renderer.chooseByDriver()
        tell("renderer", getenv("GSK_RENDERER").map { String(cString: $0) } ?? "")
    }

    /// A list of 40 images, of which 4 are on screen; the driver tells when to scroll.
    static func scroll(_ address: String) async {
        let pipeline = ImagePipeline(configuration: .inMemory)
        let fixed: WidgetPointer = gtk_fixed_new()
        var views: [LazyImageView] = []
        for row in 0..<40 {
            let view = LazyImageView("\(address)/\(row).gif", pipeline: pipeline)
            gtk_widget_set_size_request(view.widget, 128, 100)
            gtk_fixed_put(fixed.cast(), view.widget, 0, 0)
            views.append(view)
        }
        // Rows that are not seen are not mapped, as in the lists of GTK.
        func show(_ visible: Range<Int>) {
            for (row, view) in views.enumerated() {
                gtk_widget_set_child_visible(view.widget, visible.contains(row) ? 1 : 0)
            }
        }
        show(0..<4)
        let window = TestWindow(width: 128, height: 400, child: fixed)
        await LoopWatch.shared.until { views[..<4].allSatisfy(\.model.isLoading) }
        tell("loading", views.filter(\.model.isLoading).count)
        _ = readLine()
        show(20..<24)
        await LoopWatch.shared.until { views[20..<24].allSatisfy(\.model.isLoading) }
        tell("loading", views.filter(\.model.isLoading).count)
        _ = readLine()
        withExtendedLifetime(window) {}
    }

    /// A hundred animations on screen, within the budgets of memory, textures and uploads.
    static func many(_ words: [String]) async {
        let pipeline = ImagePipeline(configuration: .inMemory)
        let grid: WidgetPointer = gtk_grid_new()
        var views: [LazyImageView] = []
        for number in 0..<100 {
            // Each has its own identifier, so that none is shared.
            var request = ImageRequest(string: "file://" + words[number % words.count])
            request.imageID = "picture \(number)"
            let view = LazyImageView(request: request, pipeline: pipeline).looping(.forever)
            gtk_widget_set_size_request(view.widget, 112, 63)
            gtk_grid_attach(grid.cast(), view.widget, CInt(number % 10), CInt(number / 10), 1, 1)
            views.append(view)
        }
        let window = TestWindow(width: 1120, height: 630, child: grid)
        await LoopWatch.shared.until { views.allSatisfy { $0.model.playback?.frame != nil } }
        var most = 0
        let start = window.paintCount
        await LoopWatch.shared.until {
            most = max(most, LazyImageView.textureCount)
            return window.paintCount - start > 120
        }
        tell("views", views.count)
        tell("textures", most)
        tell("playing", views.filter { $0.model.playback?.state == .playing }.count)
        tell("pool", FramePool.shared.peakBytes >> 20)
        tell("rss", residentMegabytes)
        withExtendedLifetime(window) {}
    }

    /// The memory of this process, as the kernel counts it.
    private static var residentMegabytes: Int {
        guard let file = fopen("/proc/self/status", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, 256, file) != nil {
            let bytes = line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            let text = String(decoding: bytes, as: UTF8.self)
            guard text.hasPrefix("VmRSS:") else { continue }
            return (Int(text.filter(\.isNumber)) ?? 0) / 1024
        }
        return 0
    }

    /// What assistive technologies are told.
    static func accessible(_ path: String) async {
        let view = view(path, ImagePipeline(configuration: .inMemory))
        let window = TestWindow(width: 128, height: 96, child: view.widget)
        await LoopWatch.shared.until { view.model.phase.name == "success" && view.texture != nil }
        let accessible = OpaquePointer(view.widget)
        tell("role", gtk_accessible_get_accessible_role(accessible) == GTK_ACCESSIBLE_ROLE_IMG)
        tell("label", gtk_test_accessible_has_property(accessible, GTK_ACCESSIBLE_PROPERTY_LABEL))
        tell("busy", gtk_test_accessible_has_state(accessible, GTK_ACCESSIBLE_STATE_BUSY))
        withExtendedLifetime(window) {}
    }

    /// The defaults, and the callbacks in their order.
    static func options(_ path: String) async {
        var calls: [String] = []
        let view = view(path, ImagePipeline(configuration: .inMemory))
            .onCreated { _ in calls.append("created") }
            .onStart { _ in calls.append("start") }
            .onSuccess { _ in calls.append("success") }
            .onCompletion { _ in calls.append("completion") }
        let options = view.options
        tell("mode", options.contentMode.rawValue)
        tell("load", options.load == [.loadOnAppear, .cancelOnDisappear])
        tell("transition", options.transition.duration == .zero)
        tell("animated", options.isAnimationEnabled)
        tell("previews", options.showsPreviews)
        tell("looping", options.looping == .asAuthored)
        let window = TestWindow(width: 128, height: 96, child: view.widget)
        await LoopWatch.shared.until { view.texture != nil && calls.contains("completion") }
        tell("calls", calls.joined(separator: ","))
        view.reset()
        await LoopWatch.shared.until { view.texture == nil }
        tell("reset", view.model.phase.name)
        withExtendedLifetime(window) {}
    }
}
