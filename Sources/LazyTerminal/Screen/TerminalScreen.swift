import Glibc
internal import LazyBase
public import LazyMedia

/// The terminal while a player uses it: the alternate screen, no cursor, keys without line input.
///
/// `restore` undoes everything and may be called from any thread, any number of times.
public final class TerminalScreen: Sendable {
    private struct State {
        var hasKeys = false
        var isTaken = false
        var before = termios()
        /// Events of keys that the player has not taken yet.
        var pressed: [TerminalEvent] = []
        var onQuit: (@Sendable () -> Void)?
        /// What else undoes the drawing: bytes before those of `ending`.
        var removal = ""
        var watch: KeyReader?
    }
    private let state = Locked(State())
    private let keys: OutputStream?
    private let events: (reading: CInt, writing: CInt)

    /// Opens the terminal that standard output leads to; nil where it leads elsewhere.
    public init?() {
        guard OutputStream.standardOutput.isTerminal else { return nil }
        var ends: [CInt] = [0, 0]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        events = (ends[0], ends[1])
        keys = Self.keyboard()
    }

    deinit {
        close(events.reading)
        close(events.writing)
        if let keys, keys.number != STDIN_FILENO { close(keys.number) }
    }

    /// The size of the window, or the one in the environment (`COLUMNS` and `LINES`).
    public static var grid: CellGrid? {
        var window = winsize()
        if ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window) == 0,
            let grid = CellGrid(checking: Int(window.ws_col), Int(window.ws_row))
        {
            return grid
        }
        guard let columns = number("COLUMNS"), let lines = number("LINES") else { return nil }
        return CellGrid(checking: columns, lines)
    }

    /// The size of a cell in pixels, or nil where the terminal does not report it.
    public static var cell: PixelSize? {
        var window = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0,
            window.ws_row > 0, window.ws_xpixel >= window.ws_col, window.ws_ypixel >= window.ws_row
        else { return nil }
        return PixelSize(
            width: Int(window.ws_xpixel / window.ws_col),
            height: Int(window.ws_ypixel / window.ws_row))
    }

    private static func number(_ name: String) -> Int? {
        getenv(name).flatMap { Int(String(cString: $0)) }
    }

    /// Begins to read keys as they are pressed, so that they do not reach the shell afterwards.
    public func takeKeys() {
        state.withLock { state in
            guard !state.hasKeys else { return }
            state.hasKeys = true
            guard let keys else { return }
            SystemCalls.guardTerminalModes(keys.number)
            if tcgetattr(keys.number, &state.before) == 0 {
                var raw = state.before
                raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
                tcsetattr(keys.number, TCSANOW, &raw)
            }
            state.watch = KeyReader(keys) { [weak self] in self?.didPress($0) }
        }
    }

    /// Switches to the alternate screen, hides the cursor and reads keys as they are pressed.
    public func take() {
        takeKeys()
        state.withLock { state in
            guard !state.isTaken else { return }
            state.isTaken = true
            SystemCalls.guardScreen(STDOUT_FILENO, Self.ending(state))
            try? OutputStream.standardOutput.write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J")
        }
    }

    /// Restores the state before `takeKeys` and `take`.
    public func restore() { restore(isCut: false) }

    /// Restores it while another thread may be writing a frame, which is cut.
    package func restoreAtOnce() { restore(isCut: true) }

    private func restore(isCut: Bool) {
        let watch = state.withLock { state in
            if state.isTaken {
                let ending = isCut ? Self.ending(state) : state.removal + Self.ending
                try? OutputStream.standardOutput.write(ending)
            }
            if state.hasKeys, let keys {
                tcflush(keys.number, TCIFLUSH)
                tcsetattr(keys.number, TCSANOW, &state.before)
            }
            SystemCalls.releaseTerminal()
            defer { state.watch = nil }
            (state.isTaken, state.hasKeys) = (false, false)
            return state.watch
        }
        watch?.end()
    }

    /// Sets the bytes that remove what clearing the screen leaves, such as pictures.
    func setRemoval(_ bytes: String) {
        state.withLock { state in
            state.removal = bytes
            if state.isTaken { SystemCalls.guardScreen(STDOUT_FILENO, Self.ending(state)) }
        }
    }

    /// Makes an event the next one.
    func unread(_ event: TerminalEvent) { state.withLock { $0.pressed.insert(event, at: 0) } }

    /// Calls a closure as soon as a key quits, even while the player waits for data.
    public func onQuit(_ action: (@Sendable () -> Void)?) { state.withLock { $0.onQuit = action } }

    private func didPress(_ event: TerminalEvent) {
        let action = state.withLock { state in
            state.pressed.append(event)
            return event == .quit ? state.onQuit : nil
        }
        action?()
        wake()
    }

    /// What a signal or another thread writes: it first ends a sequence and a frame that are cut.
    private static func ending(_ state: State) -> String {
        (state.removal.isEmpty ? "" : cut) + "\u{1B}[?2026l" + state.removal + ending
    }

    /// Ends a sequence of a picture that a signal cut, also one that tmux passes on.
    private static var cut: String {
        getenv("TMUX") == nil ? "\u{1B}\\" : "\u{1B}\\" + Passthrough.wrapped("\u{1B}\\")
    }

    /// Resets colors and cursor and returns to the main screen.
    ///
    /// The screen is cleared first: tmux would keep rows of the frame if the window has grown.
    private static let ending = "\u{1B}[0m\u{1B}[H\u{1B}[2J\u{1B}[?25h\u{1B}[?1049l"

    /// Reports a signal to the player; callable from any thread.
    public func didReceive(_ signal: CInt) {
        var byte = UInt8(truncatingIfNeeded: signal)
        _ = Glibc.write(events.writing, &byte, 1)
    }

    /// Wakes the player for something other than keys and signals; callable from any thread.
    public func wake() { didReceive(0) }

    /// Waits for a key or a signal for at most a time; nil waits forever.
    public func wait(_ time: Duration?) -> TerminalEvent {
        if let key = takeKey() { return key }
        var wanted = pollfd(fd: events.reading, events: Int16(POLLIN), revents: 0)
        guard poll(&wanted, 1, time.map(Self.milliseconds) ?? -1) > 0 else { return .none }
        return takeSignal()
    }

    private func takeKey() -> TerminalEvent? {
        state.withLock { $0.pressed.isEmpty ? nil : $0.pressed.removeFirst() }
    }

    // Rounded up: a frame half a millisecond late is better than polling for it.
    private static func milliseconds(_ time: Duration) -> CInt {
        CInt(clamping: max(0, time.adding(.microseconds(999)).milliseconds))
    }

    private func takeSignal() -> TerminalEvent {
        var byte: UInt8 = 0
        guard read(events.reading, &byte, 1) == 1 else { return .none }
        switch CInt(byte) {
        case 0: return takeKey() ?? .none
        case SIGWINCH: return .resized
        case SIGTSTP:
            let wasTaken = state.withLock { $0.isTaken }
            restore()
            raise(SIGSTOP)
            if wasTaken { take() } else { takeKeys() }
            return .resumed
        default: return .interrupted
        }
    }

    // Standard input may be the media; then the keys come from the controlling terminal.
    private static func keyboard() -> OutputStream? {
        if isatty(STDIN_FILENO) == 1 { return OutputStream(number: STDIN_FILENO) }
        let terminal = open("/dev/tty", O_RDONLY | O_CLOEXEC | O_NOCTTY)
        return terminal >= 0 ? OutputStream(number: terminal) : nil
    }
}
