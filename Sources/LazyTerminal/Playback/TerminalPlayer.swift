package import CommandSupport
internal import LazyBytes
package import LazyEditing
package import LazyMedia

/// Plays a sequence on the terminal, or into whatever standard output is, frame by frame.
package final class TerminalPlayer {
    /// What the command line says about playing.
    package struct Settings: Sendable {
        /// How often to play; nil forever.
        package var plays: Int?
        /// A size that was asked for; the window's otherwise.
        package var grid: CellGrid?
        /// What the terminal shows.
        package var traits = TerminalTraits.full
        /// Without a clock: every frame, as fast as it goes.
        package var isUntimed: Bool
        /// What is played.
        package var part: ClipPart

        package init(
            plays: Int? = nil, grid: CellGrid? = nil, traits: TerminalTraits = .full,
            isUntimed: Bool, part: ClipPart = ClipPart()
        ) {
            self.plays = plays
            self.grid = grid
            self.traits = traits
            self.isUntimed = isUntimed
            self.part = part
        }

        /// The same with another number of plays.
        package func playing(_ plays: Int?) -> Settings {
            var settings = self
            settings.plays = plays
            return settings
        }
    }
    /// How playing ended.
    package enum Ending { case finished, quit }

    private let input: Input
    private var sequence: FrameSequence
    private var settings: Settings
    private let screen: Screen?
    private var canvas: any FrameDrawing
    private var reader: any FrameReader
    private var clock = PlaybackClock()
    private var shown: Frame?
    private var arriving: ArrivingMedia?
    private let looping: Looping
    /// Ends decoding that waits for bytes: set by a signal or a key.
    private let flag: CancellationFlag
    /// How far a key wants to go.
    private var jump: Duration?
    private var wasQuit = false
    private let registration: Int
    private let origin = ContinuousClock.now

    /// A wait for a frame that is longer than this stops the clock: the frames after it are not late.
    private static let stall = Duration.milliseconds(250)

    /// Makes a player of a sequence, or of what has arrived of one.
    package init(
        _ sequence: FrameSequence, _ looping: Looping, of input: Input, _ settings: Settings,
        on screen: Screen?, arriving: ArrivingMedia? = nil
    ) throws(CommandFailure) {
        self.looping = looping
        self.arriving = arriving
        self.input = input
        self.sequence = sequence
        self.settings = settings.playing(looping.plays(sequence.info.loop))
        self.screen = screen
        let flag = CancellationFlag()
        self.flag = flag
        canvas = Self.makeCanvas(sequence, settings, screen)
        reader = try Self.makeReader(sequence, input, settings, canvas, flag)
        registration = Interruption.flag.onCancel { flag.cancel() }
        screen?.onQuit { flag.cancel() }
    }

    deinit {
        screen?.onQuit(nil)
        Interruption.flag.forget(registration)
    }

    /// Damage met so far; what has not arrived or was not waited for is none.
    package var warnings: [MediaWarning] {
        arriving != nil || wasQuit ? [] : sequence.info.warnings + reader.warnings
    }

    /// Plays to the end, or until a key or signal ends it; blocks.
    package func play() throws(CommandFailure) -> Ending {
        do throws(CommandFailure) { return try playAll() } catch {
            // A key that came while bytes were waited for.
            guard flag.isCancelled, Interruption.signal == nil else { throw error }
            wasQuit = true
            return .quit
        }
    }

    private func playAll() throws(CommandFailure) -> Ending {
        var elapsed = Duration.zero
        var plays = 0
        if !settings.traits.movesCursor { return try showFirst() }
        while settings.plays.map({ plays < $0 }) ?? true {
            if plays > 0 || settings.part.start > .zero { try seek(toTime: settings.part.start) }
            let (ending, length) = try playOnce(from: elapsed)
            if ending == .quit { return .quit }
            // What takes no time would be shown forever without a pause.
            guard length > .zero else { break }
            elapsed = elapsed.adding(length)
            plays += 1
        }
        let ending = try settings.isUntimed || shown == nil ? nil : pass(to: elapsed, nil)
        try Console.print(canvas.leaving)
        return ending ?? .finished
    }

    // One picture among the lines, where none can take the place of another.
    private func showFirst() throws(CommandFailure) -> Ending {
        if settings.part.start > .zero { try seek(toTime: settings.part.start) }
        guard let frame = try nextFrame() else { throw input.failure(Self.nothingToShow) }
        try draw(frame)
        return .finished
    }

    private static let nothingToShow = MediaError(
        .notFound, "No frame is in the range that was asked for.")

    private func playOnce(
        from elapsed: Duration
    ) throws(CommandFailure) -> (Ending, length: Duration) {
        var length = Duration.zero
        while true {
            let asked = now
            guard let frame = try nextFrame() else {
                guard let arriving else { break }
                if let ending = try wait(for: arriving) { return (ending, length) }
                if shown == nil { length = .zero }
                clock.hold(at: now, for: elapsed.adding(length))
                continue
            }
            let relation = settings.part.relation(of: frame.timing)
            if relation == .after { break }
            if relation == .before { throw input.failure(Self.nothingToShow) }
            let start = max(.zero, frame.presentationTime - settings.part.start)
            if now - asked > Self.stall { clock.hold(at: now, for: elapsed.adding(start)) }
            if let ending = try pass(to: elapsed.adding(start), frame) { return (ending, length) }
            length = start + frame.duration
            if let reached = try follow(jump, elapsed) { length = reached }
        }
        return (.finished, length)
    }

    // Goes to where a key wants, draws what is there, and returns how much of the play is over.
    private func follow(
        _ wanted: Duration?, _ elapsed: Duration
    ) throws(CommandFailure) -> Duration? {
        jump = nil
        guard let wanted, arriving == nil else { return nil }
        var target = max(settings.part.start, (shown?.presentationTime ?? .zero) + wanted)
        let end = [settings.part.end, sequence.info.duration].compactMap { $0 }.min()
        if let end { target = max(settings.part.start, min(target, end - .milliseconds(1))) }
        try seek(toTime: target)
        guard let frame = try nextFrame() else { return nil }
        let start = max(.zero, frame.presentationTime - settings.part.start)
        if clock.isPaused {
            clock.step(to: elapsed + start, at: now)
        } else {
            clock.restart(at: now, from: elapsed + start)
        }
        try draw(frame)
        return start + frame.duration
    }

    // Waits until a frame is due, handles keys and signals while waiting, and draws it.
    private func pass(to moment: Duration, _ next: Frame?) throws(CommandFailure) -> Ending? {
        var frame = next
        var patience: Duration? = .zero
        while true {
            switch screen?.wait(patience) ?? sleep(patience) {
            case .quit: return .quit
            case .interrupted: throw input.failure(.cancelled)
            case .pause: clock.togglePause(at: now)
            case .step where clock.isPaused:
                clock.step(to: moment, at: now)
                try draw(frame)
                return nil
            case .seek(let distance) where frame != nil && arriving == nil:
                jump = distance
                return nil
            case .resized: frame = try fitToWindow(frame)
            case .resumed:
                clock.restart(at: now, from: moment)
                canvas.forgetScreen()
                try draw(shown)
            case .step, .seek, .none: break
            }
            if clock.isPaused {
                patience = nil
                continue
            }
            switch decision(moment, frame) {
            case .wait(let time): patience = time
            case .draw:
                try draw(frame)
                return nil
            case .drop: return nil
            }
        }
    }

    private func decision(_ moment: Duration, _ frame: Frame?) -> PlaybackClock.Decision {
        if settings.isUntimed { return .draw }
        return clock.decide(at: now, start: moment, length: frame?.duration ?? .zero)
    }

    private var now: Duration { ContinuousClock.now - origin }

    // Without a terminal there are no keys, and a signal ends the process by itself.
    private func sleep(_ time: Duration?) -> Screen.Event {
        if let time, time > .zero { Pause.wait(time) }
        return .none
    }

    private func draw(_ frame: Frame?) throws(CommandFailure) {
        guard let frame else { return }
        shown = frame
        try canvas.draw(frame.bitmap) { (bytes) throws(CommandFailure) in
            try Console.print(bytes)
        }
    }
}

