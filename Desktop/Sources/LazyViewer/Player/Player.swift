internal import CGTK
internal import LazyGTK
internal import LazyKit
internal import LazyMedia

/// The viewer of one item: the image, and what can be done with it.
@MainActor final class Player {
    let view: LazyImageView
    /// The item that is shown.
    private(set) var item: ViewerItem?
    /// Called when what is shown has changed.
    var onChange: (@MainActor (PlayerState) -> Void)?
    private(set) var state = PlayerState()
    /// Whether playback resumes when the seek bar is released.
    private var wasPlaying: Bool?

    init() {
        view = LazyImageView(request: nil).contentMode(.aspectFit).placeholder(nil)
        view.settings.enlarges = false
        view.settings.keepsPrevious = true
        gtk_widget_set_hexpand(view.widget, 1)
        gtk_widget_set_vexpand(view.widget, 1)
        gtk_widget_add_css_class(view.widget, "viewer")
        view.onUpdate = { [weak self] in self?.refresh() }
    }

    func show(_ item: ViewerItem?) {
        guard item != self.item else { return }
        self.item = item
        view.magnification = Magnification(range: 1...32)
        view.quarterTurns = 0
        view.looping(.asAuthored)
        view.setSource(item?.request)
        refresh()
    }

    private var playback: Playback? { view.model.playback }

    func refresh() {
        let state = PlayerState(
            view.model, zoom: view.magnification.scale, quarterTurns: view.quarterTurns)
        guard state != self.state else { return }
        self.state = state
        onChange?(state)
    }

    // MARK: - Playing

    func playOrPause() {
        guard let playback else { return }
        if state.isPlaying { playback.pause() } else { playback.play() }
        refresh()
    }

    /// Pauses and shows the frame before or after this one.
    func step(_ count: Int) {
        guard let playback else { return }
        playback.pause()
        playback.seek(toFrame: max(0, (playback.frame?.index ?? 0) + count))
    }

    /// Seeks by a time, within the clip.
    func seek(by time: Duration) {
        guard let playback else { return }
        seek(to: playback.currentTime + time)
    }

    func seek(to time: Duration) {
        guard let playback else { return }
        let end = playback.duration ?? time
        playback.seek(to: min(max(time, .zero), end))
    }

    /// The seek bar is held or let go.
    func hold(_ isHeld: Bool) {
        guard let playback else { return }
        if isHeld, wasPlaying == nil {
            wasPlaying = state.isPlaying
            playback.pause()
        } else if !isHeld, let wasPlaying {
            self.wasPlaying = nil
            if wasPlaying { playback.play() }
        }
    }

    func changeSpeed(_ direction: Int) { setRate { PlaybackSpeed.next(after: $0, direction) } }

    func setRate(_ change: (Double) -> Double) {
        guard let playback else { return }
        playback.rate = change(playback.rate)
        refresh()
    }

    func toggleLoop() {
        view.looping(view.options.looping == .forever ? .asAuthored : .forever)
        if let playback, state.isFinished { playback.play() }
    }

    // MARK: - Zoom and rotation

    private var place: (width: Double, height: Double) {
        (
            Double(gtk_widget_get_width(view.widget)), Double(gtk_widget_get_height(view.widget))
        )
    }

    /// Zooms around a point of the view; its middle if there is none.
    func zoom(by factor: Double, around point: (x: Double, y: Double)? = nil) {
        guard let rect = view.layoutFrame else { return }
        let place = place
        var magnification = view.magnification
        magnification.scale(
            by: factor, around: point ?? (place.width / 2, place.height / 2), of: rect, in: place)
        view.magnification = magnification
        refresh()
    }

    func fit() {
        view.magnification = Magnification(range: 1...32)
        refresh()
    }

    /// One pixel of the image per pixel of the screen.
    func showActualSize() {
        guard let rect = view.layoutFrame, let size = view.model.info?.size, rect.width > 0 else {
            return
        }
        fit()
        let width = view.quarterTurns % 2 == 0 ? size.width : size.height
        let scale = Double(gtk_widget_get_scale_factor(view.widget))
        zoom(by: Double(width) / scale / rect.width)
    }

    func move(by distance: (x: Double, y: Double)) {
        guard let rect = view.layoutFrame else { return }
        var magnification = view.magnification
        magnification.move(by: distance, of: rect, in: place)
        view.magnification = magnification
    }

    func rotate(_ turns: Int) {
        view.quarterTurns += turns
        fit()
    }
}
