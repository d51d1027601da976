internal import CGTK
internal import CLazyGTK
internal import LazyKit

/// Follows the desktop's setting of reduced motion: no animation plays while it is on.
@MainActor final class ReducedMotion {
    static let shared = ReducedMotion()

    private struct Entry {
        weak var view: ImageViewContent?
    }
    private var views: [ObjectIdentifier: Entry] = [:]
    private var settings: OpaquePointer?

    func add(_ view: ImageViewContent) {
        follow()
        if views.count > 256 { views = views.filter { $0.value.view != nil } }
        views[ObjectIdentifier(view)] = Entry(view: view)
        apply(to: view)
    }

    func apply(to view: ImageViewContent) {
        let isAllowed = view.isAnimationWanted && !isReduced && view.isTypeAllowed
        if view.model.options.isAnimationEnabled != isAllowed {
            view.model.options.isAnimationEnabled = isAllowed
        }
    }

    private var isReduced: Bool { settings.map { lazy_reduces_motion($0) } ?? false }

    private func follow() {
        guard settings == nil, let settings = gtk_settings_get_default() else { return }
        self.settings = settings
        Signal.connect(settings.raw, "notify::gtk-enable-animations") { [weak self] in
            guard let self else { return }
            for entry in self.views.values {
                guard let view = entry.view else { continue }
                self.apply(to: view)
                view.setNeedsUpdate()
            }
        }
    }
}
