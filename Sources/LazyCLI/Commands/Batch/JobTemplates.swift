internal import ArgumentParser

/// Makes jobs from their arguments, each once.
///
/// A batch of many lines has few different jobs; parsing options and creating a network for each
/// line would cost more than some jobs do.
struct JobTemplates {
    /// A job, and the inputs among its arguments.
    struct Made: Sendable {
        let job: any MediaJob
        let inputs: [String]

        /// The arguments without the inputs.
        func options(of words: [String]) -> [String] {
            var rest = words
            for input in inputs.reversed() {
                if let place = rest.lastIndex(of: input) { rest.remove(at: place) }
            }
            if let end = rest.lastIndex(of: "--") { rest.remove(at: end) }
            return rest
        }
    }

    // A placeholder for the required input; no file has this name.
    private static let place = "\u{1}"
    private var made: [[JobWords: Made]] = [[:], [:]]

    /// The job for arguments; throws what its command reports.
    ///
    /// `hasOutput` says that the batch names the output, which some commands require.
    mutating func make(_ words: JobWords, hasOutput: Bool) throws(CommandFailure) -> Made {
        let kind = hasOutput ? 1 : 0
        if let made = made[kind][words] { return made }
        let result = try Self.made(try BatchJobs.command(words.name), words.words, hasOutput)
        made[kind][words] = result
        return result
    }

    private static func made<Command: JobCommand>(
        _ type: Command.Type, _ words: [String], _ hasOutput: Bool
    ) throws(CommandFailure) -> Made {
        do throws(CommandFailure) {
            return try make(type, words)
        } catch {
            if hasOutput, let made = try? make(type, ["--output=./"] + words) { return made }
            throw error
        }
    }

    private static func make<Command: JobCommand>(
        _ type: Command.Type, _ words: [String]
    ) throws(CommandFailure) -> Made {
        let ending = words.contains("--") ? [place] : ["--", place]
        do {
            var command = try type.parse(words + ending)
            command.options.limits.limits.opensMany = true
            if command.joinsInputs == true {
                throw CommandFailure.usage("A batch makes an output of each input: omit --concat.")
            }
            let inputs = command.inputs.input.filter { $0 != place }
            // Options for a single input are not allowed in a batch.
            let several = try Input.parse(["file", "file"])
            return Made(job: try command.job(several), inputs: inputs)
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw UsageText.failure(
                type.message(for: error), words,
                options: CommandFlags(of: type).long + BatchCommand.known.long,
                help: "lazyimg \(type._commandName) --help")
        }
    }
}

/// A requested job: the name of its command and the arguments after it.
struct JobWords: Hashable, Sendable {
    let name: String
    /// Options and inputs, as on the command line.
    let words: [String]
}
