internal import LazyBase
internal import LazyEditing
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
        /// A key asks for the next input.
        case next
        /// A key asks for the input before.
        case previous
        /// The window changed, for whose size the media with its captions was made.
        case resized
    }
    /// Where a key asked to continue.
    enum Jump {
        case by(Duration)
        case percent(Int)
        case frame(Int)
        case chapter(Int)
    }

    var settings: PlayerSettings
    let screen: TerminalScreen?
    var source: PlayerFrames
    var canvas: any FrameDrawing
    var clock: PlaybackClock
    var shown: Frame?
    var arriving: ArrivingMedia?
    /// How often to play; nil for forever.
    var plays: Int?
    /// The plays that are over, and their length.
    var count = 0
    private var elapsed = Duration.zero
    /// Cancels decoding that waits for bytes; set by a signal or a key.
    private let flag = CancellationFlag()
    var jump: Jump?
    /// The number of frames that were not drawn because they were late.
    public internal(set) var droppedFrames = 0
    var status = StatusDisplay()
    private var wasQuit = false
    private var registration: Int?
    private let origin = ContinuousClock.now

    /// A wait for a frame longer than this holds the clock: the frames after it are not late.
    private static let stall = Duration.milliseconds(250)

    /// The dropped frames after which more threads decode.
    private static let fewDrops = 3

    /// Makes a player.
    ///
    /// Without a screen the frames go to standard output and no key is read. `sequence` may be a
    /// part of media that is still `arriving`.
    public init(
        _ sequence: FrameSequence, _ settings: PlayerSettings,
        on screen: TerminalScreen? = TerminalScreen(), arriving: ArrivingMedia? = nil
    ) throws(TerminalError) {
        self.settings = settings
        self.screen = screen
        self.arriving = arriving
        clock = PlaybackClock(speed: settings.speed)
        plays = settings.looping.plays(sequence.info.loop)
        status.isOn = screen != nil && settings.hasStatusLine
        canvas = settings.makeCanvas(
            for: sequence, isOnScreen: screen != nil, hasStatus: status.isOn)
        source = try PlayerFrames(
            sequence, size: Self.pixelSize(for: sequence, on: canvas), flag,
            hasAllThreads: settings.isUntimed)
        registration = settings.cancellation?.onCancel { [flag] in flag.cancel() }
        if let screen { quitByKey(on: screen) }
    }

    /// Makes keys that quit end decoding at once.
    func quitByKey(on screen: TerminalScreen) { screen.onQuit { [flag] in flag.cancel() } }

    /// The size that frames are decoded at.
    func pixelSize(for sequence: FrameSequence) -> PixelSize {
        Self.pixelSize(for: sequence, on: canvas)
    }

    private static func pixelSize(
        for sequence: FrameSequence, on canvas: any FrameDrawing
    ) -> PixelSize {
        canvas.pixelSize(of: sequence.info.size, hasPalette: sequence.info.codec == "gif")
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
        screen?.setRemoval(canvas.removal)
        screen?.take()
        defer {
            screen?.restore()
            screen?.setRemoval("")
        }
        do throws(TerminalError) { return try playAll() } catch {
            // A key that was pressed while bytes were waited for.
            guard flag.isCancelled, settings.cancellation?.isCancelled != true else { throw error }
            wasQuit = true
            return .quit
        }
    }

    private func playAll() throws(TerminalError) -> Ending {
        if !settings.traits.movesCursor { return try showFirst() }
        if let ending = try playFile() { return ending }
        while plays.map({ count < $0 }) ?? true {
            if jump == nil, count > 0 || settings.part.start > .zero {
                try source.seek(toTime: settings.part.start)
            }
            let (ending, length) = try playOnce()
            if ending != .finished { return ending }
            // Media without length would repeat forever without a pause.
            guard length > .zero else { break }
            if plays == count + 1, let ending = try waitAtEnd(elapsed.adding(length)) {
                return ending
            }
            // A key that went back continues this play.
            if jump != nil { continue }
            elapsed = elapsed.adding(length)
            count += 1
        }
        try output { () throws(SystemError) in
            try OutputStream.standardOutput.write(canvas.moveBelow)
        }
        return .finished
    }

    // The last frame is shown for its time.
    private func waitAtEnd(_ time: Duration) throws(TerminalError) -> Ending? {
        settings.isUntimed || shown == nil ? nil : try present(nil, at: time)
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

    private func playOnce() throws(TerminalError) -> (Ending, length: Duration) {
        let reached = try performJump(elapsed)
        var length = reached ?? .zero
        // Before a film's first picture players show that picture already.
        var isFirst = reached == nil
        while true {
            let asked = now
            guard var frame = try nextFrame() else {
                guard let arriving else { break }
                if let ending = try wait(for: arriving) { return (ending, length) }
                if shown == nil { length = .zero }
                clock.hold(at: now, for: elapsed.adding(length))
                continue
            }
            if isSlow, frame.timing.isKeyframe {
                try source.addThreads(at: frame.index)
                if let same = try nextFrame() { frame = same }
            }
            let relation = settings.part.relation(of: frame.timing)
            if relation == .after { break }
            if relation == .before { throw Self.nothingToShow }
            let start =
                isFirst ? .zero : max(.zero, frame.presentationTime - settings.part.start)
            isFirst = false
            if now - asked > Self.stall { clock.hold(at: now, for: elapsed.adding(start)) }
            if let ending = try present(frame, at: elapsed.adding(start)) {
                return (ending, length)
            }
            length = max(.zero, frame.presentationTime - settings.part.start) + frame.duration
            if let reached = try performJump(elapsed) { length = reached }
        }
        return (.finished, length)
    }

    // Whether frames are late that more threads may decode in time.
    private var isSlow: Bool {
        droppedFrames >= Self.fewDrops && !source.hasAllThreads && arriving == nil
    }

    // Seeks as a key requested, draws that frame, and returns the elapsed time of the play.
    private func performJump(_ elapsed: Duration) throws(TerminalError) -> Duration? {
        defer { jump = nil }
        guard let jump, arriving == nil else { return nil }
        try seek(jump)
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

    private func seek(_ jump: Jump) throws(TerminalError) {
        let begin = settings.part.start
        let end = [settings.part.end, source.sequence.info.duration].compactMap { $0 }.min()
        var target = begin
        switch jump {
        case .frame(let index): return try source.seek(toIndex: index)
        case .chapter(let step): target = chapter(step)
        case .by(let distance): target = (shown?.presentationTime ?? .zero).adding(distance)
        case .percent(let share):
            // Without a known length only the start is known.
            if let end { target = begin.adding((end - begin) * share / 100) }
        }
        target = max(begin, target)
        if let end { target = max(begin, min(target, end - .milliseconds(1))) }
        try source.seek(toTime: target)
    }

    /// The start of the chapter after the one that is shown, or of the one before it.
    ///
    /// Back goes to the start of the same chapter where that began a while ago.
    private func chapter(_ step: Int) -> Duration {
        let starts = source.sequence.info.chapters.map(\.start)
        let time = shown?.presentationTime ?? .zero
        guard step < 0 else { return starts.first { $0 > time } ?? time }
        return starts.last { $0 < time - .seconds(2) } ?? .zero
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
        if let captions = settings.captions, canvas.hasCoveredText { try write(captions) }
        try drawStatus()
    }

    func output(_ write: () throws(SystemError) -> Void) throws(TerminalError) {
        do throws(SystemError) { try write() } catch { throw .output(error) }
    }
}
