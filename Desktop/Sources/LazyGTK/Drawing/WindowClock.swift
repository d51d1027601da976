internal import CGTK
internal import CLazyGTK
internal import LazyBase
internal import LazyKit

/// The views of one window, updated by its frame clock.
@MainActor final class WindowClock {
    var budget: UploadBudget
    var onFrame: ((Duration, Duration) -> Void)?
    private let pointer: OpaquePointer
    private let surface: OpaquePointer?
    /// The visible views.
    private var views: [ObjectIdentifier: Visible] = [:]
    /// The views that wait for a frame, and the order in which they asked; one that is gone stays there.
    private var waiting: Set<ObjectIdentifier> = []
    private var order: [ObjectIdentifier] = []
    private var requestTime: Duration?
    private var frameStart: Duration?
    private var updateTime = Duration.zero
    private var isStalled = false
    private let time = SystemSteadyClock()

    /// A compositor that asks for no frame for so long shows nothing of the window.
    private static let longestFrame = Duration.seconds(1)

    private struct Visible {
        weak var view: ImageViewContent?
    }

    init(_ pointer: OpaquePointer, native: OpaquePointer?, time: Duration) {
        self.pointer = pointer
        surface = native.flatMap { gtk_native_get_surface($0) }
        budget = UploadBudget(time: time)
        Signal.connect(pointer.raw, "update") { [weak self] in
            OwnWork.measure { self?.beginFrame() }
        }
        Signal.connect(pointer.raw, "after-paint") { [weak self] in self?.endFrame() }
        guard let surface else { return }
        Signal.connect(surface.raw, "notify::state") { [weak self] in self?.pauseHidden() }
    }

    func add(_ view: ImageViewContent) {
        views[ObjectIdentifier(view)] = Visible(view: view)
        view.isCovered = isHidden
        update(view)
    }

    func remove(_ view: ImageViewContent) {
        views[ObjectIdentifier(view)] = nil
        waiting.remove(ObjectIdentifier(view))
    }

    func update(_ view: ImageViewContent) {
        let id = ObjectIdentifier(view)
        if waiting.insert(id).inserted { order.append(id) }
        let now = time.now
        guard let requestTime else { return request(now) }
        if now - requestTime > Self.longestFrame, !isStalled {
            isStalled = true
            pauseHidden()
        }
    }

    private func request(_ now: Duration) {
        requestTime = now
        gdk_frame_clock_request_phase(pointer, GDK_FRAME_CLOCK_PHASE_UPDATE)
    }

    // MARK: - A frame

    private func beginFrame() {
        let start = time.now
        frameStart = start
        requestTime = nil
        budget.beginFrame()
        if isStalled {
            isStalled = false
            pauseHidden()
        }
        updateViews()
        if !waiting.isEmpty, requestTime == nil { request(start) }
        updateTime = time.now - start
    }

    /// Updates the views that wait longest, as many as the budget allows.
    private func updateViews() {
        // Views that are updated may ask for the next frame.
        let asked = order
        order = []
        for (place, id) in asked.enumerated() where waiting.contains(id) {
            guard let view = views[id]?.view else {
                waiting.remove(id)
                continue
            }
            guard budget.takes(pixels: view.newPixelCount) else {
                order.insert(contentsOf: asked[place...], at: 0)
                return
            }
            waiting.remove(id)
            view.update()
        }
    }

    private func endFrame() {
        guard let start = frameStart else { return }
        frameStart = nil
        let length = time.now - start
        budget.didDraw(in: length - updateTime)
        onFrame?(updateTime, length - updateTime)
        updateTime = .zero
    }

    // MARK: - Hidden windows

    private var isHidden: Bool {
        guard let surface, lazy_is(surface.raw, gdk_toplevel_get_type()) else { return isStalled }
        let state = gdk_toplevel_get_state(surface)
        return isStalled || state.rawValue & GDK_TOPLEVEL_STATE_MINIMIZED.rawValue != 0
    }

    private func pauseHidden() {
        let isHidden = isHidden
        for entry in views.values { entry.view?.isCovered = isHidden }
    }
}
