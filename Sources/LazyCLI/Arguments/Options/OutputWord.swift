import Glibc
internal import LazyBase
internal import LazyPipeline

/// Which of several names without `-o` is the output: the words alone say it, whatever files there are.
///
/// The second of two names is the output if it has an extension that the command writes; with `--format`, that of
/// this format. Of more than two the last is, for commands that make one output of several inputs, if no other
/// name has its extension or `--concat` says that all are joined: a pattern of the shell names inputs only.
struct OutputWord {
    /// The names of the inputs.
    let inputs: [String]
    /// The name of the output; nil where all names are inputs.
    let output: String?

    /// `joins` says whether the command makes one output of its inputs; nil for those that cannot.
    init(_ words: [String], formats: [OutputFormat], format: OutputFormat?, joins: Bool?) {
        guard let last = words.last, Self.isOutput(words, last, formats, format, joins) else {
            (inputs, output) = (words, nil)
            return
        }
        (inputs, output) = (words.dropLast(), last)
    }

    private static func isOutput(
        _ words: [String], _ last: String, _ formats: [OutputFormat], _ format: OutputFormat?,
        _ joins: Bool?
    ) -> Bool {
        guard words.count == 2 || words.count > 2 && joins != nil,
            case .path(let path)? = try? InputAddress(last), path.isSamePath(as: last),
            !last.contains("%"), let ending = OutputFormat(path: last), formats.contains(ending),
            format == nil || format == ending
        else { return false }
        return words.count == 2 || joins == true
            || !words.dropLast().contains { OutputFormat(path: $0) == ending }
    }

    /// Throws for an output that exists.
    static func refuseExisting(_ output: String) throws(CommandFailure) {
        var status = stat()
        let isFile =
            lstat(output.systemPath, &status) == 0
            && ![.folder, .device].contains(FileKind(output))
        guard isFile else { return }
        throw CommandFailure(
            .cannotCreate, "exists", "\(output) exists already.",
            hint:
                "Replace it with --force, or name a folder with -o to make an output of each name.")
    }
}
