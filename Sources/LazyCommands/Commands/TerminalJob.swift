internal import CommandSupport
internal import LazyBytes
internal import LazyEditing
internal import LazyFiles
internal import LazyMedia
internal import LazyTerminal
internal import MediaJobs

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
        if screen == nil, OutputStream.standardOutput.isTerminal, !report.quiet {
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
        if let screen, case .remote = input.address {
            return try await playArriving(input, on: screen)
        }
        return try await play(input.open(reading).sequence, of: input, on: screen)
    }

    // What can be shown of a download is shown while the rest arrives; keys are heard from the start.
    private func playArriving(
        _ input: Input, on screen: Screen
    ) async throws(CommandFailure) -> TerminalPlayer.Ending {
        try await Interruption.withCleanup(
            onForcedExit: { screen.restore() }, listener: { screen.didReceive($0) }
        ) { () async throws(CommandFailure) -> TerminalPlayer.Ending in
            screen.takeKeys()
            defer { screen.restore() }
            return try await playWhileLoading(input, on: screen)
        }
    }

    private func playWhileLoading(
        _ input: Input, on screen: Screen
    ) async throws(CommandFailure) -> TerminalPlayer.Ending {
        let arriving = ArrivingMedia { screen.wake() }
        let reading = reading
        // The first part of a download need not reach to where it is to begin.
        let isFromStart = settings.part.start == .zero
        let download = Task {
            do throws(CommandFailure) {
                let opened = try await input.open(reading, part: .playing) { part in
                    if isFromStart { arriving.didArrive(part) }
                }
                arriving.didEnd(.success(opened))
            } catch {
                arriving.didEnd(.failure(error))
            }
        }
        let ending = await Result { () async throws(CommandFailure) in
            try await play(arriving, of: input, on: screen)
        }
        // Who has seen enough keeps what has come, for the next time.
        download.cancel()
        await download.value
        return try ending.get()
    }

    private func play(
        _ arriving: ArrivingMedia, of input: Input, on screen: Screen
    ) async throws(CommandFailure) -> TerminalPlayer.Ending {
        let beginning = try await Self.offPool { () throws(CommandFailure) in
            try Self.wait(for: arriving, input, screen)
        }
        switch beginning {
        case .quit: return .quit
        case .part(let part): return try await play(part, of: input, on: screen, arriving, true)
        case .whole(let opened):
            return try await play(opened.sequence, of: input, on: screen, nil, true)
        }
    }

    private enum Beginning {
        case quit
        case part(FrameSequence)
        case whole(OpenedInput)
    }

    private static func wait(
        for arriving: ArrivingMedia, _ input: Input, _ screen: Screen
    ) throws(CommandFailure) -> Beginning {
        while true {
            if let outcome = arriving.outcome { return .whole(try outcome.get()) }
            if let part = arriving.takeLatest() { return .part(part) }
            switch screen.wait(nil) {
            case .quit: return .quit
            case .interrupted: throw input.failure(.cancelled)
            default: break
            }
        }
    }

    private func play(
        _ sequence: FrameSequence, of input: Input, on screen: Screen?,
        _ arriving: ArrivingMedia? = nil, _ isHeard: Bool = false
    ) async throws(CommandFailure) -> TerminalPlayer.Ending {
        let looping = terminal.looping(isAlone: inputs.count == 1, isOnTerminal: screen != nil)
        let settings = settings
        // A still is drawn among the lines of the terminal and stays there.
        let stage = sequence.isStill && arriving == nil ? nil : screen
        if isHeard, stage == nil { screen?.restore() }
        let played = try await onStage(stage, isHeard: isHeard) { () throws(CommandFailure) in
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

    // Runs blocking work with the terminal taken and given back; `isHeard` where signals are already
    // told to the screen.
    private func onStage<Result: Sendable>(
        _ screen: Screen?, isHeard: Bool,
        _ work: @escaping @Sendable () throws(CommandFailure) -> Result
    ) async throws(CommandFailure) -> Result {
        let run = { () async throws(CommandFailure) -> Result in
            try await Self.offPool { () throws(CommandFailure) in
                screen?.take()
                defer { screen?.restore() }
                return try work()
            }
        }
        guard let screen, !isHeard else { return try await run() }
        return try await Interruption.withCleanup(
            onForcedExit: { screen.restore() }, listener: { screen.didReceive($0) }, run)
    }

    // Blocking work leaves the cooperative pool.
    private static func offPool<Result: Sendable>(
        _ work: @escaping @Sendable () throws(CommandFailure) -> Result
    ) async throws(CommandFailure) -> Result {
        try await Task(executorPreference: BlockingPool.shared) {
            () -> Swift.Result<Result, CommandFailure> in
            Swift.Result { () throws(CommandFailure) in try work() }
        }.value.get()
    }
}

extension Result where Success: Sendable {
    // `Result(catching:)` for work that waits.
    fileprivate init(_ work: () async throws(Failure) -> Success) async {
        do throws(Failure) { self = .success(try await work()) } catch { self = .failure(error) }
    }
}