// MARK: - The reader behind the picture

extension TerminalPlayer {
    private static func makeCanvas(
        _ sequence: FrameSequence, _ settings: Settings, _ screen: Screen?
    ) -> any FrameDrawing {
        let placement: HalfBlockCanvas.Placement =
            sequence.isStill || !settings.traits.movesCursor
            ? .inline : screen == nil ? .corner : .center
        return HalfBlockCanvas(
            settings.grid ?? Screen.grid ?? .usual, placement, settings.traits)
    }

    private static func makeReader(
        _ sequence: FrameSequence, _ input: Input, _ settings: Settings, _ canvas: any FrameDrawing,
        _ flag: CancellationFlag
    ) throws(CommandFailure) -> any FrameReader {
        do throws(MediaError) {
            return try sequence.makeReader(
                ReaderOptions(
                    size: canvas.pixelSize(of: sequence.info.size), limits: sequence.limits,
                    threads: BlockingPool.coreCount, cancellation: flag))
        } catch {
            throw input.failure(error)
        }
    }

    private func nextFrame() throws(CommandFailure) -> Frame? {
        do throws(MediaError) { return try reader.nextFrame() } catch {
            // The first part of something may end anywhere.
            if arriving != nil, error.code != .cancelled { return nil }
            throw input.failure(error)
        }
    }

