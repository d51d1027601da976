internal import CommandSupport
internal import LazyFiles
internal import MediaJobs

/// A command that is one `MediaJob` for all of its inputs.
protocol JobCommand {
    associatedtype Job: MediaJob
    /// The inputs as they were written.
    var input: [String] { get set }
    /// What `-o` says.
    var output: String? { get set }
    /// How the inputs are taken.
    var taking: InputOptions { get }
    /// How the outputs are named.
    var naming: NamingOptions { get }
    /// What the command tells.
    var report: ReportOptions { get }
    /// The options as a job; throws what is wrong with them.
    ///
    /// `inputs` are for checks of options that are for one input only; the job holds for any.
    func job(_ inputs: [Input]) throws -> Job
}

extension JobCommand {
    /// Reads the inputs.
    ///
    /// Without `-o`, the second of two names is that of the output, as other converters have it,
    /// where it ends like one and is not there yet: it could not be read anyway.
    mutating func takeInputs() throws(CommandFailure) -> [Input] {
        if output == nil, input.count == 2, case .path(let path) = try InputAddress(input[1]),
            OutputFormat(path: path) != nil,
            FileKind(path) == .nothing
        {
            output = input.removeLast()
        }
        let inputs = try taking.inputs(input, output: output, report)
        if naming.name != nil {
            if output == "-" {
                throw .usage("--name is for files, and -o - writes to standard output.")
            }
            // Which is where a pattern without a folder leads.
            output = output ?? "./"
        }
        return inputs
    }
}
