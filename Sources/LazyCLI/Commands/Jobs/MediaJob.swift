internal import LazyBase
internal import LazyMedia

/// The work of a command on one input, shared with `batch`.
///
/// A value made of the command's checked options.
protocol MediaJob: Sendable {
    /// The name of the command, such as `poster`.
    static var name: String { get }

    /// The value of `-o`; `batch` sets it for each input.
    var output: String? { get set }

    /// Whether existing outputs are replaced; a journal allows it for what an earlier run made.
    var overwrite: OverwritePolicy { get set }

    /// Whether the same job of the same input gives the same output: not if the input itself is changed.
    var isRepeatable: Bool { get }

    /// The folder of all outputs of several inputs; nil for next to each input.
    var resultFolder: String? { get }

    /// The options that determine the output, in one canonical line; equal lines give equal files.
    ///
    /// Without inputs, outputs and options of reports.
    var key: String { get }

    /// What a journal holds a digest of: the key, with the version of what it makes.
    var recordedKey: String { get }

    /// What the journals of earlier versions hold digests of, for equal options.
    var earlierKeys: [String] { get }

    /// Whether the time of the file is in its output.
    var dependsOnTime: Bool { get }

    /// Whether outputs that others made are left to them; not those of a cache that all programs share.
    var leavesOthers: Bool { get }

    /// The threads of its encoder, 0 for one per core.
    var threads: Int { get }

    /// The paths of the outputs of one input, the main one first; decodes nothing.
    ///
    /// `isAlone` says that it is the only input, so that the output may be a file.
    func outputs(for input: Input, isAlone: Bool) throws(CommandFailure) -> [String]

    /// Makes the outputs; each appears complete or not at all.
    ///
    /// Calls `progress` with the completed fraction, 0 to 1. Ends soon when its task is
    /// cancelled. Inputs are processed concurrently: one that is not alone needs
    /// only one thread.
    func run(
        _ input: Input, isAlone: Bool, progress: @escaping @Sendable (Double) -> Void
    ) async throws(CommandFailure) -> JobReport
}

extension MediaJob {
    var isRepeatable: Bool { true }
    var resultFolder: String? { output }

    var dependsOnTime: Bool { false }
    var leavesOthers: Bool { true }
    var threads: Int { 0 }

    /// The threads for one input: others use the other cores.
    func threads(isAlone: Bool) -> Int { threads == 0 && !isAlone ? 1 : threads }

    var recordedKey: String { key + "\n" + Version.number }
    var earlierKeys: [String] { [] }

    /// What identifies the job in a journal.
    func journalKey(of input: Input) -> String { Self.digest(recordedKey) + suffix(of: input) }

    /// What identified it in the journals of earlier versions.
    func earlierJournalKeys(of input: Input) -> [String] {
        earlierKeys.map { Self.digest($0) + suffix(of: input) }
    }

    private static func digest(_ text: String) -> String {
        String(Digest.sha256(Array(text.utf8)).hex.prefix(32))
    }

    private func suffix(of input: Input) -> String {
        guard dependsOnTime, case .path(let path) = input.address,
            let time = FileTime(ofFile: path)
        else { return "" }
        return "-\(time.seconds)"
    }
}

/// The result of a job on one input.
struct JobReport: Sendable {
    /// The written files, the main one first; `-` for standard output.
    var outputs: [String]
    /// Bytes written.
    var byteCount: Int
    /// Frames written.
    var frameCount: Int
    /// What `--json` prints for this input.
    var json: JSONValue
    /// The message on standard error without `--json` and `--quiet`, or empty.
    var text: String
    /// Irregularities of the input.
    var warnings: [MediaWarning]
    /// A requested text, such as `--explain`: printed on standard output without `--json`.
    var answer = ""

    /// The result for an input whose output exists already.
    static func kept(_ output: String, of input: Input) -> JobReport {
        let members: [(String, JSONValue)] = [
            ("input", .name(input.label)), ("output", .name(output)), ("isKept", .bool(true)),
        ]
        return JobReport(
            outputs: [output], byteCount: 0, frameCount: 0, json: .object(members), text: "",
            warnings: [])
    }
}
