internal import CGTK
internal import CLazyGTK
internal import LazyGTK
internal import LazyKit
internal import LazyOptions

/// The window of the program: the grid of all items, and the viewer of one.
@MainActor final class ViewerWindow {
    var onClose: (@MainActor () -> Void)?
    let widget: WidgetPointer
    let player = Player()
    let controls = ControlBar()
    let information = InfoPanel()
    let messages = MessageLabel()
    private(set) var items: [ViewerItem]
    /// The position of the item of the viewer.
    private(set) var position: Int
    private let arguments: ViewerArguments
    private let edit: ViewerEdit?
    private let stack: WidgetPointer
    private let back: WidgetPointer
    /// The buttons that do something for one item only.
    private var itemButtons: [WidgetPointer] = []
    /// Made when it is shown first.
    private var grid: ItemGrid?
    private var lastTrace = ""
    /// Exports in progress; the window owns them.
    var exports: [Task<Void, Never>] = []
    /// Loads the items before and after the one that is shown.
    private let neighbors = ImagePrefetcher()

    init(_ arguments: ViewerArguments, _ search: ItemSearch, _ edit: ViewerEdit? = nil) {
        self.arguments = arguments
        self.edit = edit
        items = search.items
        position = search.first
        widget = gtk_window_new()
        stack = gtk_stack_new()
        back = gtk_button_new_from_icon_name("view-grid-symbolic")
        gtk_window_set_default_size(widget.cast(), 960, 640)
        Style.install()
        build()
        connect()
        if arguments.view.grid || !search.isOfOneFile { showGrid() } else { showItem(at: position) }
    }

    func present() {
        if arguments.view.fullscreen { gtk_window_fullscreen(widget.cast()) }
        gtk_window_present(widget.cast())
    }

    // MARK: - Parts

