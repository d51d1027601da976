internal import CGTK
internal import LazyBase
internal import LazyGTK
internal import LazyKit

// What the keys and buttons do.
extension ViewerWindow {
    func perform(_ command: ViewerCommand) {
        switch command {
        case .nextItem: showItem(at: position + 1)
        case .previousItem: showItem(at: position - 1)
        case .firstItem: showItem(at: 0)
        case .lastItem: showItem(at: items.count - 1)
        case .grid: isGridShown ? showItem(at: position) : showGrid()
        case .open: chooseFiles()
        case .copyFrame: copyFrame()
        case .saveFrame: saveFrame()
        case .retry: player.view.retry()
        case .help: showKeys()
        case .quit: close()
        case .escape: escape()
        case .fullScreen: toggleFullScreen()
        case .information:
            information.isShown.toggle()
            refresh()
        default: control(command)
        }
    }

    private func control(_ command: ViewerCommand) {
        switch command {
        case .playPause: player.playOrPause()
        case .nextFrame: player.step(1)
        case .previousFrame: player.step(-1)
        case .forward: player.seek(by: .seconds(5))
        case .back: player.seek(by: .seconds(-5))
        case .forwardLong: player.seek(by: .seconds(60))
        case .backLong: player.seek(by: .seconds(-60))
        case .start: player.seek(to: .zero)
        case .faster: player.changeSpeed(1)
        case .slower: player.changeSpeed(-1)
        case .normalSpeed: player.changeSpeed(0)
        case .reverse: player.setRate { -$0 }
        case .toggleLoop: toggleLoop()
        case .zoomIn: player.zoom(by: 1.25)
        case .zoomOut: player.zoom(by: 0.8)
        case .fit: player.fit()
        case .actualSize: player.showActualSize()
        case .rotateRight: player.rotate(1)
        case .rotateLeft: player.rotate(-1)
        default: break
        }
    }

    private func toggleLoop() {
        player.toggleLoop()
        let isForever = player.view.options.looping == .forever
        messages.show(isForever ? "Loops forever" : "Loops as authored")
    }

    // MARK: - The window

    private var isFullScreen: Bool { gtk_window_is_fullscreen(widget.cast()) != 0 }

    private func toggleFullScreen() {
        if isFullScreen {
            gtk_window_unfullscreen(widget.cast())
        } else {
            gtk_window_fullscreen(widget.cast())
        }
    }

    /// Leaves what was entered last.
    private func escape() {
        if isFullScreen {
            gtk_window_unfullscreen(widget.cast())
        } else if isGridShown || items.count == 1 {
            close()
        } else {
            showGrid()
        }
    }

    private func close() { gtk_window_close(widget.cast()) }

    private func showKeys() {
        let text = KeyBindings.overlay
        guard let builder = gtk_builder_new_from_string(text, gssize(text.utf8.count)) else {
            return
        }
        defer { g_object_unref(builder.raw) }
        guard let object = gtk_builder_get_object(builder, "keys") else { return }
        let keys = OpaquePointer(object).widget
        gtk_window_set_transient_for(keys.cast(), widget.cast())
        gtk_window_present(keys.cast())
    }

    // MARK: - Files

    private func chooseFiles() {
        guard
            let chooser = gtk_file_chooser_native_new(
                "Open", widget.cast(), GTK_FILE_CHOOSER_ACTION_OPEN, nil, nil)
        else { return }
        gtk_file_chooser_set_select_multiple(chooser, 1)
        FileChooser.show(chooser) { [weak self] in self?.open($0) }
    }

    private func saveFrame() {
        guard let item = player.item,
            let chooser = gtk_file_chooser_native_new(
                "Save the frame", widget.cast(), GTK_FILE_CHOOSER_ACTION_SAVE, nil, nil)
        else { return }
        let frame = player.state.isAnimated ? player.state.frame ?? 0 : nil
        gtk_file_chooser_set_current_name(chooser, ShownFrame.fileName(item.name, frame: frame))
        FileChooser.show(chooser) { [weak self] addresses in
            guard let path = addresses.first.flatMap({ ViewerItem(address: $0)?.path }) else {
                return
            }
            self?.export(frame, of: item) { bitmap in
                let bytes = try await BlockingPool.shared.run { () -> Result<[UInt8], any Error> in
                    Result { try bitmap.pngData() }
                }.get()
                try ShownFrame.write(bytes, to: path)
                return "Saved as \(path)"
            }
        }
    }

    private func copyFrame() {
        guard let item = player.item else { return }
        let frame = player.state.isAnimated ? player.state.frame ?? 0 : nil
        export(frame, of: item) { [weak self] bitmap in
            guard let self else { return "" }
            let texture = TextureCache.shared.texture(of: bitmap)
            gdk_clipboard_set_texture(gtk_widget_get_clipboard(self.widget), texture.pointer)
            return "Copied the frame, \(bitmap.size.width) × \(bitmap.size.height)"
        }
    }

    private func export(
        _ frame: Int?, of item: ViewerItem,
        _ body: @escaping @MainActor (Bitmap) async throws -> String
    ) {
        let work = Task { [weak self] in
            do {
                let bitmap = try await ShownFrame.frame(frame, of: item)
                let message = try await body(bitmap)
                self?.messages.show(message)
            } catch {
                self?.messages.show("\(error)")
            }
        }
        exports.append(work)
    }
}
