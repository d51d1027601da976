internal import CGTK
internal import LazyKit

/// Updates views on the frame clocks of their windows.
///
/// A view that changes asks for one frame; while nothing changes, no clock runs. In a frame the views
/// that wait longest are updated first, as many as the budget of new pictures allows.
@MainActor package final class FrameScheduler {
    /// The scheduler of the process.
    package static let shared = FrameScheduler()

    /// The time of each frame for new pictures, shared by all views of a window.
    package var time = Duration.milliseconds(4) {
        didSet { for clock in clocks.values { clock.budget.time = time } }
    }
    /// Called after each frame with the time that updates and drawing took, for measurements.
    package var onFrame: (@MainActor (_ updates: Duration, _ drawing: Duration) -> Void)?
    private var clocks: [OpaquePointer?: WindowClock] = [:]

    private init() {}

    /// A view has become visible.
    func add(_ view: ImageViewContent) { clock(of: view)?.add(view) }

    /// A view is not visible anymore.
    func remove(_ view: ImageViewContent) {
        for clock in clocks.values { clock.remove(view) }
    }

    /// A view has changed and is to be updated in the next frame.
    func update(_ view: ImageViewContent) { clock(of: view)?.update(view) }

    private func clock(of view: ImageViewContent) -> WindowClock? {
        guard let widget = view.widget, let pointer = gtk_widget_get_frame_clock(widget) else {
            return nil
        }
        if let clock = clocks[pointer] { return clock }
        let clock = WindowClock(pointer, native: gtk_widget_get_native(widget), time: time)
        clock.onFrame = { [weak self] in self?.onFrame?($0, $1) }
        clocks[pointer] = clock
        g_object_weak_ref(
            UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: GObject.self),
            { _, object in
                let pointer = OpaquePointer(object)
                MainActor.assumeIsolated { FrameScheduler.shared.clocks[pointer] = nil }
            }, nil)
        return clock
    }
}