    private func build() {
        let header: WidgetPointer = gtk_header_bar_new()
        gtk_widget_set_tooltip_text(back, ViewerCommand.grid.title)
        gtk_widget_set_focusable(back, 0)
        gtk_header_bar_pack_start(header.opaque, back)
        let facts = addButton(header, "help-about-symbolic", .information)
        addButton(header, "view-fullscreen-symbolic", .fullScreen)
        let rotation = addButton(header, "object-rotate-right-symbolic", .rotateRight)
        itemButtons = [facts, rotation].compactMap { $0 }
        gtk_window_set_titlebar(widget.cast(), header)
        let page: WidgetPointer = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
        let row: WidgetPointer = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0)
        let overlay: WidgetPointer = gtk_overlay_new()
        gtk_overlay_set_child(overlay.opaque, player.view.widget)
        gtk_overlay_add_overlay(overlay.opaque, messages.widget)
        gtk_box_append(row.cast(), overlay)
        gtk_box_append(row.cast(), information.widget)
        gtk_box_append(page.cast(), row)
        gtk_box_append(page.cast(), controls.widget)
        gtk_stack_add_named(stack.opaque, page, "viewer")
        gtk_window_set_child(widget.cast(), stack)
    }

    @discardableResult
    private func addButton(
        _ header: WidgetPointer, _ icon: String, _ command: ViewerCommand
    ) -> WidgetPointer? {
        guard let button = gtk_button_new_from_icon_name(icon) else { return nil }
        gtk_widget_set_tooltip_text(button, command.title)
        lazy_widget_set_label(button, command.title)
        gtk_widget_set_focusable(button, 0)
        Signal.connect(button.raw, "clicked") { [weak self] in self?.perform(command) }
        gtk_header_bar_pack_end(header.opaque, button)
        return button
    }

    private func connect() {
        Signal.connect(widget.raw, "close-request") { [weak self] in self?.onClose?() }
        Signal.connect(back.raw, "clicked") { [weak self] in self?.perform(.grid) }
        controls.onCommand = { [weak self] in self?.perform($0) }
        controls.seekBar.onSeek = { [weak self] in self?.player.seek(to: $0) }
        controls.seekBar.onHold = { [weak self] in self?.player.hold($0) }
        player.onChange = { [weak self] in self?.didChange($0) }
        PlayerGestures.add(to: player)
        DragAndDrop.addSource(player)
        DragAndDrop.addTarget(widget) { [weak self] in self?.open($0) }
        guard let keys = gtk_event_controller_key_new() else { return }
        gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE)
        Signal.connectKey(keys.raw, "key-pressed") { [weak self] key, modifiers in
            self?.press(key, modifiers) ?? false
        }
        gtk_widget_add_controller(widget, keys)
    }

    private func press(_ key: UInt32, _ modifiers: GdkModifierType) -> Bool {
        guard let name = gdk_keyval_name(key) else { return false }
        let isHeld = { (mask: GdkModifierType) in modifiers.rawValue & mask.rawValue != 0 }
        if isHeld(GDK_ALT_MASK) || isHeld(GDK_SUPER_MASK) { return false }
        let command = KeyBindings.command(
            String(cString: name), control: isHeld(GDK_CONTROL_MASK),
            shift: isHeld(GDK_SHIFT_MASK), isGrid: isGridShown)
        guard let command else { return false }
        perform(command)
        return true
    }

    // MARK: - Pages

    var isGridShown: Bool {
        gtk_stack_get_visible_child_name(stack.opaque).map { String(cString: $0) } == "grid"
    }

    func showGrid() {
        let grid = self.grid ?? makeGrid()
        showPage("grid")
        player.show(nil)
        grid.select(position)
        grid.focus()
        setTitle("\(items.count) files")
        trace()
    }

    private func showPage(_ name: String) {
        gtk_stack_set_visible_child_name(stack.opaque, name)
        for button in itemButtons { gtk_widget_set_sensitive(button, name == "viewer" ? 1 : 0) }
    }

    private func makeGrid() -> ItemGrid {
        let grid = ItemGrid(items)
        grid.onActivate = { [weak self] in self?.showItem(at: $0) }
        gtk_stack_add_named(stack.opaque, grid.widget, "grid")
        self.grid = grid
        return grid
    }

    func showItem(at position: Int) {
        guard items.indices.contains(position) else { return }
        self.position = position
        showPage("viewer")
        controls.seekBar.previews = nil
        player.show(items[position])
        setTitle(items[position].name)
    }

    /// Shows other items in place of these.
    func open(_ inputs: [String]) {
        let search = ItemSearch(inputs, families: arguments.view.kinds.families, edit: edit)
        guard !search.items.isEmpty else { return messages.show("No media found") }
        items = search.items
        position = search.first
        grid?.replace(items)
        if search.items.count > 1, !search.isOfOneFile {
            showGrid()
        } else {
            showItem(at: position)
        }
    }

    private func setTitle(_ title: String) { gtk_window_set_title(widget.cast(), title) }

    // MARK: - Changes

    private func didChange(_ state: PlayerState) {
        controls.show(state)
        information.show(player.item, player.view.model)
        if controls.seekBar.previews == nil, state.phase == "success", state.isAnimated,
            let frames = player.view.model.frames
        {
            controls.seekBar.previews = SeekPreviews(frames)
        }
        if state.phase == "success" { prefetchNeighbors() }
        trace()
    }

    private func prefetchNeighbors() {
        let near = [position + 1, position - 1].filter(items.indices.contains)
        let requests = near.compactMap { player.view.prefetchRequest(items[$0].request) }
        neighbors.startPrefetching(with: requests)
    }

    func refresh() { didChange(player.state) }

    private func trace() {
        guard arguments.trace else { return }
        let isGrid = isGridShown
        let line = Trace.line(
            isGrid ? "grid" : "viewer", item: isGrid ? nil : player.item, position: position,
            player.state)
        if line != lastTrace { Output.print(line) }
        lastTrace = line
    }
}
