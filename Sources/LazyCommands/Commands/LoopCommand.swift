internal import ArgumentParser
internal import CommandSupport
internal import LazyMedia
internal import MediaJobs

/// `lazyimg loop`: changes loop count and delays without encoding.
struct LoopCommand: AsyncParsableCommand, JobCommand {
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

    @Argument(
        help: "Media: a path, - for standard input, or a URL (http, https, file, data).",
        completion: .file())
    var input: [String]

    @OptionGroup var taking: InputOptions
    @OptionGroup var naming: NamingOptions

    @Option(
        help: .init("The total number of plays: forever, once or a number.", valueName: "plays"),
        completion: .list(["forever", "once"]), transform: Arguments.plays)
    var loop: Looping?

    @Option(help: .hidden, transform: Arguments.plays)
    var set: Looping?

    @Option(
        help: .init("The duration of every frame, such as 100ms or 0.04.", valueName: "time"),
        transform: Arguments.duration)
    var delay: Duration?

    @Option(
        help: .init("The factor of speed, such as 2 or 0.5.", valueName: "factor"),
        transform: Arguments.factor)
    var speed: Double?

    @Option(
        name: [.customShort("o", allowingJoined: true), .long],
        help: .init("The file to write, a folder, or - for standard output.", valueName: "file"),
        completion: .file())
    var output: String?

    @Flag(help: "Replace each input atomically by the new file.")
    var inPlace = false

    @OptionGroup var existing: OverwriteOptions
    @OptionGroup(title: "Options for the network") var network: NetworkOptions
    @OptionGroup(title: "Common options") var reading: ReadingOptions
    @OptionGroup(title: "Common options") var report: ReportOptions

    mutating func run() async throws {
        let inputs = try takeInputs()
        let runner = JobRunner(try job(inputs), naming: naming.name, report.style)
        try await runner.run(inputs)
    }

    func job(_ inputs: [Input]) throws -> LoopJob {
        if delay != nil, speed != nil {
            throw CommandFailure.usage("--delay cannot be combined with --speed.")
        }
        if loop != nil, set != nil {
            throw CommandFailure.usage("--set is the old name of --loop: use one of them.")
        }
        let plays = loop ?? set
        let delays = delay.map { TimingChange.Delays.each($0) } ?? speed.map { .speed($0) }
        let change =
            plays == nil && delays == nil
            ? nil : TimingChange(plays: plays ?? .asAuthored, delays: delays)
        if change == nil, output != nil || inPlace {
            throw CommandFailure.usage(
                "There is nothing to change.", hint: "Add --loop, --delay or --speed.")
        }
        if change != nil, output == nil, !inPlace {
            throw CommandFailure.usage(
                "The name of the new file is missing.",
                hint: "Name one with -o, or replace the input with --in-place.")
        }
        if output != nil, inPlace {
            throw CommandFailure.usage("--in-place cannot be combined with --output.")
        }
        return LoopJob(
            output: output, change: change, isInPlace: inPlace, overwrite: existing.policy,
            reading: try Reading(reading, network, inputs: inputs, report))
    }
}

extension Arguments {
    /// `3`, `forever`, `once`: a number of plays.
    static func plays(_ text: String) throws -> Looping {
        switch text {
        case "forever", "inf": return .forever
        case "once", "no": return .times(1)
        default:
            guard let count = try? positive(text) else {
                throw ArgumentError("write a number of plays, 'once' or 'forever'")
            }
            return .times(count)
        }
    }
}
