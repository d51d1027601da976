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
        let screen = settings.traits.movesCursor ? Screen() : nil
        if screen == nil, Descriptor.standardOutput.isTerminal, !report.quiet {
            Console.say(
                "lazyimg: warning: This terminal (TERM=\(TerminalTraits.name)) cannot move its cursor: only the first picture is shown."
            )
        }
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
        if let screen, case .remote = input.address, settings.start == .zero {
            return try await playArriving(input, on: screen)
        }
        return try await play(input.open(reading).sequence, of: input, on: screen)
    }

    // What can be shown of a download is shown while the rest arrives.
    private func playArriving(
        _ input: Input, on screen: Screen
    ) async throws(CommandFailure) -> TerminalPlayer.Ending {
        let arriving = ArrivingMedia { screen.wake() }
        let (beginning, hasBegun) = AsyncStream<Void>.makeStream()
        let reading = reading
        let download = Task {
            do throws(CommandFailure) {
                let opened = try await input.open(reading) { part in
                    arriving.didArrive(part)
                    hasBegun.yield()
                }
                arriving.didEnd(.success(opened))
            } catch {
                arriving.didEnd(.failure(error))
            }
            hasBegun.finish()
        }
        for await _ in beginning { break }
        let ending = await Result { () async throws(CommandFailure) in
            if let outcome = arriving.outcome {
                return try await play(outcome.get().sequence, of: input, on: screen)
            }
            guard let part = arriving.takeLatest() else { throw .cancelled }
            return try await play(part, of: input, on: screen, arriving)
        }
        // Who has seen enough keeps what has come, for the next time.
        download.cancel()
        await download.value
        return try ending.get()
    }

    private func play(
        _ sequence: FrameSequence, of input: Input, on screen: Screen?,
        _ arriving: ArrivingMedia? = nil
    ) async throws(CommandFailure) -> TerminalPlayer.Ending {
        let looping = terminal.looping(isAlone: inputs.count == 1, isOnTerminal: screen != nil)
        let settings = settings
        // A still is drawn among the lines of the terminal and stays there.
        let stage = sequence.isStill && arriving == nil ? nil : screen
        let played = try await onStage(stage) { () throws(CommandFailure) in
            let player = try TerminalPlayer(
                sequence, looping, of: input, settings, on: stage, arriving: arriving)
            let ending = try player.play()
            return (ending, player.warnings)
        }
        if !report.quiet {
            Warnings.say(played.1, about: input, asJSON: report.json)
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

extension Result where Success: Sendable {
    // `Result(catching:)` for work that waits.
    fileprivate init(_ work: () async throws(Failure) -> Success) async {
        do throws(Failure) { self = .success(try await work()) } catch { self = .failure(error) }
    }
}
