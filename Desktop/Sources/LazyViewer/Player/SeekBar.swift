internal import CGTK
internal import CLazyGTK
internal import LazyGTK
internal import LazyKit

/// The seek bar, with a preview of the frame under the pointer.
@MainActor final class SeekBar {
    let widget: WidgetPointer
    /// Called with a time that was chosen.
    var onSeek: (@MainActor (Duration) -> Void)?
    /// Called when the bar is held or let go.
    var onHold: (@MainActor (Bool) -> Void)?
    /// Provides the previews of the current clip.
    var previews: SeekPreviews? {
        didSet { previews?.onPicture = { [weak self] in self?.showPreview($0, $1) } }
    }
    private let scale: WidgetPointer
    private let popover: WidgetPointer
    private let picture: WidgetPointer
    private let label: WidgetPointer
    private var duration: Duration?
    private var hovered: Duration?

    init() {
        widget = gtk_overlay_new()
        scale = gtk_scale_new_with_range(GTK_ORIENTATION_HORIZONTAL, 0, 1, 0.001)
        popover = gtk_popover_new()
        picture = gtk_picture_new()
        label = gtk_label_new("")
        gtk_scale_set_draw_value(scale.cast(), 0)
        gtk_widget_set_focusable(scale, 0)
        gtk_widget_set_hexpand(widget, 1)
        gtk_overlay_set_child(widget.opaque, scale)
        lazy_widget_set_label(scale, "Position")
        makePopover()
        connect()
    }

    private func makePopover() {
        let box: WidgetPointer = gtk_box_new(GTK_ORIENTATION_VERTICAL, 2)
        gtk_widget_set_size_request(
            picture, CInt(SeekPreviews.width), CInt(SeekPreviews.width * 9 / 16))
        gtk_box_append(box.cast(), picture)
        gtk_box_append(box.cast(), label)
        gtk_popover_set_child(popover.cast(), box)
        gtk_popover_set_autohide(popover.cast(), 0)
        gtk_popover_set_position(popover.cast(), GTK_POS_TOP)
        gtk_widget_set_can_target(popover, 0)
        gtk_widget_set_parent(popover, widget)
    }

    private func connect() {
        Signal.connectRange(scale.raw) { [weak self] value in
            guard let self, let duration = self.duration else { return }
            self.onSeek?(duration * min(max(value, 0), 1))
        }
        guard let motion = gtk_event_controller_motion_new(), let press = gtk_gesture_click_new()
        else { return }
        Signal.connectPoint(motion.raw, "motion") { [weak self] x, _ in
            self?.hover(x)
            return false
        }
        Signal.connect(motion.raw, "leave") { [weak self] in self?.leave() }
        gtk_widget_add_controller(scale, motion)
        // Sees presses before the scale takes them.
        gtk_event_controller_set_propagation_phase(press, GTK_PHASE_CAPTURE)
        Signal.connect(press.raw, "pressed") { [weak self] in self?.onHold?(true) }
        Signal.connect(press.raw, "unpaired-release") { [weak self] in self?.onHold?(false) }
        Signal.connect(press.raw, "released") { [weak self] in self?.onHold?(false) }
        Signal.connect(press.raw, "cancel") { [weak self] in self?.release() }
        gtk_widget_add_controller(scale, press)
    }

    /// The scale has taken the press over: the pointer's leave or release ends it.
    private func release() { onHold?(false) }

    func show(_ time: Duration, of duration: Duration?) {
        self.duration = duration
        guard let duration, duration > .zero else { return }
        let fraction = time / duration
        if abs(gtk_range_get_value(scale.cast()) - fraction) > 0.0005 {
            gtk_range_set_value(scale.cast(), fraction)
        }
    }

    // MARK: - Previews

    private func hover(_ x: Double) {
        let width = Double(gtk_widget_get_width(scale))
        guard let duration, width > 0 else { return }
        let time = duration * min(max(x / width, 0), 1)
        hovered = time
        gtk_label_set_text(label.opaque, TimeLabel.text(time))
        var area = GdkRectangle(x: CInt(x), y: 0, width: 1, height: 1)
        gtk_popover_set_pointing_to(popover.cast(), &area)
        gtk_popover_popup(popover.cast())
        previews?.want(time, of: duration)
    }

    private func leave() {
        hovered = nil
        gtk_popover_popdown(popover.cast())
    }

    private func showPreview(_ bitmap: Bitmap, _ time: Duration) {
        guard hovered != nil else { return }
        let texture = TextureCache.shared.texture(of: bitmap)
        gtk_picture_set_paintable(picture.opaque, texture.pointer)
    }
}

extension Signal {
    /// Connects the changes of a range that its user makes.
    fileprivate static func connectRange(
        _ range: UnsafeMutableRawPointer, _ body: @escaping @MainActor (Double) -> Void
    ) {
        final class Box {
            let body: @MainActor (Double) -> Void
            init(_ body: @escaping @MainActor (Double) -> Void) { self.body = body }
        }
        let call:
            @convention(c) (
                UnsafeMutableRawPointer, GtkScrollType, Double, UnsafeMutableRawPointer
            ) -> gboolean = { _, _, value, data in
                let box = Unmanaged<Box>.fromOpaque(data).takeUnretainedValue()
                MainActor.assumeIsolated { box.body(value) }
                return 0
            }
        attach(range, "change-value", unsafeBitCast(call, to: GCallback.self), Box(body))
    }
}
