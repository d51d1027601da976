internal import CGTK
internal import CLazyGTK
internal import LazyGTK
internal import LazyKit

/// The bar under the image: frame steps, play and pause, the seek bar, time and speed.
@MainActor final class ControlBar {
    let widget: WidgetPointer
    let seekBar: SeekBar
    /// Called with the command of a button.
    var onCommand: (@MainActor (ViewerCommand) -> Void)?
    private let play: WidgetPointer
    private let time: WidgetPointer
    private let speed: WidgetPointer
    private var shown = PlayerState()

    init() {
        widget = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6)
        seekBar = SeekBar()
        play = gtk_button_new_from_icon_name("media-playback-start-symbolic")
        time = gtk_label_new("")
        speed = gtk_button_new_with_label("1×")
        gtk_widget_add_css_class(widget, "controls")
        add("media-skip-backward-symbolic", .previousFrame)
        add(play, .playPause)
        add("media-skip-forward-symbolic", .nextFrame)
        gtk_box_append(widget.cast(), seekBar.widget)
        gtk_widget_add_css_class(time, "numeric")
        gtk_box_append(widget.cast(), time)
        gtk_widget_add_css_class(speed, "flat")
        add(speed, .normalSpeed)
        gtk_widget_set_visible(widget, 0)
    }

    private func add(_ icon: String, _ command: ViewerCommand) {
        guard let button = gtk_button_new_from_icon_name(icon) else { return }
        add(button, command)
    }

    private func add(_ button: WidgetPointer, _ command: ViewerCommand) {
        gtk_widget_set_tooltip_text(button, command.title)
        lazy_widget_set_label(button, command.title)
        // The keys belong to the window: space plays wherever the focus is.
        gtk_widget_set_focusable(button, 0)
        Signal.connect(button.raw, "clicked") { [weak self] in self?.onCommand?(command) }
        gtk_box_append(widget.cast(), button)
    }

    func show(_ state: PlayerState) {
        gtk_widget_set_visible(widget, state.isAnimated ? 1 : 0)
        if state.isPlaying != shown.isPlaying {
            gtk_button_set_icon_name(
                play.cast(),
                state.isPlaying
                    ? "media-playback-pause-symbolic" : "media-playback-start-symbolic")
        }
        if state.rate != shown.rate {
            gtk_button_set_label(speed.cast(), TimeLabel.speed(state.rate))
        }
        shown = state
        seekBar.show(state.time, of: state.duration)
        gtk_label_set_text(
            time.opaque,
            TimeLabel.text(
                state.time, of: state.duration, frame: state.frame, count: state.frameCount))
    }
}
