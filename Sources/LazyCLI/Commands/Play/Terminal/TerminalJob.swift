internal import LazyBase
internal import LazyEditing
internal import LazyMedia
internal import LazyPipeline
internal import LazyRenditions
internal import LazyTerminal

/// `play` without `--frames`: each input in turn on the terminal.
struct TerminalJob {
    let settings: PlayerSettings
    /// The part that is played, where it is not one of times.
    let section: ClipSection?
    let inputs: [Input]
    let reading: Reading
    let edit: ClipEdit?
    private let plays: Looping?
    private let leaves: Bool
    let report: ReportStyle

    /// Makes a job; without `plays`, one input on a terminal plays as authored, others once.
    ///
    /// With `leaves` the terminal plays the animations when the process has ended.
    init(
        settings: PlayerSettings, section: ClipSection? = nil, inputs: [Input],
        _ reading: Reading, edit: ClipEdit? = nil,
        plays: Looping?, leaves: Bool, _ report: ReportStyle
    ) {
        self.settings = settings
        self.section = section
        self.inputs = inputs
        self.reading = reading
        self.edit = edit
        self.plays = plays
        self.leaves = leaves
        self.report = report
    }

    func run() async throws(CommandFailure) {
        var failures = Failures(inputs, asJSON: report.json)
        let screen = settings.traits.movesCursor ? TerminalScreen() : nil
        if screen == nil, OutputStream.standardOutput.isTerminal, !report.quiet {
            Console.say(
                "lazyimg: warning: This terminal (TERM=\(TerminalTraits.name)) cannot move its cursor: only the first frame is shown."
            )
        }
        if leaves { return try await leave() }
        warnOfTmux()
        var place = 0
        while place < inputs.count {
            do throws(CommandFailure) {
                switch try await play(inputs[place], on: screen) {
                case .quit: place = inputs.count
                case .previous: place = max(0, place - 1)
                case .finished, .next, .resized: place += 1
                }
            } catch {
                _ = try failures.add(error)
                place += 1
            }
        }
        try failures.finish()
    }

    private func warnOfTmux() {
        let graphics = settings.traits.graphics
        guard graphics.isInTmux, !graphics.isPassedThrough, !report.quiet,
            settings.terminalProtocol?.hasPixels == true
        else { return }
        Console.say(
            "lazyimg: warning: tmux discards pictures unless it is told: tmux set -g allow-passthrough on"
        )
    }

    // A file that a terminal may be given whole, of 64 MB at most; nil for a larger one.
    private static func content(of path: String) -> [UInt8]? {
        guard let file = try? FileBytes(name: path.systemPath, label: path), file.count <= 64 << 20
        else { return nil }
        return try? file.contiguous().withBytes { Array($0) }
    }

    func looping(isAlone: Bool, isOnTerminal: Bool) -> Looping {
        plays ?? (isAlone && isOnTerminal ? .asAuthored : .times(1))
    }

    /// The settings for one of the inputs.
    func settings(for input: Input, looping: Looping) -> PlayerSettings {
        var settings = settings
        settings.looping = looping
        settings.title = input.address.fileName
        settings.place = (input.number, inputs.count)
        if edit == nil, case .path(let path) = input.address {
            settings.file = { Self.content(of: path) }
        }
        return settings
    }

    private func play(
        _ input: Input, on screen: TerminalScreen?
    ) async throws(CommandFailure) -> TerminalPlayer.Ending {
        if edit == nil, let screen, case .remote = input.address {
            return try await playArriving(input, on: screen)
        }
        return try await play(
            input.open(reading, part: .everything, edit), of: input, on: screen)
    }

    // The loaded part of a download plays while the rest loads; keys work from the start.
    private func playArriving(
        _ input: Input, on screen: TerminalScreen
    ) async throws(CommandFailure) -> TerminalPlayer.Ending {
        try await Interruption.withCleanup(
            onForcedExit: { screen.restoreAtOnce() }, onSignal: { screen.didReceive($0) }
        ) { () async throws(CommandFailure) -> TerminalPlayer.Ending in
            screen.takeKeys()
            defer { screen.restore() }
            return try await playWhileLoading(input, on: screen)
        }
    }