    // Goes over to more of what arrives once there is more, or ends by a key.
    private func wait(for arriving: ArrivingMedia) throws(CommandFailure) -> Ending? {
        while true {
            if let outcome = arriving.outcome {
                self.arriving = nil
                let whole = try outcome.get().sequence
                settings = settings.playing(looping.plays(whole.info.loop))
                try goOver(to: whole)
                return nil
            }
            if let more = arriving.takeLatest() {
                try goOver(to: more)
                return nil
            }
            switch screen?.wait(nil) ?? .interrupted {
            case .quit: return .quit
            case .interrupted: throw input.failure(.cancelled)
            case .pause: clock.togglePause(at: now)
            case .resized: _ = try fitToWindow(nil)
            case .resumed:
                canvas.forgetScreen()
                try draw(shown)
            case .step, .seek, .none: break
            }
        }
    }

    // An animation goes on behind what was shown of it; a video begins, and had its poster only.
    private func goOver(to other: FrameSequence) throws(CommandFailure) {
        sequence = other
        reader = try Self.makeReader(other, input, settings, canvas, flag)
        if let shown, other.info.type.family != .video {
            try seek(toIndex: shown.index)
            _ = try nextFrame()
        } else {
            shown = nil
        }
    }

    private func seek(toTime time: Duration) throws(CommandFailure) {
        do throws(MediaError) { try reader.seek(toTime: time) } catch { throw input.failure(error) }
    }

    private func seek(toIndex index: Int) throws(CommandFailure) {
        do throws(MediaError) { try reader.seek(toIndex: index) } catch {
            throw input.failure(error)
        }
    }

    // Decodes at the new size what is shown and what comes next.
    private func fitToWindow(_ next: Frame?) throws(CommandFailure) -> Frame? {
        canvas = Self.makeCanvas(sequence, settings, screen)
        reader = try Self.makeReader(sequence, input, settings, canvas, flag)
        if let shown {
            try seek(toIndex: shown.index)
            try draw(nextFrame())
        }
        guard let next else { return nil }
        try seek(toIndex: next.index)
        return try nextFrame()
    }
}
