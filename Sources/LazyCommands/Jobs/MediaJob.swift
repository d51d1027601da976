internal import LazyMedia

/// What a command does to one input, so that `batch` and several inputs can do it too.
///
/// A value made of the command's options once they are checked.
protocol MediaJob: Sendable {
    /// The word on the command line, such as `poster`.
    static var name: String { get }

    /// Where the outputs go, as `-o` says it; `batch` sets it for each input.
    var output: String? { get set }

    /// The options that decide what is made, in one canonical line; equal lines make equal files.
    ///
    /// Without inputs, outputs and what only concerns reports.
    var fingerprint: String { get }

    /// The files that one input is made into, the first being the main one; decodes nothing.
    ///
    /// `isAlone` says that it is the only input, whose output may be a plain file.
    func outputs(for input: Input, isAlone: Bool) throws(CommandFailure) -> [String]

    /// Makes them: each whole or not at all.
    ///
    /// Calls `progress` with the share that is done, 0 to 1, as it grows. Ends soon when its task is
    /// cancelled. Several inputs are worked on side by side: one that is not alone does not need
    /// more than one thread.
    func run(
        _ input: Input, isAlone: Bool, progress: @escaping @Sendable (Double) -> Void
    ) async throws(CommandFailure) -> JobReport
}

/// What a job made of one input.
struct JobReport: Sendable {
    /// The files made, the main one first; `-` for standard output.
    var outputs: [String]
    /// Bytes written.
    var byteCount: Int
    /// Frames written.
    var frameCount: Int
    /// What `--json` prints for this input.
    var json: JSONValue
    /// What is said on standard error without `--json` and `--quiet`; empty for nothing.
    var text: String
    /// Oddities of the input.
    var warnings: [MediaWarning]
    /// What was asked for, such as `--explain`: printed on standard output without `--json`.
    var answer = ""
}

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
            OutputPlace.ending(of: path).flatMap({ OutputFormat($0) }) != nil,
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