    private func playWhileLoading(
        _ input: Input, on screen: TerminalScreen
    ) async throws(CommandFailure) -> TerminalPlayer.Ending {
        let arriving = ArrivingMedia { screen.wake() }
        let reading = reading
        // The first part of a download may end before the start of the range.
        let isFromStart = settings.start == .zero && section == nil
        let download = Task {
            do throws(CommandFailure) {
                let opened = try await input.open(reading, part: .playing) { part in
                    if isFromStart { arriving.didArrive(part) }
                }
                arriving.didEnd(.success(opened.sequence))
            } catch {
                arriving.didEnd(.failure(error))
            }
        }
        let ending = await Result { () async throws(CommandFailure) in
            try await play(arriving, of: input, on: screen)
        }
        // The loaded part stays in the cache.
        download.cancel()
        await download.value
        return try ending.get()
    }

    private func play(
        _ arriving: ArrivingMedia, of input: Input, on screen: TerminalScreen
    ) async throws(CommandFailure) -> TerminalPlayer.Ending {
        let beginning = try await Self.onBlockingPool { () throws(CommandFailure) in
            try Self.wait(for: arriving, input, screen)
        }
        guard let (sequence, isWhole) = beginning else { return .quit }
        return try await play(
            sequence, of: input, on: screen, isWhole ? nil : arriving, isHeard: true)
    }

    // The first part that can be shown, or all; nil if a key quits before.
    private static func wait(
        for arriving: ArrivingMedia, _ input: Input, _ screen: TerminalScreen
    ) throws(CommandFailure) -> (FrameSequence, isWhole: Bool)? {
        while true {
            if let outcome = arriving.outcome {
                do { return (try outcome.get(), true) } catch {
                    throw CommandFailure(.download(error), input)
                }
            }
            if let part = arriving.takeLatest() { return (part, false) }
            switch screen.wait(nil) {
            case .quit: return nil
            case .interrupted: throw input.failure(.cancelled)
            default: break
            }
        }
    }

    private func play(
        _ sequence: FrameSequence, of input: Input, on screen: TerminalScreen?,
        _ arriving: ArrivingMedia? = nil, isHeard: Bool = false
    ) async throws(CommandFailure) -> TerminalPlayer.Ending {
        var settings = settings(
            for: input,
            looping: looping(isAlone: inputs.count == 1, isOnTerminal: screen != nil))
        if let section {
            do throws(MediaError) {
                settings.start = try await sequence.time(of: section.start)
                if let end = section.end { settings.end = try await sequence.time(of: end) }
            } catch {
                throw input.failure(error)
            }
        }
        // A still is drawn inline and stays in the scrollback.
        let stage = sequence.isStill && arriving == nil ? nil : screen
        if isHeard, stage == nil { screen?.restore() }
        let job = settings
        let run = { () async throws(CommandFailure) -> (TerminalPlayer.Ending, [MediaWarning]) in
            try await Self.onBlockingPool { () throws(CommandFailure) in
                do throws(TerminalError) {
                    let player = try TerminalPlayer(sequence, job, on: stage, arriving: arriving)
                    return (try player.play(), player.warnings)
                } catch {
                    throw CommandFailure(error, input)
                }
            }
        }
        let (ending, warnings) =
            if let stage, !isHeard {
                try await Interruption.withCleanup(
                    onForcedExit: { stage.restore() }, onSignal: { stage.didReceive($0) }, run)
            } else {
                try await run()
            }
        if !report.quiet { Warnings.say(warnings, about: input, asJSON: report.json) }
        return ending
    }

    // Blocking work runs outside the cooperative pool.
    static func onBlockingPool<Result: Sendable>(
        _ work: @escaping @Sendable () throws(CommandFailure) -> Result
    ) async throws(CommandFailure) -> Result {
        try await Task(executorPreference: BlockingPool.shared) {
            () -> Swift.Result<Result, CommandFailure> in
            Swift.Result { () throws(CommandFailure) in try work() }
        }.value.get()
    }
}

extension CommandFailure {
    /// The failure for an error of a player.
    init(_ error: TerminalError, _ input: Input) {
        switch error {
        case .media(let error): self = input.failure(error)
        case .output(let error): self.init(writing: "standard output", error)
        case .download(let error):
            self = error as? CommandFailure ?? input.failure(.cancelled)
        }
    }
}

extension Result where Success: Sendable {
    // `Result(catching:)` for asynchronous work.
    fileprivate init(_ work: () async throws(Failure) -> Success) async {
        do throws(Failure) { self = .success(try await work()) } catch { self = .failure(error) }
    }
}
