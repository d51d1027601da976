internal import CLazySystem
import Glibc
internal import LazyBytes
internal import LazyFiles
internal import LazyMedia

/// The terminal while something plays on it: its own screen, no cursor, keys without a line.
///
/// `restore` brings everything back and may be called from anywhere, any number of times.
package final class Screen: Sendable {
    private struct State {
        package var hasKeys = false
        package var isTaken = false
        package var before = termios()
        /// Keys that were pressed and not yet asked for.
        package var pressed: [Event] = []
        package var onQuit: (@Sendable () -> Void)?
        package var watch: KeyWatch?
    }
    private let state = Locked(State())
    private let keys: OutputStream?
    private let events: (reading: CInt, writing: CInt)

    /// Something that happened while the player waited.
    package enum Event: Equatable {
        case none, quit, pause, step, resized, resumed, interrupted
        case seek(Duration)
    }

    /// Takes the terminal that standard output is; nil where it is none.
    package init?() {
        guard OutputStream.standardOutput.isTerminal else { return nil }
        var ends: [CInt] = [0, 0]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        events = (ends[0], ends[1])
        keys = Self.keyboard()
    }

    deinit {
        close(events.reading)
        close(events.writing)
        if let keys, keys.number != STDIN_FILENO { close(keys.number) }
    }

    /// The size of the window, or what the environment says it is.
    package static var grid: CellGrid? {
        var window = winsize()
        if ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window) == 0,
            let grid = CellGrid(checking: Int(window.ws_col), Int(window.ws_row))
        {
            return grid
        }
        guard let columns = number("COLUMNS"), let lines = number("LINES") else { return nil }
        return CellGrid(checking: columns, lines)
    }

    private static func number(_ name: String) -> Int? {
        getenv(name).flatMap { Int(String(cString: $0)) }
    }

    /// Takes the keys as they are pressed, so that they do not reach the shell afterwards.
    package func takeKeys() {
        state.withLock { state in
            guard !state.hasKeys else { return }
            state.hasKeys = true
            guard let keys else { return }
            lazy_guard_keys(keys.number)
            if tcgetattr(keys.number, &state.before) == 0 {
                var raw = state.before
                raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
                tcsetattr(keys.number, TCSANOW, &raw)
            }
            state.watch = KeyWatch(keys) { [weak self] in self?.didPress($0) }
        }
    }

    /// Begins: another screen, no cursor, keys as they are pressed.
    package func take() {
        takeKeys()
        state.withLock { state in
            guard !state.isTaken else { return }
            state.isTaken = true
            lazy_guard_screen(STDOUT_FILENO, Self.ending)
            try? OutputStream.standardOutput.write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J")
        }
    }

    /// Ends: all as it was before `takeKeys` and `take`.
    package func restore() {
        let watch = state.withLock { state in
            if state.isTaken { try? OutputStream.standardOutput.write(Self.ending) }
            if state.hasKeys, let keys {
                tcflush(keys.number, TCIFLUSH)
                tcsetattr(keys.number, TCSANOW, &state.before)
            }
            lazy_release_terminal()
            defer { state.watch = nil }
            (state.isTaken, state.hasKeys) = (false, false)
            return state.watch
        }
        watch?.end()
    }

    /// Calls a closure at once when somebody wants to end, whatever the player waits for.
    package func onQuit(_ action: (@Sendable () -> Void)?) { state.withLock { $0.onQuit = action } }

    private func didPress(_ event: Event) {
        let action = state.withLock { state in
            state.pressed.append(event)
            return event == .quit ? state.onQuit : nil
        }
        action?()
        wake()
    }

    /// No colors, a cursor, and the screen that was there before.
    ///
    /// Emptied first: of a window that has grown meanwhile tmux keeps the rows that no longer fit into
    /// its lines from before.
    private static let ending = "\u{1B}[?2026l\u{1B}[0m\u{1B}[H\u{1B}[2J\u{1B}[?25h\u{1B}[?1049l"

    /// Wakes the player for a signal; called from the thread that takes signals.
    package func didReceive(_ signal: CInt) {
        var byte = UInt8(truncatingIfNeeded: signal)
        _ = Glibc.write(events.writing, &byte, 1)
    }

    /// Wakes the player for what it waits for besides keys and signals; callable from anywhere.
    package func wake() { didReceive(0) }

    /// Waits for a key or a signal, at most so long; nil waits forever.
    package func wait(_ time: Duration?) -> Event {
        if let key = takeKey() { return key }
        var wanted = pollfd(fd: events.reading, events: Int16(POLLIN), revents: 0)
        guard poll(&wanted, 1, time.map(Self.milliseconds) ?? -1) > 0 else { return .none }
        return takeSignal()
    }

    private func takeKey() -> Event? {
        state.withLock { $0.pressed.isEmpty ? nil : $0.pressed.removeFirst() }
    }

    // Rounded up: a frame half a millisecond late is better than waiting in circles for it.
    private static func milliseconds(_ time: Duration) -> CInt {
        CInt(clamping: max(0, time.adding(.microseconds(999)).milliseconds))
    }

    private func takeSignal() -> Event {
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

    // Standard input may be the media; the keyboard is the terminal's all the same.
    private static func keyboard() -> OutputStream? {
        if isatty(STDIN_FILENO) == 1 { return OutputStream(number: STDIN_FILENO) }
        let terminal = open("/dev/tty", O_RDONLY | O_CLOEXEC | O_NOCTTY)
        return terminal >= 0 ? OutputStream(number: terminal) : nil
    }
}
