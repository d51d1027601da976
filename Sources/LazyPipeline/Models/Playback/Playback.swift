public import LazyBase
public import LazyMedia
public import Observation

/// Plays a sequence of frames without sound and publishes the current frame.
///
/// The clock is the master: frames that are late are dropped. Until the first frame
/// is decoded, the poster is shown. Off screen or paused, it keeps no decoded frame but the current
/// one. Frames come from a `FramePool`, which players of the same sequence share.
///
/// ```swift
/// let playback = Playback(container, looping: .forever)
/// withObservationTracking { draw(playback.image) } onChange: { redraw() }
/// ```
@MainActor @Observable
public final class Playback {
    /// The state of a player.
    public enum State: String, Sendable {
        /// It waits for a frame: the first one, or the next one of a growing preview.
        case waiting
        /// It is playing.
        case playing
        /// It is paused, stopped or off screen.
        case paused
        /// It has finished its last play.
        case finished
    }

    /// Who advances a player.
    public enum Drive: Sendable {
        /// The player itself, by its clock.
        case automatic
        /// Its owner, by `update()`.
        case manual
    }

    /// The current frame; nil while the poster is shown.
    public internal(set) var frame: Frame?
    /// The image that is shown until the first frame is decoded.
    public internal(set) var poster: Bitmap?
    /// The state of the player.
    public internal(set) var state = State.waiting
    /// The number of the current play, from 0.
    public internal(set) var currentPlay = 0
    /// The number of frames that were dropped because they were late.
    public internal(set) var droppedFrames = 0
    /// The error that ended playback, if any.
    public internal(set) var error: MediaError?
    /// The sequence being played.
    public internal(set) var sequence: FrameSequence
    /// How often it plays.
    public var looping: Looping { didSet { updateSchedule(at: clock.now) } }
    /// Called when the last play has finished.
    @ObservationIgnored public var onFinished: (@MainActor () -> Void)?

    @ObservationIgnored var machine = PlaybackMachine()
    @ObservationIgnored var viewer: FrameViewer
    @ObservationIgnored var isPartial: Bool
    /// Observed, because `duration` depends on it.
    var index: FrameIndex?
    @ObservationIgnored var next: ImageContainer?
    @ObservationIgnored var frameToSeek: Int?
    @ObservationIgnored var runner: OwnedTask?
    let size: TargetSize?
    let pool: FramePool
    let clock: any SteadyClock
    let drive: Drive

    /// Creates a player of a sequence, whose frames are scaled to the target size.
    public init(
        _ sequence: FrameSequence, poster: Bitmap? = nil, isPreview: Bool = false,
        looping: Looping = .asAuthored, size: TargetSize? = nil, autoplay: Bool = true,
        drive: Drive = .automatic, pool: FramePool = .shared,
        clock: any SteadyClock = SystemSteadyClock()
    ) {
        self.sequence = sequence
        self.poster = poster
        self.looping = looping
        self.size = size
        self.pool = pool
        self.clock = clock
        self.drive = drive
        isPartial = isPreview
        viewer = pool.viewer(of: sequence, size: size)
        viewer.setActive(false)
        if autoplay { play() } else { publish() }
    }

    /// Creates a player of a loaded image; at the end of a preview it waits for `update(with:)`.
    public convenience init(
        _ container: ImageContainer, looping: Looping = .asAuthored, size: TargetSize? = nil,
        autoplay: Bool = true, drive: Drive = .automatic, pool: FramePool = .shared,
        clock: any SteadyClock = SystemSteadyClock()
    ) {
        self.init(
            container.frames, poster: container.decodedImage, isPreview: container.isPreview,
            looping: looping, size: size, autoplay: autoplay, drive: drive, pool: pool,
            clock: clock)
    }

    /// The image to show: the current frame, or else the poster.
    public var image: Bitmap? { frame?.bitmap ?? poster }

    /// The duration of one play, once it is known.
    public var duration: Duration? { index?.duration ?? sequence.info.duration }

    /// The time within the current play; observers are notified with each frame.
    public var currentTime: Duration {
        _ = frame
        let instant = machine.instant(at: clock.now)
        return machine.schedule?.place(of: instant).time ?? .zero
    }

    /// The playback rate from 0.1 to 16, to a thousandth; a negative rate plays backwards.
    ///
    /// Playing backwards is exact too, but decodes from the preceding keyframe for each frame if
    /// the sequence does not fit into the pool. Setting 0 has no effect: pause instead.
    public var rate: Double {
        get {
            access(keyPath: \.rate)
            return Double(machine.rate) / 1000
        }
        set {
            guard newValue.isFinite, newValue != 0 else { return }
            let size = min(max(abs(newValue), 0.1), 16)
            let rate = Int((size * 1000).rounded()) * (newValue < 0 ? -1 : 1)
            withMutation(keyPath: \.rate) {
                command { $0.setRate(rate, at: $1) }
                viewer.setReverse(rate < 0)
            }
        }
    }

    /// Whether the player is visible; off screen it pauses and releases its frames.
    public var isOnScreen: Bool {
        get {
            access(keyPath: \.isOnScreen)
            return machine.isOnScreen
        }
        set {
            withMutation(keyPath: \.isOnScreen) {
                command { $0.setOnScreen(newValue, at: $1) }
            }
        }
    }

    // MARK: - Commands

    /// Plays, from the start if it has finished.
    public func play() { command { $0.play(at: $1) } }

    /// Pauses at the current frame.
    public func pause() { command { $0.pause(at: $1) } }

    /// Pauses at the start and shows the poster.
    public func stop() {
        command { $0.stop(at: $1) }
        frame = nil
        currentPlay = 0
    }

    /// Seeks to a time within the current play, exactly to the frame shown at that time.
    public func seek(to time: Duration) {
        command { machine, now in
            let play = machine.schedule?.place(of: machine.instant(at: now)).play ?? 0
            machine.seek(to: machine.schedule?.instant(play: play, time: time) ?? time, at: now)
        }
    }

    /// Seeks to a frame within the current play; the index is clamped to the valid range.
    public func seek(toFrame index: Int) {
        guard let timings = self.index?.timings else {
            frameToSeek = index
            return run()
        }
        guard !timings.isEmpty else { return }
        let timing = timings[min(max(0, index), timings.count - 1)]
        let isBackwards = machine.isActive && machine.isReverse
        let start = timing.presentation.duration
        seek(to: isBackwards ? start + timing.duration.duration : start)
    }

    /// Continues with a longer preview or the complete image.
    ///
    /// The current frame stays and the clock runs on; a preview that had ended continues there.
    public func update(with container: ImageContainer) {
        next = container
        if frame == nil, let image = container.decodedImage { poster = image }
        run()
    }
}
