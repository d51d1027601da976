internal import ArgumentParser
import Glibc
internal import LazyBase
internal import LazyEditing
internal import LazyMedia
internal import LazyOptions
internal import LazyTerminal

/// `lazyimg ls`: the media of folders as posters with names.
struct ListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ls",
        abstract: "List the media of folders in the terminal, as posters with names.",
        discussion: """
            Shows the media of folders, or the named ones, beside each other; films and animations by \
            the poster that represents them best. Each row appears as soon as its posters are there. If \
            standard output is not a terminal, only the names are printed, one a line, as by ls; with --json \
            as objects with the key "input".

            Examples:
              lazyimg ls
              lazyimg ls films/
              lazyimg ls -r pictures/ --grid 6
              lazyimg ls *.gif --protocol blocks
              lazyimg ls films/ --trim --crop 1:1
            """)

    @Argument(
        help: "Media: a path, a folder, or a URL (http, https, file, data); without, this folder.",
        completion: .file())
    var input: [String] = []

    @OptionGroup var options: InputOptions
    @OptionGroup var grid: GridOptions
    @OptionGroup(title: "Edits") var edits: EditOptions
    @OptionGroup(title: "Edits") var gravity: CropGravityOptions
    @OptionGroup(title: "Options for the terminal") var drawing: DrawingOptions
    @OptionGroup(title: "Options for the network") var network: NetworkOptions
    @OptionGroup(title: "Common options") var reading: ReadingOptions
    @OptionGroup(title: "Common options") var report: ReportOptions

    func run() async throws {
        let inputs = try inputs()
        DecoderLibraries.choose(for: inputs, reading.limits.choice, readsOnlyInputs: false)
        let edit = try CommandFailure.converting(
            edits.edit(placing: gravity, reading.limits.choice.files))
        let reading = try Reading(reading, network, inputs: inputs, report)
        guard !report.json, OutputStream.standardOutput.isTerminal || drawing.isChosen else {
            return try printNames(inputs)
        }
        let settings = try drawing.settings()
        try await GridJob(
            PosterGrid(settings, shape: grid.shape), inputs: inputs, reading, edit: edit,
            report.style
        ).run()
    }

    private func printNames(_ inputs: [Input]) throws(CommandFailure) {
        var failures = Failures(isAlone: false, asJSON: report.json)
        var items: [JSONValue] = []
        for input in inputs {
            if case .path(let path) = input.address, FileKind(path) == .folder {
                // A search names the folders that it may not read.
                let reason = SystemError(code: EACCES).mediaError("read", path)
                _ = try failures.add(input.failure(reason))
            } else if report.json {
                items.append(.object([("input", .string(input.label))]))
            } else {
                try Console.printName(input)
            }
        }
        if report.json { try Console.print(JSONValue.array(items).text) }
        try failures.finish()
    }

    // The media in folders, without those of their subfolders unless they are asked for.
    private func inputs() throws -> [Input] {
        let words = input.isEmpty ? ["."] : input
        if options.recursive { return try options.inputs(words, output: nil, report) }
        var inputs: [Input] = []
        for named in try Input.parse(words) {
            guard case .path(let path) = named.address, FileKind(path) == .folder else {
                inputs.append(Input(named, number: inputs.count + 1))
                continue
            }
            let files = FolderSearch(path, isDeep: false).files
            if files.isEmpty, !report.quiet {
                Console.say("lazyimg: warning: \(path) has no media; -r searches its subfolders.")
            }
            for file in files { inputs.append(Input(file, number: inputs.count + 1)) }
        }
        return inputs
    }
}

extension Console {
    /// Prints the name of an input with the bytes that it has on disk.
    fileprivate static func printName(_ input: Input) throws(CommandFailure) {
        let line = FileName.bytes(input.label) + [UInt8(ascii: "\n")]
        try line.withUnsafeBytes { bytes in
            Result { () throws(CommandFailure) in try print(bytes) }
        }.get()
    }
}
