internal import ArgumentParser
internal import LazyMedia

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

    @Flag(help: "Replace each input atomically by the new file.")
    var inPlace = false

    @OptionGroup var options: JobOptions<NetworkOptions>
}

/// The name of an output; its format is that of the input.
struct LoopOutputOptions: DestinationOptions {
    @Option(
        name: [.customShort("o", allowingJoined: true), .long],
        help: .init("The file to write, a folder, or - for standard output.", valueName: "file"),
        completion: .file())
    var output: String?

    @OptionGroup var naming: NamingOptions
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
