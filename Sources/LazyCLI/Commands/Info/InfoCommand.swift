internal import ArgumentParser
internal import LazyBase
internal import LazyMedia
internal import LazyPipeline
internal import LazyRenditions

/// `lazyimg info`: metadata, without decoding.
struct InfoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Print metadata: type, codec, size, frames, duration, loop.",
        discussion: """
            Frame count and duration are exact: if the header does not contain them, the container is \
            scanned without decoding. Of a stream at a server only the playlist and one segment are read, and \
            the number of frames is unknown; so are number and duration of a stream that goes on without \
            an end, of which the first seconds are read. With --json the keys are a stable contract; several inputs give \
            an array, in which an input that failed has an object with the key "error"; "input" names \
            it, and so does "inputBytes" (base64) if its name is not UTF-8. In "loop", "raw" is the \
            number in the file (null: none) and "plays" the total number of plays (null: forever).

            Examples:
              lazyimg info clip.mp4
              lazyimg info --json --frames animation.gif
              lazyimg info https://example.org/clip.mp4
            """,
        aliases: ["probe", "identify"])

    @OptionGroup var media: InputArguments

    @Flag(help: "Also print the time of each frame, and which are keyframes.")
    var frames = false

    @OptionGroup var reading: ReadingOptions
    @OptionGroup(title: "Options for the network") var network: NetworkOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        let inputs = try media.inputs(output: nil, report)
        DecoderLibraries.choose(for: inputs, reading.limits.choice, readsOnlyInputs: true)
        let reading = try Reading(reading, network, inputs: inputs, report)
        var failures = Failures(inputs, asJSON: report.json)
        var answers: [JSONValue] = []
        for input in inputs {
            do throws(CommandFailure) {
                let opened = try await input.open(reading, part: .facts)
                let (info, index) = try await look(at: opened, of: input)
                if report.json {
                    answers.append(
                        .object(
                            info.members(
                                input: input.label, byteCount: opened.byteCount, frames: index)
                                + (opened.transfer.map { [("transfer", Reports.transfer($0))] }
                                    ?? [])))
                } else {
                    try Console.tell(
                        Reports.text(
                            info, label: input.label, byteCount: opened.byteCount,
                            opened.transfer))
                    if let index { for rows in Reports.frames(index) { try Console.tell(rows) } }
                }
            } catch {
                answers.append(try failures.add(error))
            }
        }
        if report.json {
            try Console.print(inputs.isSingle ? answers[0] : .array(answers))
        }
        try failures.finish()
    }

    private func look(
        at opened: OpenedInput, of input: Input
    ) async throws(CommandFailure) -> (MediaInfo, FrameIndex?) {
        var source = Rendition.Source(opened.frames)
        // Counting would load all of a stream, which may be hours.
        let isStream = [.hls, .dash].contains(opened.frames.info.type) && opened.transfer != nil
        source.isCountable = !isStream && !opened.isUnending
        do throws(MediaError) { return try await source.facts(.init(listsFrames: frames)) } catch {
            throw input.failure(error)
        }
    }
}
