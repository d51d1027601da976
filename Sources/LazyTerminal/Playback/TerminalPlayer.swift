internal import LazyBytes
internal import LazyEditing
internal import LazyFiles
public import LazyMedia

/// Plays a sequence frame by frame in the terminal, or to standard output.
///
/// Made and used by one thread, which it blocks.
public final class TerminalPlayer {
    /// How playing ended.
    public enum Ending: Sendable {
        /// All plays are over.
        case finished
        /// A key ended it.
        case quit
    }

    let settings: PlayerSettings
    let screen: TerminalScreen?
    var source: FrameSource
    var canvas: any FrameDrawing
    var clock = PlaybackClock()
    var shown: Frame?
    var arriving: ArrivingMedia?
    /// How often to play; nil for forever.
    var plays: Int?
    /// Cancels decoding that waits for bytes; set by a signal or a key.
    private let flag = CancellationFlag()
    /// The distance that a key requested to seek.
    var jump: Duration?
    private var wasQuit = false
    private var registration: Int?
    private let origin = ContinuousClock.now

    /// A wait for a frame longer than this holds the clock: the frames after it are not late.
    private static let stall = Duration.milliseconds(250)

    /// Makes a player.
    ///
    /// Without a screen the frames go to standard output and no key is read. `sequence` may be a
    /// part of media that is still `arriving`.
    public init(
        _ sequence: FrameSequence, _ settings: PlayerSettings = PlayerSettings(),
        on screen: TerminalScreen? = TerminalScreen(), arriving: ArrivingMedia? = nil
    ) throws(TerminalError) {
        self.settings = settings
        self.screen = screen
        self.arriving = arriving
        plays = settings.looping.plays(sequence.info.loop)
        canvas = settings.makeCanvas(for: sequence, isOnScreen: screen != nil)
        source = try FrameSource(
            sequence, size: canvas.pixelSize(of: sequence.info.size), flag)
        registration = settings.cancellation?.onCancel { [flag] in flag.cancel() }
        screen?.onQuit { [flag] in flag.cancel() }
    }

    deinit {
        screen?.onQuit(nil)
        if let registration { settings.cancellation?.forget(registration) }
    }

    /// Damage met so far; none while media is arriving, and none after a key ended it.
    public var warnings: [MediaWarning] { arriving != nil || wasQuit ? [] : source.warnings }

    /// Plays to the end, or until a key or a signal ends it.
    ///
    /// Uses the alternate screen, and restores the terminal when it ends.
    public func play() throws(TerminalError) -> Ending {
        screen?.take()
        defer { screen?.restore() }
        do throws(TerminalError) { return try playAll() } catch {
            // A key that was pressed while bytes were waited for.
            guard flag.isCancelled, settings.cancellation?.isCancelled != true else { throw error }
            wasQuit = true
            return .quit
        }
    }

    private func playAll() throws(TerminalError) -> Ending {
        var elapsed = Duration.zero
        var count = 0
        if !settings.traits.movesCursor { return try showFirst() }
        while plays.map({ count < $0 }) ?? true {
            if count > 0 || settings.part.start > .zero {
                try source.seek(toTime: settings.part.start)
            }
            let (ending, length) = try playOnce(from: elapsed)
            if ending == .quit { return .quit }
            // Media without length would repeat forever without a pause.
            guard length > .zero else { break }
            elapsed = elapsed.adding(length)
            count += 1
        }
        let ending = try settings.isUntimed || shown == nil ? nil : present(nil, at: elapsed)
        try output { () throws(SystemError) in
            try OutputStream.standardOutput.write(canvas.moveBelow)
        }
        return ending ?? .finished
    }

    // One inline frame, if no frame can replace another.
    private func showFirst() throws(TerminalError) -> Ending {
        if settings.part.start > .zero { try source.seek(toTime: settings.part.start) }
        guard let frame = try nextFrame() else { throw Self.nothingToShow }
        try draw(frame)
        return .finished
    }

    private static var nothingToShow: TerminalError {
        .media(MediaError(.notFound, "No frame is in the requested range."))
    }

    private func playOnce(
        from elapsed: Duration
    ) throws(TerminalError) -> (Ending, length: Duration) {
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
            if relation == .before { throw Self.nothingToShow }
            let start = max(.zero, frame.presentationTime - settings.part.start)
            if now - asked > Self.stall { clock.hold(at: now, for: elapsed.adding(start)) }
            if let ending = try present(frame, at: elapsed.adding(start)) {
                return (ending, length)
            }
            length = start + frame.duration
            if let reached = try performJump(elapsed) { length = reached }
        }
        return (.finished, length)
    }

    // Seeks as a key requested, draws that frame, and returns the elapsed time of the play.
    private func performJump(_ elapsed: Duration) throws(TerminalError) -> Duration? {
        defer { jump = nil }
        guard let jump, arriving == nil else { return nil }
        var target = max(settings.part.start, (shown?.presentationTime ?? .zero) + jump)
        let end = [settings.part.end, source.sequence.info.duration].compactMap { $0 }.min()
        if let end { target = max(settings.part.start, min(target, end - .milliseconds(1))) }
        try source.seek(toTime: target)
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

    var now: Duration { ContinuousClock.now - origin }

    func nextFrame() throws(TerminalError) -> Frame? {
        try source.next(isPart: arriving != nil)
    }

    func draw(_ frame: Frame?) throws(TerminalError) {
        guard let frame else { return }
        shown = frame
        try output { () throws(SystemError) in
            try canvas.draw(frame.bitmap) { (bytes) throws(SystemError) in
                try OutputStream.standardOutput.write(bytes)
            }
        }
    }

    private func output(_ write: () throws(SystemError) -> Void) throws(TerminalError) {
        do throws(SystemError) { try write() } catch { throw .output(error) }
    }
}
