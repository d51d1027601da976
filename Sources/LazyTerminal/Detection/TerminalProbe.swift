import Glibc
internal import LazyBase
internal import LazyMedia

extension TerminalTraits {
    /// The traits of this process's terminal, which is asked what it can do with pixels.
    ///
    /// Takes 200 ms at most (a second over ssh), a few milliseconds as a rule. Nothing is asked where
    /// standard output is no terminal, in the background, and on terminals that are known to have nothing
    /// to answer; nor without colors, as with `NO_COLOR`, unless `withoutColors` says so.
    public static func detected(withoutColors: Bool = false) -> TerminalTraits {
        var traits = ofProcess
        guard OutputStream.standardOutput.isTerminal, traits.movesCursor, name != "linux",
            withoutColors || traits.colors != .mono
        else { return traits }
        traits.graphics = TerminalProbe().graphics()
        traits.addColors(of: traits.graphics)
        return traits
    }
}

/// Asks the controlling terminal.
struct TerminalProbe {
    private let environment: (String) -> String? = { name in
        getenv(name).flatMap { $0.pointee == 0 ? nil : String(cString: $0) }
    }

    func graphics() -> TerminalGraphics {
        if let tmux = Tmux.current(environment) { return graphics(in: tmux) }
        // GNU screen neither answers for the terminal nor passes on what it says.
        if environment("STY") != nil { return .none }
        return graphics { connection in connection.ask() }
    }

    private func graphics(in tmux: Tmux) -> TerminalGraphics {
        var graphics = TerminalGraphics.none
        // Unanswered, pictures would have to be sent without knowing whether the terminal keeps up.
        if tmux.passesThrough, tmux.isAnswered { graphics = TerminalGraphics(tmux.environment) }
        if graphics.kitty != nil {
            graphics = self.graphics { connection in connection.askThroughTmux() }
            graphics.animates = graphics.kitty != nil && tmux.isKitty
        }
        graphics.isInTmux = true
        graphics.isPassedThrough = tmux.passesThrough
        graphics.scrolls = tmux.isWhole
        graphics.name = tmux.terminal
        graphics.cell = TerminalScreen.cell
        return graphics
    }

    private func graphics(_ ask: (TerminalConnection) -> TerminalAnswers?) -> TerminalGraphics {
        let limit: Duration =
            environment("SSH_CONNECTION") == nil ? .milliseconds(180) : .seconds(1)
        guard let connection = TerminalConnection(limit), let answers = ask(connection) else {
            var graphics = TerminalGraphics(environment)
            graphics.cell = TerminalScreen.cell
            return graphics
        }
        var graphics = TerminalGraphics(answers, environment)
        graphics.cell = TerminalScreen.cell ?? answers.cell ?? Self.cell(answers.area)
        return graphics
    }

    private static func cell(_ area: PixelSize?) -> PixelSize? {
        guard let area, let grid = TerminalScreen.grid else { return nil }
        return PixelSize(
            width: max(1, area.width / grid.columns), height: max(1, area.height / grid.lines))
    }
}

/// The controlling terminal while it is asked; its modes are restored at the end.
final class TerminalConnection {
    private let terminal: OutputStream
    private let limit: Duration
    private var before = termios()

    /// Opens it; nil without one, or in the background.
    init?(_ limit: Duration) {
        let number = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard number >= 0 else { return nil }
        // A process in the background would be stopped.
        guard tcgetpgrp(number) == getpgrp(), tcgetattr(number, &before) == 0 else {
            close(number)
            return nil
        }
        terminal = OutputStream(number: number)
        self.limit = limit
        SystemCalls.guardTerminalModes(number)
        var raw = before
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
        tcsetattr(number, TCSANOW, &raw)
    }

    deinit {
        // A late answer would be taken for typed text.
        tcflush(terminal.number, TCIFLUSH)
        tcsetattr(terminal.number, TCSANOW, &before)
        SystemCalls.releaseTerminal()
        close(terminal.number)
    }

    /// The answers, or nil if there are none in time.
    func ask() -> TerminalAnswers? {
        let objects = ProbeObjects()
        let query = TerminalQuery(memory: objects.memory, file: objects.file)
        var answers = exchange(query.text) { $0.attributes != nil }
        if answers?.hasSixels == true, let more = exchange(TerminalQuery.colors, Self.isWhole) {
            answers?.sixelColors = more.sixelColors
        }
        return answers
    }

    /// The answers of the terminal around tmux about kitty's protocol.
    func askThroughTmux() -> TerminalAnswers? {
        let objects = ProbeObjects()
        let query = TerminalQuery(memory: objects.memory, file: objects.file, isForTmux: true)
        return exchange(query.text) { $0.answered.contains(TerminalQuery.numbers.direct) }
    }

    private static func isWhole(_ answers: TerminalAnswers) -> Bool { answers.attributes != nil }

    private func exchange(
        _ text: String, _ isComplete: (TerminalAnswers) -> Bool
    ) -> TerminalAnswers? {
        guard (try? terminal.write(text)) != nil else { return nil }
        let end = ContinuousClock.now + limit
        var bytes: [UInt8] = []
        while true {
            let rest = (end - ContinuousClock.now).milliseconds
            var wanted = pollfd(fd: terminal.number, events: Int16(POLLIN), revents: 0)
            guard rest > 0, poll(&wanted, 1, CInt(clamping: rest)) > 0 else { return nil }
            var chunk = [UInt8](repeating: 0, count: 1024)
            let count = read(terminal.number, &chunk, chunk.count)
            guard count > 0 else { return nil }
            bytes += chunk[..<count]
            let answers = TerminalAnswers(bytes)
            if isComplete(answers) { return answers }
        }
    }
}

/// One pixel in shared memory and in a file, for the questions; removed at the end.
private final class ProbeObjects {
    let memory: String?
    let file: String?

    init() {
        memory = Self.create(PictureFiles.folder(.memory) + Self.name).map { _ in Self.name }
        file = Self.create(PictureFiles.folder(.files) + Self.name)
    }

    deinit {
        unlink(PictureFiles.folder(.memory) + Self.name)
        unlink(PictureFiles.folder(.files) + Self.name)
    }

    private static let name = PictureFiles.name("probe")

    private static func create(_ path: String) -> String? {
        let pixel: [UInt8] = [0, 0, 0]
        return pixel.withUnsafeBytes { PictureFiles.write($0, to: path) } ? path : nil
    }
}
