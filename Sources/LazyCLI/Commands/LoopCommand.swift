internal import ArgumentParser
internal import LazyBase
internal import LazyKit
internal import LazyMedia
internal import LazyRenditions

/// `lazyimg loop`: changes loop count and delays without encoding.
struct LoopCommand: JobCommand {
    static let configuration = CommandConfiguration(
        commandName: "loop",
        abstract: "Print or change loop count and delays, losslessly.",
        discussion: """
            For GIF, animated WebP, APNG and AVIF sequences. Only the numbers are rewritten; the \
            encoded images stay as they are. --loop counts plays, whatever the format counts: 'once' \
            removes a GIF's extension, and 3 writes 2 repeats to a GIF and 3 plays to a WebP. Without \
            --loop, --delay and --speed the present loop is printed.

            Videos (MP4, WebM) have no loop count; their players decide.

            Examples:
              lazyimg loop clip.gif
              lazyimg loop clip.gif --loop forever -o looping.gif
              lazyimg loop clip.webp --loop 3 --in-place
              lazyimg loop clip.png --delay 100ms -o slow.png
              lazyimg loop *.gif *.webp --speed 2 -o fast/
              lazyimg loop https://example.org/clip.gif --loop once -o clip.gif
            """)

    @OptionGroup var inputs: InputArguments
    @OptionGroup var destination: LoopOutputOptions

    @Option("The total number of plays: forever, once or a number.", Words.plays, as: "plays")
    var loop: Looping?

    @Option(help: .hidden, transform: { try Words.plays.parse($0) })
    var set: Looping?

    @Option("The duration of every frame, such as 100ms or 0.04.", Words.time, as: "time")
    var delay: Duration?

    @OptionGroup var pace: SpeedOptions

    @Flag(help: "Replace each input atomically by the new file.")
    var inPlace = false

    @OptionGroup var options: JobOptions

    // Nothing is written where the loops are printed or the inputs changed.
    var takesOutputWord: Bool {
        !inPlace && (loop != nil || set != nil || delay != nil || pace.speed != nil)
    }
}

/// The name of an output; its format is that of the input.
struct LoopOutputOptions: DestinationOptions {
    static var formats: [OutputFormat] {
        OutputFormat.animated.filter { $0.type?.rewriter != nil } + [.png]
    }

    var format: OutputFormat? { nil }

    @Option(
        "The file to write, a folder, or - for standard output.",
        as: "file", name: [.customShort("o", allowingJoined: true), .long], completion: .file())
    var output: String?

    @OptionGroup var naming: NamingOptions
}

extension LoopCommand {
    func job(_ inputs: [Input]) throws -> LoopJob {
        if delay != nil, pace.speed != nil {
            throw CommandFailure.usage("--delay cannot be combined with --speed.")
        }
        if loop != nil, set != nil {
            throw CommandFailure.usage("--set is the old name of --loop: use one of them.")
        }
        if options.limits.track != .main {
            throw CommandFailure.usage(
                "The loop of one track cannot be changed: leave out --track.")
        }
        let plays = loop ?? set
        let delays = delay.map { TimingChange.Delays.each($0) } ?? pace.speed.map { .speed($0) }
        let change =
            plays == nil && delays == nil
            ? nil : TimingChange(plays: plays ?? .asAuthored, delays: delays)
        if change == nil, destination.output != nil || inPlace {
            throw CommandFailure.usage(
                "There is nothing to change.", hint: "Add --loop, --delay or --speed.")
        }
        if change != nil, destination.output == nil, !inPlace {
            throw CommandFailure.usage(
                "The name of the new file is missing.",
                hint: "Name one with -o, or replace the input with --in-place.")
        }
        if destination.output != nil, inPlace {
            throw CommandFailure.usage("--in-place cannot be combined with --output.")
        }
        return LoopJob(
            output: destination.output, change: change, isInPlace: inPlace,
            overwrite: options.existing.policy,
            reading: try options.reading(inputs))
    }
}

/// `loop`: changes the loop or delays of a file, or prints them.
struct LoopJob: MediaJob {
    static let name = "loop"

    var output: String?
    /// The change, or nil to print the present state.
    let change: TimingChange?
    let isInPlace: Bool
    var overwrite: OverwritePolicy
    let reading: Reading

    var isRepeatable: Bool { change != nil && !isInPlace }

    var key: String {
        guard let change else { return "loop" }
        let plays = JobKey.plays(change.plays)
        let delays =
            switch change.delays {
            case .each(let length): "each/\(length.microseconds)"
            case .speed(let factor): "speed/\(factor)"
            case nil: "source"
            }
        return "loop plays=\(plays) delays=\(delays)"
    }

    func outputs(for input: Input, isAlone: Bool) throws(CommandFailure) -> [String] {
        guard change != nil else { return [] }
        return [try place(of: input, isAlone: isAlone).label]
    }

    func run(
        _ input: Input, isAlone: Bool, progress: @escaping @Sendable (Double) -> Void
    ) async throws(CommandFailure) -> JobReport {
        let opened = try await open(input)
        let info = opened.info
        guard let change else { return report(input, info) }
        let place = try place(of: input, isAlone: isAlone)
        if !isInPlace { try place.refuseExisting(overwrite) }
        guard let rewriter = reading.rewriter(of: info.type, for: input) else {
            throw refusal(of: info.type, input)
        }
        let limits = reading.limits(for: input)
        let policy: OverwritePolicy = isInPlace ? .always : overwrite
        let count = try await place.write(policy, failure: input.failure) {
            (file) throws(MediaError) in
            if isInPlace { try file.copyMode(of: place.label) }
            return try await BlockingPool.shared.run { () throws(MediaError) in
                try rewriter.rewrite(
                    opened.bytes, change, limits: limits, cancellation: Interruption.flag
                ) { (piece) throws(MediaError) in try file.write(piece) }
                return file.count
            }
        }
        // A link is followed, and reported as given.
        var label = place.label
        if isInPlace, case .path(let path) = input.address { label = path }
        let length = change.delays != nil && place.isFile ? try await length(of: place, input) : nil
        return report(input, info, change, label, count, length)
    }

