internal import CGTK
internal import LazyKit

/// The state of a player, to be continued by another one.
@MainActor struct Resumption {
    private weak var old: Playback?
    private let time: Duration
    private let rate: Double
    private let isPaused: Bool

    init?(_ playback: Playback?) {
        guard let playback, playback.frame != nil else { return nil }
        old = playback
        time = playback.frame?.presentationTime ?? .zero
        rate = playback.rate
        isPaused = playback.state == .finished || playback.state == .paused && playback.isOnScreen
    }

    /// Continues in another player; returns whether there is one.
    func apply(to playback: Playback?) -> Bool {
        guard let playback, playback !== old else { return false }
        playback.rate = rate
        if isPaused { playback.pause() }
        playback.seek(to: time)
        return true
    }
}

// The size at which images are decoded.
extension ImageViewContent {
    /// An image of a window that is being resized is decoded anew when the size stays for so long.
    private static let calm = Duration.milliseconds(150)

    /// The size of the widget, its scale or the zoom has changed.
    func didChangeLayout() {
        chooseDecodeSize()
        setNeedsUpdate()
        if let widget, drawing.content != nil { gtk_widget_queue_draw(widget) }
    }

    private func chooseDecodeSize() {
        guard settings.decodesAtShownSize, isDecodeSizeOurs, let wanted = wantedSize else { return }
        guard let decodeSize else { return setDecodeSize(wanted) }
        guard wanted.exceeds(decodeSize) else { return }
        if model.fetch.container == nil, !model.isLoading { return setDecodeSize(wanted) }
        growth?.cancel()
        growth = Timeout(after: Self.calm) { [weak self] in self?.grow() }
    }

    var wantedSize: DecodeSize? {
        DecodeSize(
            width: place.width, height: place.height, scale: scale, zoom: magnification.scale,
            quarterTurns: quarterTurns)
    }

    var isDecodeSizeOurs: Bool {
        decodeSize != nil
            || model.options.thumbnail == nil && model.options.maxPixelSize == nil
                && model.source?.thumbnail == nil
    }

    private func grow() {
        growth = nil
        guard let wanted = wantedSize, let old = decodeSize, wanted.exceeds(old) else { return }
        // The image as it is in the file has no more pixels to give.
        if let info = model.info, info.deliveredSize == info.size { return }
        resumption = Resumption(model.playback)
        let policy = model.options.fetchPolicy
        // The bytes have been loaded: another size of them is no reason to ask the server again.
        if policy == nil { model.options.fetchPolicy = .cacheElseLoad }
        setDecodeSize(wanted.union(old))
        model.options.fetchPolicy = policy
    }

    func setDecodeSize(_ size: DecodeSize) {
        decodeSize = size
        model.options.thumbnail = size.thumbnail(model.options.contentMode)
    }

    /// Continues playing where the smaller image was.
    func resumePlayback() {
        if let resumption, resumption.apply(to: model.playback) { self.resumption = nil }
    }
}
