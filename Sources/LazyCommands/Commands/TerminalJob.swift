internal import LazyMedia

/// `play` without `--frames`: each input in turn on the terminal.
struct TerminalJob {
    private let settings: TerminalPlayer.Settings
    private let inputs: [Input]
    private let reading: Reading
    private let terminal: TerminalOptions
    private let report: ReportOptions

    init(
        settings: TerminalPlayer.Settings, inputs: [Input], _ reading: Reading,
        _ terminal: TerminalOptions, _ report: ReportOptions
    ) {
        self.settings = settings
        self.inputs = inputs
        self.reading = reading
        self.terminal = terminal
        self.report = report
    }

    func run() async throws(CommandFailure) {
        var failures = Failures(inputs, asJSON: report.json)
        let screen = Screen()
        for input in inputs {
            do throws(CommandFailure) {
                if try await play(input, on: screen) == .quit { break }
            } catch {
                _ = try failures.add(error)
            }
        }
        try failures.finish()
    }

    private func play(
        _ input: Input, on screen: Screen?
    ) async throws(CommandFailure) -> TerminalPlayer.Ending {
        let sequence = try await input.open(reading).sequence
        let looping = terminal.looping(isAlone: inputs.count == 1, isOnTerminal: screen != nil)
        let settings = settings.playing(looping.plays(sequence.info.loop))
        // A still is drawn among the lines of the terminal and stays there.
        let stage = sequence.isStill ? nil : screen
        let played = try await onStage(stage) { () throws(CommandFailure) in
            let player = try TerminalPlayer(sequence, of: input, settings, on: stage)
            let ending = try player.play()
            return (ending, player.warnings)
        }
        if !report.quiet {
            Warnings.say(sequence.info.warnings + played.1, about: input, asJSON: report.json)
        }
        return played.0
    }

    // Runs blocking work off the cooperative pool, with the terminal taken and given back.
    private func onStage<Result: Sendable>(
        _ screen: Screen?, _ work: @escaping @Sendable () throws(CommandFailure) -> Result
    ) async throws(CommandFailure) -> Result {
        let run = {
            await Task(executorPreference: BlockingPool.shared) {
                () -> Swift.Result<Result, CommandFailure> in
                screen?.take()
                defer { screen?.restore() }
                return Swift.Result { () throws(CommandFailure) in try work() }
            }.value
        }
        guard let screen else { return try await run().get() }
        return try await Interruption.tidily(
            lastWords: { screen.restore() }, listener: { screen.didReceive($0) }, run
        ).get()
    }
}
