import Glibc
internal import LazyBase
internal import LazyEditing
internal import LazyMedia

/// The line with the position, as the screen shows it.
struct StatusDisplay {
    var isOn = false
    private var text: String?
    private var message: (text: String, end: Duration)?

    /// How long a message stays.
    private static let stay = Duration.seconds(3)

    /// Shows a message for a while.
    mutating func show(_ text: String, at now: Duration) { message = (text, now + Self.stay) }

    /// Makes the line be written again.
    mutating func invalidate() { text = nil }

    /// The time until the message ends; nil without one.
    func rest(at now: Duration) -> Duration? {
        guard isOn, let message else { return nil }
        return max(.zero, message.end - now)
    }

    /// The bytes that bring the line up to date, or nil if it is.
    ///
    /// `isPlain` uses no attributes of characters, as without colors.
    mutating func update(
        _ line: StatusLine, _ grid: CellGrid, at now: Duration, isPlain: Bool = false
    ) -> String? {
        if let end = message?.end, end <= now { message = nil }
        var line = line
        line.message = message?.text
        let wanted = line.text(columns: grid.columns)
        guard isOn, wanted != text else { return nil }
        text = wanted
        let place = "\u{1B}[\(grid.lines);1H"
        return isPlain ? place + wanted : place + "\u{1B}[0;7m\(wanted)\u{1B}[0m"
    }
}

extension TerminalPlayer {
    /// Brings the line with the position up to date.
    func drawStatus() throws(TerminalError) {
        guard status.isOn, let shown else { return }
        var line = StatusLine()
        line.position = max(.zero, shown.presentationTime - settings.part.start)
        line.length = length
        line.frame = shown.index
        line.isPaused = clock.isPaused
        line.speed = clock.speed
        line.loopsForever = plays == nil
        line.dropped = droppedFrames
        line.protocolName = settings.chosenProtocol.name
        line.title = settings.title.map(printable)
        line.place = settings.place
        let isPlain = settings.traits.colors == .mono
        let bytes = status.update(line, settings.wholeGrid, at: now, isPlain: isPlain)
        if let bytes { try write(bytes) }
    }

    private var length: Duration? {
        let end = [settings.part.end, source.sequence.info.duration].compactMap { $0 }.min()
        return end.map { max(.zero, $0 - settings.part.start) }
    }

    // Names of files may have anything in them.
    private func printable(_ text: String) -> String {
        ColumnText.printable(text, isASCII: settings.traits.glyphs == .ascii)
    }

    func write(_ text: String) throws(TerminalError) {
        guard !text.isEmpty else { return }
        try output { () throws(SystemError) in try OutputStream.standardOutput.write(text) }
    }

    // Shows the list of keys until one is pressed; playback is paused until then.
    func showHelp() throws(TerminalError) {
        guard let screen else { return }
        let wasPaused = clock.isPaused
        if !wasPaused { clock.togglePause(at: now) }
        try write(canvas.removal + HelpPage.text(settings.wholeGrid))
        // Here the keys that quit do not cancel decoding.
        screen.onQuit(nil)
        var event = TerminalEvent.none
        while event == .none { event = screen.wait(nil) }
        quitByKey(on: screen)
        if !wasPaused { clock.togglePause(at: now) }
        if [.resized, .resumed, .interrupted].contains(event) { screen.unread(event) }
        try redraw()
    }

    // Saves the frame on screen in its full size, and says how that went.
    func saveFrame() -> String {
        guard let shown else { return "no frame to save" }
        let sequence = source.sequence
        do {
            let name = try Screenshot.save(
                shown.index, of: sequence, settings.title ?? "frame", settings.encoders)
            return "saved \(printable(name))"
        } catch {
            return "not saved: \(error)"
        }
    }
}
