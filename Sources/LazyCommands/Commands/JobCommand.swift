internal import ArgumentParser
internal import CommandSupport
internal import LazyFiles
internal import MediaJobs

/// A command that runs one `MediaJob` for each of its inputs.
protocol JobCommand: AsyncParsableCommand {
    associatedtype Job: MediaJob
    associatedtype Destination: DestinationOptions
    associatedtype Network: ParsableArguments & NetworkChoosing
    /// The inputs.
    var inputs: InputArguments { get set }
    /// The outputs.
    var destination: Destination { get set }
    /// The options of all jobs.
    var options: JobOptions<Network> { get }
    /// The number of inputs at once; 0 is one per core.
    var jobs: Int { get }
    /// The options as a job; throws for contradictions.
    ///
    /// `inputs` is for options that allow only one input; the job itself works for any.
    func job(_ inputs: [Input]) throws -> Job
}

extension JobCommand {
    var jobs: Int { 0 }

    mutating func run() async throws {
        let inputs = try takeInputs()
        let runner = JobRunner(
            try job(inputs), jobs: jobs, naming: destination.naming.name, options.report.style)
        try await runner.run(inputs)
    }

    /// Parses the inputs.
    ///
    /// Without `-o`, the second of two names is the output, as with other converters,
    /// if it has the extension of one and does not exist.
    private mutating func takeInputs() throws(CommandFailure) -> [Input] {
        let words = inputs.input
        if destination.output == nil, words.count == 2,
            case .path(let path) = try InputAddress(words[1]), OutputFormat(path: path) != nil,
            FileKind(path) == .nothing
        {
            destination.output = inputs.input.removeLast()
        }
        let found = try inputs.inputs(output: destination.output, options.report)
        if destination.naming.name != nil {
            if destination.output == "-" {
                throw .usage("--name names files, and -o - writes to standard output.")
            }
            // A pattern without a folder means the current folder.
            destination.output = destination.output ?? "./"
        }
        return found
    }
}
