internal import LazyMedia
internal import LazyPipeline
internal import LazyRenditions
internal import LazyTerminal

extension TerminalJob {
    // Each animation plays on in the terminal.
    func leave() async throws(CommandFailure) {
        guard LeftAnimation(settings) != nil else {
            throw .usage(
                "This terminal cannot play animations by itself.",
                hint: "--leave needs kitty, or for a GIF a terminal with iTerm2's protocol.")
        }
        var failures = Failures(inputs, asJSON: report.json)
        for input in inputs {
            do throws(CommandFailure) {
                let sequence = try await input.open(reading, part: .all, edit)
                let settings = settings(
                    for: input, looping: looping(isAlone: true, isOnTerminal: true))
                let isLeft = try await Self.onBlockingPool { () throws(CommandFailure) in
                    do throws(TerminalError) {
                        return try LeftAnimation(settings)?.leave(sequence) ?? false
                    } catch {
                        throw CommandFailure(error, input)
                    }
                }
                if !isLeft {
                    throw input.failure(
                        MediaError(
                            .unsupported,
                            "Terminals with iTerm2's protocol play only files of the type GIF."))
                }
            } catch {
                _ = try failures.add(error)
            }
        }
        try failures.finish()
    }
}