    /// How long one play of a written file takes, by the delays of all its frames.
    private func length(
        of place: OutputTarget, _ input: Input
    ) async throws(CommandFailure) -> Duration {
        let limits = reading.limits(for: input)
        do throws(MediaError) {
            let written = try await BlockingPool.shared.run { () throws(MediaError) in
                try Input.sequence(
                    FileBytes(name: place.label.systemPath, label: place.label), limits,
                    reading.decoders(for: input))
            }
            return try await written.frameIndex().duration
        } catch {
            throw input.failure(error)
        }
    }

    private func open(
        _ input: Input
    ) async throws(CommandFailure) -> (bytes: any ByteSource, info: MediaInfo) {
        let remote = try await remoteBytes(input)
        let limits = reading.limits(for: input)
        do throws(MediaError) {
            return try await BlockingPool.shared.run { () throws(MediaError) in
                let bytes = if let remote { remote } else { try input.bytes(limits) }
                return (bytes, try Input.sequence(bytes, limits, reading.decoders(for: input)).info)
            }
        } catch {
            throw input.failure(error)
        }
    }

    /// The bytes of a URL, loaded completely, since almost all are copied.
    private func remoteBytes(_ input: Input) async throws(CommandFailure) -> (any ByteSource)? {
        guard case .remote(let url) = input.address else { return nil }
        return try await reading.network.bytes(url, for: input, reading.limits(for: input))
    }

    /// The destination: the named output, or the input itself.
    private func place(of input: Input, isAlone: Bool) throws(CommandFailure) -> OutputTarget {
        if isInPlace {
            guard case .path(let path) = input.address, let real = FileIdentity.realPath(path)
            else {
                let error = SystemError.last
                if case .path(let path) = input.address, FileKind(path) == .file {
                    throw CommandFailure(writing: input.label, error)
                }
                throw CommandFailure.usage(
                    "\(input.label) is not a file that can be changed.",
                    hint: "Name another file with -o."
                ).about(input.label)
            }
            return OutputTarget(path: real)
        }
        guard let output, output != "-" else {
            try OutputTarget.refuseTerminal("Pictures")
            return .standardOutput
        }
        let ending = input.address.fileExtension
        let place = OutputTarget(
            path: try OutputTarget.completed(
                output, for: input, extension: ending.isEmpty ? "gif" : ending, isAlone: isAlone))
        try place.refuseInput(input)
        return place
    }

    private func refusal(of type: MediaType, _ input: Input) -> CommandFailure {
        let message =
            switch type.family {
            case .video:
                "\(type.name.uppercased()) has no loop count, and its delays cannot be changed; players decide."
            case .audio: "A song (\(type.name)) has no loop and no delays."
            case .still: "A single image (\(type.name)) has no loop and no delays."
            default: "The loop of \(type.name) cannot be changed."
            }
        let titles = OutputFormat.titles { $0.type?.rewriter != nil }
        let hint = "\(titles) animations have a loop"
        return CommandFailure(
            .badData, "notWritable", message,
            hint: type.family == .video
                ? "\(hint); 'lazyimg convert' makes one of a video." : "\(hint)."
        ).about(input.label)
    }
}

extension LoopJob {
    /// The report of the present state.
    private func report(_ input: Input, _ info: MediaInfo) -> JobReport {
        JobReport(
            outputs: [], byteCount: 0, frameCount: info.frameCount ?? 0,
            json: .object(Self.members(input, info)), text: "",
            warnings: info.warnings,
            answer: "\(input.label): \(info.type.name), \(Self.words(info.loop.plays))\n")
    }

    /// The report of a change.
    private func report(
        _ input: Input, _ info: MediaInfo, _ change: TimingChange, _ output: String, _ count: Int,
        _ length: Duration?
    ) -> JobReport {
        let plays = change.plays.plays(info.loop)
        var members = Self.members(input, info)
        members += [
            ("output", .name(output)), ("bytes", .integer(count)), ("plays", .integer(plays)),
        ]
        if let length {
            members.removeAll { $0.0 == "durationUs" }
            members.append(("durationUs", .integer(length.microseconds)))
        }
        let time = length.map { ", \(Duration.microseconds($0.microseconds).inSeconds) long" } ?? ""
        let was = plays == info.loop.plays ? "" : " (\(Self.words(info.loop.plays)) before)"
        return JobReport(
            outputs: [output], byteCount: count, frameCount: info.frameCount ?? 0,
            json: .object(members), text: "\(output): \(Self.words(plays))\(was)\(time)",
            warnings: info.warnings)
    }

    private static func members(_ input: Input, _ info: MediaInfo) -> [(String, JSONValue)] {
        [
            ("input", .name(input.label)), ("type", .string(info.type.name)),
            ("loop", Reports.loop(info.loop)),
            ("frameCount", .integer(info.frameCount)),
            ("durationUs", .integer(info.duration?.microseconds)),
        ]
    }

    private static func words(_ plays: Int?) -> String {
        switch plays {
        case nil: "plays forever"
        case 1: "plays once"
        case let count?: "plays \(count) times"
        }
    }
}
