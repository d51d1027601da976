internal import LazyKit

/// What the player shows, for the controls and the trace.
struct PlayerState: Equatable {
    var phase = "empty"
    var isAnimated = false
    var isPlaying = false
    var isFinished = false
    var frame: Int?
    var frameCount: Int?
    var time = Duration.zero
    var duration: Duration?
    var rate = 1.0
    var zoom = 1.0
    var quarterTurns = 0

    @MainActor init(_ model: LazyImage, zoom: Double, quarterTurns: Int) {
        phase = model.phase.name
        self.zoom = zoom
        self.quarterTurns = quarterTurns
        isAnimated = model.info?.isAnimated ?? false
        guard let playback = model.playback else { return }
        isPlaying = playback.state == .playing || playback.state == .waiting
        isFinished = playback.state == .finished
        frame = playback.frame?.index
        frameCount = model.info?.frameCount
        time = playback.frame?.presentationTime ?? .zero
        duration = playback.duration
        rate = playback.rate
    }

    init() {}
}
