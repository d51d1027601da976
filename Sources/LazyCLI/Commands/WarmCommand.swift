internal import ArgumentParser
internal import LazyBase
internal import LazyIsolation
internal import LazyKit
internal import LazyOptions
internal import LazyRenditions

/// `lazyimg warm`: keeps a process with loaded libraries for the commands that follow.
struct WarmCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "warm",
        abstract: "Keep the decoders' libraries loaded for the commands that follow.",
        discussion: """
            Starts processes in the background that have loaded FFmpeg and the other libraries, and \
            returns. The commands of this user that follow decode in locked forks of them, so that none \
            loads the libraries again. They end when they were not used for some time, or with --stop.

            Its sockets are in a folder in XDG_RUNTIME_DIR; without such a place it exits with 69.

            Examples:
              lazyimg warm
              for f in *.mp4; do lazyimg poster "$f" -W 320 -o "${f%.mp4}.png"; done
              lazyimg warm --stop
            """)

    @Option("How long it waits for another command, such as 30s or 1h.", Words.time, as: "time")
    var idle: Duration = .seconds(600)

    @Flag(help: "End the process.")
    var stop = false

    @OptionGroup var report: ReportOptions

    func run() throws {
        if stop {
            let wasRunning = SharedDecoder.end()
            return try tell(
                [("stopped", .bool(wasRunning))],
                wasRunning ? "It has ended." : "There is none.")
        }
        if SharedDecoder.isRunning {
            return try tell(
                [("socket", .string(orNull: SharedDecoder.path)), ("started", .bool(false))],
                "It is running already.")
        }
        let path: String
        do throws(MediaError) { path = try SharedDecoder.start(idle: idle) } catch {
            throw CommandFailure(.unavailable, error.code.rawValue, error.message)
        }
        try tell([("socket", .string(path)), ("started", .bool(true))], "It listens at \(path).")
    }

    private func tell(_ facts: [(String, JSONValue)], _ sentence: String) throws(CommandFailure) {
        if report.json {
            try Console.print(JSONValue.object(facts).text)
        } else if !report.quiet {
            Console.say("lazyimg: \(sentence)")
        }
    }
}
