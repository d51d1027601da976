internal import ArgumentParser
internal import LazyBase
internal import LazyKit
internal import LazyMedia
internal import LazyOptions
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
