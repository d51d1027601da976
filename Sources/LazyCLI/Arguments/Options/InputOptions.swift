internal import ArgumentParser
internal import LazyBase
internal import LazyBatch
internal import LazyMedia

/// How inputs are found.
struct InputOptions: ParsableArguments {
    @Flag(
        name: [.customShort("r"), .long],
        help:
            "Use the media in folders and their subfolders; hidden files and links to folders are skipped."
    )
    var recursive = false
}

/// The inputs of a command that reads media.
struct InputArguments: ParsableArguments {
    @Argument(
        help: "Media: a path, - for standard input, or a URL (http, https, file, data).",
        completion: .file())
    var input: [String]

    @OptionGroup var options: InputOptions

    /// Parses the inputs, and searches folders for media; `output` is the folder for outputs.
    func inputs(
        output: String?, _ report: ReportOptions
    ) throws(CommandFailure) -> [Input] {
        try options.inputs(input, output: output, report)
    }
}

/// The names of the outputs of several inputs.
struct NamingOptions: ParsableArguments {
    @Option(
        help: .init(
            "Name outputs by a pattern with {name} {ext} {dir} {number} {hash}, such as {dir}/{name}-320.webp; the extension selects the format.",
            valueName: "pattern"),
        transform: { try OutputNaming.Pattern($0) })
    var name: OutputNaming.Pattern?
}

extension InputOptions {
    /// Parses the inputs of a command, and searches folders for media.
    ///
    /// `output` is the folder for outputs, which is skipped in the search.
    func inputs(
        _ words: [String], output: String?, _ report: ReportOptions
    ) throws(CommandFailure) -> [Input] {
        let named = try Input.parse(words)
        guard recursive else { return named }
        var inputs: [Input] = []
        for input in named {
            guard let search = search(input, output: output) else {
                inputs.append(Input(input, number: inputs.count + 1))
                continue
            }
            search.tell(input, report.style)
            if search.files.isEmpty { throw search.nothing(input) }
            for file in search.files { inputs.append(Input(file, number: inputs.count + 1)) }
        }
        return inputs
    }

    /// The search of a folder; nil for other inputs.
    func search(_ input: Input, output: String?) -> FolderSearch? {
        guard recursive, case .path(let path) = input.address, FileKind(path) == .folder else {
            return nil
        }
        return FolderSearch(path, output: output)
    }
}
