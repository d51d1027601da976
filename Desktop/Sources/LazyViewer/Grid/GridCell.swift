internal import CGTK
internal import LazyGTK
internal import LazyKit

/// A cell of the grid: an image over its name; used for one item after the other.
///
/// The grid keeps cells for dozens of rows around those on screen: a cell has its image only while it is seen.
@MainActor final class GridCell {
    let widget: WidgetPointer
    /// The position of the item that is shown.
    private(set) var position: Int?
    /// Called when the cell becomes visible or stops being so.
    var onVisibility: (@MainActor () -> Void)?
    private let view: LazyImageView
    private let label: WidgetPointer
    private var item: ViewerItem?

    init() {
        // The tile's own background is what shows before its image.
        view = LazyImageView(request: nil).contentMode(.aspectFill).transition(.fadeIn())
            .placeholder(nil)
        widget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 4)
        label = gtk_label_new(nil)
        gtk_widget_set_size_request(
            view.widget, CInt(GridColumns.cellWidth - 24), CInt(GridColumns.cellHeight))
        gtk_label_set_ellipsize(label.opaque, PANGO_ELLIPSIZE_MIDDLE)
        // Without a least width, GTK 4.8 computes a negative one while the grid is resized.
        gtk_label_set_width_chars(label.opaque, 4)
        gtk_label_set_max_width_chars(label.opaque, 12)
        gtk_box_append(widget.cast(), view.widget)
        gtk_box_append(widget.cast(), label)
        Signal.connect(view.widget.raw, "map") { [weak self] in self?.didChangeVisibility() }
        Signal.connect(view.widget.raw, "unmap") { [weak self] in self?.didChangeVisibility() }
        Signal.connectTooltip(widget) { [weak self] in self?.item?.name }
        view.onUpdate = { [weak self] in
            self?.restIfLong()
            self?.markTransparency()
        }
    }

    /// Whether the cell is on screen.
    var isVisible: Bool { gtk_widget_get_mapped(view.widget) != 0 }

    func show(_ item: ViewerItem, at position: Int) {
        self.position = position
        self.item = item
        gtk_label_set_text(label.opaque, item.name)
        if isVisible { load() }
    }

    func clear() {
        (position, item) = (nil, nil)
        if view.source != nil { view.setSource(nil) }
    }

    private func didChangeVisibility() {
        OwnWork.measure {
            if isVisible {
                load()
            } else {
                view.setSource(nil)
            }
            onVisibility?()
        }
    }

    private func load() {
        guard let item else { return }
        if !view.options.isAnimationEnabled { view.animated(true) }
        view.setSource(item.request)
    }

    /// The request of an item as this cell would load it; nil before it has a size.
    func request(of item: ViewerItem) -> ImageRequest? { view.prefetchRequest(item.request) }

    /// Shows squares behind what is transparent.
    private func markTransparency() {
        if view.model.phase.image?.isOpaque == false {
            gtk_widget_add_css_class(view.widget, "transparent")
        } else {
            gtk_widget_remove_css_class(view.widget, "transparent")
        }
    }

    // A film in a grid shows its poster: it is there to be chosen, not to be watched.
    private func restIfLong() {
        guard view.options.isAnimationEnabled, let info = view.model.info, !info.isPreview,
            let duration = info.duration, duration > .seconds(60)
        else { return }
        view.animated(false)
    }
}
