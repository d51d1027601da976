import Glibc
internal import LazyBase
internal import LazyMedia

extension TerminalPlayer {
    // Handles keys and signals until a frame is due, and draws it.
    func present(
        _ next: Frame?, at time: Duration
    ) throws(TerminalError) -> Ending? {
        var frame = next
        var timeout: Duration? = .zero
        while true {
            let event = screen?.wait(timeout) ?? sleep(timeout)
            switch event {
            case .step(1):
                clock.step(to: time, at: now)
                try draw(frame)
                if frame == nil { jump = nil }
                return nil
            case .resized where settings.captions != nil: return .resized
            case .resized: frame = try fitToWindow(frame)
            case .resumed:
                clock.restart(at: now, from: time)
                try redraw()
            case .status where screen != nil && settings.captions == nil:
                settings.showsStatus.toggle()
                frame = try fitToWindow(frame)
            default: if let ending = try handle(event) { return ending }
            }
            if jump != nil { return nil }
            if clock.isPaused {
                try drawStatus()
                timeout = status.rest(at: now)
                continue
            }
            switch decision(frame, at: time) {
            case .wait(let rest):
                timeout = min(rest, status.rest(at: now) ?? rest)
                if timeout == .zero || timeout != rest { try drawStatus() }
            case .draw where canvas.isBehind && !settings.isUntimed && frame != nil:
                droppedFrames += 1
                return nil
            case .draw:
                try draw(frame)
                return nil
            case .drop:
                droppedFrames += 1
                return nil
            }
        }
    }

    // The keys that mean the same at any time.
    private func handle(_ event: TerminalEvent) throws(TerminalError) -> Ending? {
        switch event {
        case .quit: return .quit
        case .input(let direction): return direction > 0 ? .next : .previous
        case .chapter(let step):
            guard !source.sequence.info.chapters.isEmpty else {
                return step > 0 ? .next : .previous
            }
            if arriving == nil { jump = .chapter(step) }
        case .interrupted: throw .media(.cancelled)
        case .pause: clock.togglePause(at: now)
        case .step:
            guard arriving == nil, let shown else { break }
            if !clock.isPaused { clock.togglePause(at: now) }
            if shown.index > 0 { jump = .frame(shown.index - 1) }
        case .seek(let distance): if arriving == nil { jump = .by(distance) }
        case .percent(let share): if arriving == nil { jump = .percent(share) }
        case .speed(let direction):
            clock.setSpeed(PlaybackSpeed.next(after: clock.speed, direction), at: now)
        case .loop: plays = plays == nil ? count + 1 : nil
        case .screenshot: status.show(saveFrame(), at: now)
        case .help: try showHelp()
        default: break
        }
        return nil
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
            let event = screen?.wait(nil) ?? .interrupted
            switch event {
            case .resized: _ = try fitToWindow(nil)
            case .resumed: try redraw()
            case .status, .loop: break
            default: if let ending = try handle(event) { return ending }
            }
        }
    }

    // An animation continues after the shown frames; a video begins, since only its poster was shown.
    private func replace(by other: FrameSequence) throws(TerminalError) {
        try source.open(other, size: pixelSize(for: other))
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
        status.isOn = screen != nil && settings.hasStatusLine
        status.invalidate()
        try write(canvas.removal)
        canvas = settings.makeCanvas(
            for: sequence, isOnScreen: screen != nil, hasStatus: status.isOn)
        screen?.setRemoval(canvas.removal)
        try source.open(sequence, size: pixelSize(for: sequence))
        if let shown {
            try source.seek(toIndex: shown.index)
            try draw(nextFrame())
        }
        guard let next else { return nil }
        try source.seek(toIndex: next.index)
        return try nextFrame()
    }

    func redraw() throws(TerminalError) {
        canvas.invalidate()
        status.invalidate()
        try draw(shown)
    }
}
