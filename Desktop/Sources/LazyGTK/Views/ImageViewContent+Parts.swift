internal import CGTK
internal import CLazyGTK
internal import LazyKit

// The other parts of the view: a child widget, and what assistive technologies read.
extension ImageViewContent {
    /// Tells the phase, the name and the state to GObject and to assistive technologies.
    func describe() {
        guard let widget else { return }
        let phase = model.phase
        showChild(phase)
        let isBusy: Bool
        switch phase {
        case .inProgress, .preview: isBusy = true
        case .empty, .success, .failure: isBusy = false
        }
        let told = "\(phase.name) \(name) \(details)"
        guard told != phaseName else { return }
        phaseName = told
        lazy_widget_set_accessible(widget, name, details, isBusy)
        lazy_image_view_set_phase(widget, phase.name)
    }

    /// What the image shows, as far as anybody has said.
    var name: String {
        if let alternativeText { return alternativeText }
        guard let url = model.source?.url else { return model.source?.imageID ?? "" }
        return url.scheme == "data" ? "" : url.lastPathComponent
    }

    private var details: String {
        if let error = model.error { return error.description }
        guard let info = model.info else { return "" }
        let size = "\(info.size.width) × \(info.size.height)"
        guard info.isAnimated else { return size }
        return info.frameCount.map { "\(size), \($0) frames" } ?? size
    }

    // MARK: - The child

    private func showChild(_ phase: LoadPhase) {
        switch phase {
        case .failure:
            if let widget = settings.failureWidget { return setChild(widget) }
            guard settings.showsRetry else { return setChild(nil) }
            let button = failureButton ?? FailureButton { [weak self] in self?.model.retry() }
            failureButton = button
            button.show(model.error?.description ?? "", isWide: place.width >= 96)
            setChild(button.widget)
        case .empty, .inProgress:
            setChild(drawing.content == nil ? settings.placeholderWidget : nil)
        case .preview, .success: setChild(nil)
        }
    }

    func setChild(_ child: WidgetPointer?) {
        guard child != self.child, let widget else { return }
        if let old = self.child { gtk_widget_unparent(old) }
        self.child = child
        guard let child else { return }
        gtk_widget_set_halign(child, GTK_ALIGN_CENTER)
        gtk_widget_set_valign(child, GTK_ALIGN_CENTER)
        gtk_widget_set_parent(child, widget)
        gtk_widget_queue_resize(widget)
    }

    func allocateChild() {
        guard let child else { return }
        var minimum: CInt = 0
        gtk_widget_measure(child, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, nil, nil, nil)
        let width = max(CInt(place.width), minimum)
        gtk_widget_measure(child, GTK_ORIENTATION_VERTICAL, width, &minimum, nil, nil, nil)
        var area = GtkAllocation(
            x: 0, y: 0, width: width, height: max(CInt(place.height), minimum))
        gtk_widget_size_allocate(child, &area, -1)
    }

    /// The natural size of the image, in the units of the toolkit.
    var naturalSize: (width: Int, height: Int) {
        guard settings.hasNaturalSize, let size = model.info?.size ?? drawing.content?.size else {
            return (0, 0)
        }
        let turned = quarterTurns % 2 == 0 ? size : size.transposed
        return (turned.width / max(1, scale), turned.height / max(1, scale))
    }
}
