import Glibc
internal import LazyBytes
internal import LazyMedia

extension TerminalPlayer {
    // Handles keys and signals until a frame is due, and draws it.
    func present(
        _ next: Frame?, at time: Duration
    ) throws(TerminalError) -> Ending? {
        var frame = next
        var timeout: Duration? = .zero
        while true {
            switch screen?.wait(timeout) ?? sleep(timeout) {
            case .quit: return .quit
            case .interrupted: throw .media(.cancelled)
            case .pause: clock.togglePause(at: now)
            case .step where clock.isPaused:
                clock.step(to: time, at: now)
                try draw(frame)
                return nil
            case .seek(let distance) where frame != nil && arriving == nil:
                jump = distance
                return nil
            case .resized: frame = try fitToWindow(frame)
            case .resumed:
                clock.restart(at: now, from: time)
                try redraw()
            case .step, .seek, .none: break
            }
            if clock.isPaused {
                timeout = nil
                continue
            }
            switch decision(frame, at: time) {
            case .wait(let rest): timeout = rest
            case .draw:
                try draw(frame)
                return nil
            case .drop: return nil
            }
        }
    }

    private func decision(_ frame: Frame?, at time: Duration) -> PlaybackClock.Decision {
        if settings.isUntimed { return .draw }
        return clock.decide(at: now, start: time, length: frame?.duration ?? .zero)
    }

    // Without a terminal there are no keys, and a signal ends the process.
    private func sleep(_ time: Duration?) -> TerminalEvent {
        guard let nanoseconds = time?.nanoseconds, nanoseconds > 0 else { return .none }
        var time = timespec(
            tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        var rest = timespec()
        while nanosleep(&time, &rest) != 0, errno == EINTR { time = rest }
        return .none
    }

    // Waits for more of the media, or for a key that ends it.
    func wait(for arriving: ArrivingMedia) throws(TerminalError) -> Ending? {
        while true {
            if let outcome = arriving.outcome {
                self.arriving = nil
                let whole: FrameSequence
                do { whole = try outcome.get() } catch { throw .download(error) }
                plays = settings.looping.plays(whole.info.loop)
                try replace(by: whole)
                return nil
            }
            if let more = arriving.takeLatest() {
                try replace(by: more)
                return nil
            }
            switch screen?.wait(nil) ?? .interrupted {
            case .quit: return .quit
            case .interrupted: throw .media(.cancelled)
            case .pause: clock.togglePause(at: now)
            case .resized: _ = try fitToWindow(nil)
            case .resumed: try redraw()
            case .step, .seek, .none: break
            }
        }
    }

    // An animation continues after the shown frames; a video begins, since only its poster was shown.
    private func replace(by other: FrameSequence) throws(TerminalError) {
        try source.open(other, size: canvas.pixelSize(of: other.info.size))
        if let shown, other.info.type.family != .video {
            try source.seek(toIndex: shown.index)
            _ = try nextFrame()
        } else {
            shown = nil
        }
    }

    // Decodes the frame on screen and the next one at the new size.
    private func fitToWindow(_ next: Frame?) throws(TerminalError) -> Frame? {
        let sequence = source.sequence
        canvas = settings.makeCanvas(for: sequence, isOnScreen: screen != nil)
        try source.open(sequence, size: canvas.pixelSize(of: sequence.info.size))
        if let shown {
            try source.seek(toIndex: shown.index)
            try draw(nextFrame())
        }
        guard let next else { return nil }
        try source.seek(toIndex: next.index)
        return try nextFrame()
    }

    private func redraw() throws(TerminalError) {
        canvas.invalidate()
        try draw(shown)
    }
}
