public import LazyBytes
public import LazyMedia
public import LazyPipeline
public import Observation

/// Plays a sequence of frames by itself, silent, and tells which frame is on show.
///
/// The clock decides: a frame that comes too late for its time is not shown. Until the first frame
/// is there the poster stands for it. Off screen and paused it holds no decoded frames but the one
/// on show. Frames come from a `FramePool`, shared with all who play the same.
///
/// ```swift
/// let playback = Playback(container, looping: .forever)
/// withObservationTracking { draw(playback.image) } onChange: { redraw() }
/// ```
@MainActor @Observable
public final class Playback {
    /// What a player is doing.
    public enum State: String, Sendable {
        /// It would play, and waits for a frame: the first one, or those of a growing preview.
        case waiting
        /// It plays.
        case playing
        /// It was paused or stopped, or is off screen.
        case paused
        /// It has played as often as it was to.
        case finished
    }

    /// Who moves a player on.
    public enum Drive: Sendable {
        /// It does so itself, by its clock.
        case automatic
        /// Its owner does, by `update()`.
        case manual
    }

    /// The frame on show; nil while the poster is.
    public internal(set) var frame: Frame?
    /// The picture that stands for the sequence until its first frame is there.
    public internal(set) var poster: Bitmap?
    /// What the player is doing.
    public internal(set) var state = State.waiting
    /// The number of the play that is on, from 0.
    public internal(set) var currentPlay = 0
    /// Frames that were not shown because their time had passed.
    public internal(set) var droppedFrames = 0
    /// Why frames cannot be had; playing ends there.
    public internal(set) var error: MediaError?
    /// What is played.
    public internal(set) var sequence: FrameSequence
    /// How often it plays.
    public var looping: Looping { didSet { rule(at: clock.now) } }
    /// Called when it has played as often as it was to.
    @ObservationIgnored public var onFinished: (@MainActor () -> Void)?

    @ObservationIgnored var machine = PlaybackMachine()
    @ObservationIgnored var viewer: FrameViewer
    @ObservationIgnored var isPartial: Bool
    /// Observed: the length of a play is known with it.
    var index: FrameIndex?
    @ObservationIgnored var next: ImageContainer?
    @ObservationIgnored var frameToSeek: Int?
    @ObservationIgnored var runner: OwnedTask?
    let size: TargetSize?
    let pool: FramePool
    let clock: any SteadyClock
    let drive: Drive

    /// Makes a player of a sequence; frames come at a size that fits the target.
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

    /// Makes a player of what was loaded; a preview's end is a place to wait for `update(with:)`.
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

    /// The picture on show: the frame, or else the poster.
    public var image: Bitmap? { frame?.bitmap ?? poster }

    /// The length of one play, once it is known.
    public var duration: Duration? { index?.duration ?? sequence.info.duration }

    /// The time within the play that is on; observers are told with each frame.
    public var currentTime: Duration {
        _ = frame
        let moment = machine.moment(at: clock.now)
        return machine.course?.place(of: moment).time ?? .zero
    }

    /// How fast it plays, from 0.1 to 16, to a thousandth; negative plays backwards.
    ///
    /// Backwards is exact as well, and costs the decoding from the keyframe before each frame where
    /// the sequence does not fit whole into the pool. 0 is not taken: pause instead.
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

    /// Whether anybody can see it; off screen it stands still and holds no memory.
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

    /// Plays on, or from the beginning where it has finished.
    public func play() { command { $0.play(at: $1) } }

    /// Stands still at the frame on show.
    public func pause() { command { $0.pause(at: $1) } }

    /// Stands still at the beginning and shows the poster.
    public func stop() {
        command { $0.stop(at: $1) }
        frame = nil
        currentPlay = 0
    }

    /// Goes to a time within the play that is on: exactly to the frame shown then.
    public func seek(to time: Duration) {
        command { machine, now in
            let play = machine.course?.place(of: machine.moment(at: now)).play ?? 0
            machine.seek(to: machine.course?.moment(play: play, time: time) ?? time, at: now)
        }
    }

    /// Goes to the frame of a number within the play that is on; clamped to those there are.
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

    /// Goes on with more of the same: a longer preview, or the whole.
    ///
    /// The frame on show stays and the clock goes on; where the preview had ended, it goes on there.
    public func update(with container: ImageContainer) {
        next = container
        if frame == nil, let image = container.decodedImage { poster = image }
        run()
    }
}
