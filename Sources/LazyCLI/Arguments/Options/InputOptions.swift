internal import ArgumentParser
internal import LazyBase
internal import LazyBatch
internal import LazyMedia
internal import LazyOptions
internal import LazyRenditions

/// How inputs are found.
struct InputOptions: ParsableArguments {
    @Flag(
        name: [.customShort("r"), .long],
        help:
            "Use the media in folders and their subfolders; hidden files and links to folders are skipped."
    )
    var recursive = false

    @OptionGroup var kinds: KindOptions

    @Option(
        "Of the files in folders, use those only that changed after a file did, or since a date (2026-01-31, 2026-01-31T12:30).",
        as: "file|date", completion: .file(), transform: { try InputOptions.time($0) })
    var newer: FileTime?
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
        output: String?, _ report: ReportOptions, journal: Journal? = nil, prunes: Bool = false
    ) throws(CommandFailure) -> [Input] {
        try options.inputs(input, output: output, report, journal: journal, prunes: prunes)
    }
}

/// The names of the outputs of several inputs.
struct NamingOptions: ParsableArguments {
    @Option(
        "Name outputs by a pattern with {name} {ext} {dir} {number} {hash}, such as {dir}/{name}-320.webp; the extension selects the format.",
        as: "pattern", transform: { try OutputNaming.Pattern($0) })
    var name: OutputNaming.Pattern?
}

extension InputOptions {
    /// Parses the inputs of a command, and searches folders for media, each file once.
    ///
    /// `output` is the folder for outputs, which is skipped in the search, and `journal` says what earlier
    /// runs made.
    func inputs(
        _ words: [String], output: String?, _ report: ReportOptions, journal: Journal? = nil,
        prunes: Bool = false
    ) throws(CommandFailure) -> [Input] {
        let named = try Input.parse(words)
        let filter = try filter(journal)
        guard recursive else { return named }
        var inputs: [Input] = []
        var seen: Set<NameDigest> = []
        for input in named {
            guard let search = search(input, output: output, filter) else {
                inputs.append(Input(input, number: inputs.count + 1))
                continue
            }
            search.tell(input, report.style)
            if search.isEmpty(prunes: prunes) { throw search.nothing(input) }
            for file in search.files
            where seen.insert(NameDigest(FilePath.absolute(file.path))).inserted {
                inputs.append(Input(file, number: inputs.count + 1))
            }
        }
        return inputs
    }

    /// Which of the files in folders are inputs; throws for options of a search without one.
    func filter(_ journal: Journal?) throws(CommandFailure) -> FolderFilter {
        for (option, isGiven) in [("--kind", kinds.families != nil), ("--newer", newer != nil)]
        where isGiven && !recursive {
            throw .usage(
                "\(option) chooses among the files of folders.", hint: "Add --recursive (-r).")
        }
        return FolderFilter(
            families: kinds.families, start: newer, journal: journal)
    }

    /// The search of a folder; nil for other inputs.
    private func search(_ input: Input, output: String?, _ filter: FolderFilter) -> FolderSearch? {
        guard recursive, case .path(let path) = input.address, FileKind(path) == .folder else {
            return nil
        }
        return FolderSearch(path, output: output, filter)
    }

    /// The time of a file, or a date.
    static func time(_ text: String) throws -> FileTime {
        if let time = FileTime(ofFile: text) ?? FileTime(date: text) { return time }
        throw WordError(
            "write the name of a file that exists, or a date such as 2026-01-31 or 2026-01-31T12:30",
            given: text)
    }
}
