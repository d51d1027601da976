internal import CommandSupport
internal import LazyFiles
internal import MediaJobs

/// A command that runs one `MediaJob` for each of its inputs.
protocol JobCommand {
    associatedtype Job: MediaJob
    /// The inputs as given.
    var input: [String] { get set }
    /// The value of `-o`.
    var output: String? { get set }
    /// How inputs are found.
    var taking: InputOptions { get }
    /// How outputs are named.
    var naming: NamingOptions { get }
    /// What the command reports.
    var report: ReportOptions { get }
    /// The options as a job; throws for contradictions.
    ///
    /// `inputs` is for options that allow only one input; the job itself works for any.
    func job(_ inputs: [Input]) throws -> Job
}

extension JobCommand {
    /// Reads the inputs.
    ///
    /// Without `-o`, the second of two names is the output, as with other converters,
    /// if it has the extension of one and does not exist.
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
                throw .usage("--name names files, and -o - writes to standard output.")
            }
            // A pattern without a folder means the current folder.
            output = output ?? "./"
        }
        return inputs
    }
}
