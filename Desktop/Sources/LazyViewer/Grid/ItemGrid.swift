internal import CGTK
package import LazyGTK
internal import LazyKit

/// The grid of all items: cells are recycled, and items ahead of scrolling are loaded before they show.
@MainActor package final class ItemGrid {
    package let widget: WidgetPointer
    /// Called with the position of a chosen item.
    package var onActivate: (@MainActor (Int) -> Void)?
    package private(set) var items: [ViewerItem]
    private let grid: WidgetPointer
    private let names: OpaquePointer
    private let selection: OpaquePointer
    private var cells: [OpaquePointer: GridCell] = [:]
    private var window = PrefetchWindow()
    private let prefetcher = ImagePrefetcher()
    private var prefetched: [ImageRequest] = []
    private var prefetching: Timeout?

    package init(_ items: [ViewerItem]) {
        self.items = items
        names = gtk_string_list_new(nil)
        for item in items { gtk_string_list_append(names, item.name) }
        selection = gtk_single_selection_new(names)
        let factory = gtk_signal_list_item_factory_new()
        grid = gtk_grid_view_new(selection, factory)
        gtk_grid_view_set_min_columns(grid.opaque, 1)
        widget = gtk_scrolled_window_new()
        gtk_scrolled_window_set_child(widget.opaque, grid)
        gtk_scrolled_window_set_policy(widget.opaque, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
        gtk_widget_set_vexpand(widget, 1)
        gtk_widget_add_css_class(grid, "pictures")
        prefetcher.priority = .low
        if let factory { connect(UnsafeMutableRawPointer(factory)) }
        Signal.connectCode(grid.raw, "activate") { [weak self] in self?.onActivate?($0) }
        Signal.connect(grid.raw, "map") { [weak self] in self?.takeFocus() }
        followWidth()
    }

    /// Shows other items.
    func replace(_ items: [ViewerItem]) {
        let count = self.items.count
        self.items = items
        let texts = items.map { strdup($0.name) }
        defer { for text in texts { free(text) } }
        var pointers = texts.map { UnsafePointer($0) } + [nil]
        gtk_string_list_splice(names, 0, guint(count), &pointers)
    }

    /// Selects an item and scrolls to it.
    func select(_ position: Int) {
        gtk_single_selection_set_selected(selection, guint(position))
        let target = g_variant_new_uint32(guint(position))
        gtk_widget_activate_action_variant(grid, "list.scroll-to-item", target)
    }

    /// The selected position.
    var selected: Int { Int(gtk_single_selection_get_selected(selection)) }

    /// Gives the keys to the grid, now or when it is shown.
    func focus() {
        if gtk_widget_get_mapped(grid) != 0 {
            gtk_widget_grab_focus(grid)
        } else {
            wantsFocus = true
        }
    }

    private var wantsFocus = false

    private func takeFocus() {
        guard wantsFocus else { return }
        wantsFocus = false
        // Its cells are made by the layout that follows.
        focusing = Timeout(after: .zero) { [weak self] in
            guard let self else { return }
            gtk_widget_grab_focus(self.grid)
        }
    }

    private var focusing: Timeout?

    private func connect(_ factory: UnsafeMutableRawPointer) {
        Signal.connectObject(factory, "setup") { [weak self] item in
            OwnWork.measure { self?.setUp(item) }
        }
        Signal.connectObject(factory, "bind") { [weak self] item in
            OwnWork.measure { self?.bind(item) }
        }
        Signal.connectObject(factory, "unbind") { [weak self] item in
            OwnWork.measure { self?.cells[item]?.clear() }
        }
        Signal.connectObject(factory, "teardown") { [weak self] in self?.cells[$0] = nil }
    }

    private func setUp(_ item: OpaquePointer) {
        let cell = GridCell()
        cell.onVisibility = { [weak self] in self?.schedulePrefetch() }
        cells[item] = cell
        gtk_list_item_set_child(item, cell.widget)
    }

    private func bind(_ item: OpaquePointer) {
        let position = Int(gtk_list_item_get_position(item))
        guard items.indices.contains(position) else { return }
        cells[item]?.show(items[position], at: position)
    }

    // MARK: - Columns

    /// GtkGridView makes 32 rows of as many cells as it may have columns: it gets the real number.
    ///
    /// That is the most; as the least it would keep the window from becoming narrower.
    private func followWidth() {
        setColumns(4)
        guard let adjustment = gtk_scrolled_window_get_hadjustment(widget.opaque) else { return }
        Signal.connect(UnsafeMutableRawPointer(adjustment), "changed") { [weak self] in
            guard let self else { return }
            // Between layouts: changing it inside of one would be too late for that one.
            self.columns = Timeout(after: .zero) { [weak self] in
                self?.setColumns(
                    GridColumns.count(width: Int(gtk_adjustment_get_page_size(adjustment))))
            }
        }
    }

    private var columns: Timeout?

    private func setColumns(_ count: Int) {
        guard gtk_grid_view_get_max_columns(grid.opaque) != guint(count) else { return }
        gtk_grid_view_set_max_columns(grid.opaque, guint(count))
    }

    // MARK: - Prefetching

    /// Waits until scrolling leaves time: cells come and go by dozens.
    private func schedulePrefetch() {
        guard prefetching == nil else { return }
        prefetching = Timeout(after: .milliseconds(100)) { [weak self] in
            self?.prefetching = nil
            self?.prefetch()
        }
    }

    private func prefetch() {
        let visible = cells.values.filter(\.isVisible)
        let positions = visible.compactMap(\.position)
        guard let first = positions.min(), let last = positions.max(), let cell = visible.first
        else { return prefetcher.stopPrefetching() }
        let ahead = window.items(visible: first...last, count: items.count)
        let requests = ahead.compactMap { cell.request(of: items[$0]) }
        prefetcher.stopPrefetching(with: prefetched)
        prefetcher.startPrefetching(with: requests)
        prefetched = requests
    }
}
