internal import ArgumentParser
internal import CommandSupport
internal import LazyBatch
internal import LazyFiles
internal import LazyMedia

/// How the words for inputs are taken.
struct InputOptions: ParsableArguments {
    @Flag(
        name: [.customShort("r"), .long],
        help:
            "Take the media in folders, and in those below them; hidden files and links to folders are left."
    )
    var recursive = false
}

/// How the outputs of several inputs are named.
struct NamingOptions: ParsableArguments {
    @Option(
        help: .init(
            "Name outputs by a pattern with {name} {ext} {dir} {number} {hash}, such as {dir}/{name}-320.webp; its ending tells the format.",
            valueName: "pattern"),
        transform: { try OutputNaming.Pattern($0) })
    var name: OutputNaming.Pattern?
}

extension InputOptions {
    /// Reads the inputs of a command, and looks for media where a folder is named.
    ///
    /// `output` is where files are written, which is left where it is among those folders.
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

    /// What a folder holds; nil for what is none.
    func search(_ input: Input, output: String?) -> FolderSearch? {
        guard recursive, case .path(let path) = input.address, FileKind(path) == .folder else {
            return nil
        }
        return FolderSearch(path, output: output)
    }
}
