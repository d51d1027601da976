internal import LazyBase
internal import LazyPipeline

/// The destination and format of one output.
///
/// Determined before decoding, from `-o`, `--format` or the name of the input.
struct OutputTarget: Equatable, Sendable {
    /// A destination for bytes.
    enum Place: Equatable, Sendable {
        case standardOutput
        case file(folder: String, name: String)
        /// An existing device or pipe, such as `/dev/null`.
        case device(String)
    }

    /// How a command names its outputs.
    struct Rules: Sendable {
        /// The noun for messages, such as `poster`.
        var thing: String
        /// The possible formats.
        var formats: [OutputFormat]
        /// The format if neither a name nor an option gives one.
        var standard: OutputFormat
        /// The suffix of names derived from the input.
        var suffix: String

        init(
            thing: String, formats: [OutputFormat], usual: OutputFormat?, suffix: String = ""
        ) {
            self.thing = thing
            self.formats = formats
            standard = usual ?? .png
            self.suffix = suffix
        }
    }

    let place: Place
    /// The format; PNG if it does not matter.
    let format: OutputFormat

    /// Standard output.
    static let standardOutput = OutputTarget(.standardOutput, .png)

    /// The file or device at a path.
    init(path: String, format: OutputFormat = .png) {
        self.init(
            FileKind.isDevice(path)
                ? .device(path) : .file(folder: path.parentFolder, name: path.lastName), format)
    }

    /// A file in a folder.
    init(_ folder: OutputFolder, _ name: String) {
        self.init(.file(folder: folder.path, name: name), .png)
    }

    private init(_ place: Place, _ format: OutputFormat) {
        (self.place, self.format) = (place, format)
    }

    /// Determines destination and format.
    ///
    /// Without `output` it is next to the input, with its name; with several inputs, or if
    /// it ends in a slash, `output` is a folder. Throws `usage` for an extension of another
    /// format, for a terminal, and if the output would be the input.
    init(
        _ output: String?, for input: Input, format: OutputFormat?, _ rules: Rules,
        isAlone: Bool = true
    ) throws(CommandFailure) {
        if let format, !rules.formats.contains(format) {
            throw .usage(
                "A \(rules.thing) cannot be written as \(format.rawValue).",
                hint: "The formats are \(rules.formats.map(\.rawValue).joined(separator: ", ")).")
        }
        let standard = format ?? rules.standard
        if output == "-" {
            try Self.refuseTerminal("Pictures")
            self.init(.standardOutput, standard)
            return
        }
        if output == nil, case .standardInput = input.address,
            !OutputStream.standardOutput.isTerminal
        {
            // It has no name, and somebody waits at the other end.
            self.init(.standardOutput, standard)
            return
        }
        let path =
            if let output {
                try Self.completed(
                    output, for: input, adding: rules.suffix, extension: standard.rawValue,
                    isAlone: isAlone)
            } else {
                try Self.beside(input, rules, extension: standard.rawValue)
            }
        let existing = FileIdentity(path)
        if existing?.kind == .device {
            self.init(.device(path), standard)
        } else {
            let format = if let format { format } else { try Self.format(of: path, rules) }
            self.init(.file(folder: path.parentFolder, name: path.lastName), format)
        }
        if let existing { try refuseInput(input, existing) }
    }

    /// A second file next to this one, such as an index, with another extension.
    func beside(suffix: String = "", extension: String) -> OutputTarget {
        guard case .file(let folder, let name) = place else { return self }
        let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")).flatMap {
            $0 > name.startIndex ? $0 : nil
        }
        let stem = dot.map { name[..<$0] } ?? name[...]
        return OutputTarget(
            .file(folder: folder, name: "\(stem)\(suffix).\(`extension`)"), format)
    }

    /// Whether it is standard output.
    var isStandardOutput: Bool { place == .standardOutput }

    /// Whether it is a file, which appears complete.
    var isFile: Bool { if case .file = place { true } else { false } }

    /// The path, or `-`.
    var label: String {
        switch place {
        case .standardOutput: "-"
        case .device(let path): path
        case .file(let folder, let name): FilePath.joined(folder, name)
        }
    }

    /// Throws for an existing file that the policy keeps, to fail before decoding.
    func refuseExisting(_ policy: OverwritePolicy) throws(CommandFailure) {
        guard policy == .never, case .file(let folder, let name) = place else { return }
        if OutputFolder(folder).contains(name) { throw CommandFailure(writing: label, .exists) }
    }

    /// Throws if the output would replace its input, also through links.
    func refuseInput(_ input: Input) throws(CommandFailure) {
        if isFile, let existing = FileIdentity(label) { try refuseInput(input, existing) }
    }

    private func refuseInput(
        _ input: Input, _ existing: FileIdentity
    ) throws(CommandFailure) {
        for part in input.parts { try refuseInput(part, existing) }
        guard isFile, case .path(let path) = input.address, FileIdentity(path) == existing else {
            return
        }
        throw .replacesInput("\(label) is the input itself.")
    }
}

extension CommandFailure {
    fileprivate static func replacesInput(_ message: String) -> CommandFailure {
        CommandFailure(.usage, replacesInput, message, hint: "Name another file with -o.")
    }

    /// The code of the failure of an output that would be its own input.
    static let replacesInput = "replacesInput"
}

extension OutputTarget {
    /// The path of an output; `extension` is for one named after the input.
    ///
    /// For several inputs, or if it ends in a slash, `-o` names a folder, which may not exist.
    /// Files found in a folder keep their subfolders.
    static func completed(
        _ output: String, for input: Input, adding suffix: String = "", extension: String,
        isAlone: Bool
    ) throws(CommandFailure) -> String {
        if output.isEmpty {
            throw .usage("An output has an empty name.", hint: "Name a file with -o.")
        }
        // With a slash at the end the system finds folders only.
        let kind = output.endsInSlash ? .folder : FileKind(output)
        let isFolder = kind == .folder
        if !isAlone, !isFolder, OutputFormat(path: output) != nil {
            throw .usage(
                "Several inputs cannot be written to one file \(output).",
                hint: "Name a folder, such as \(output)/, with -o."
            )
        }
        guard !isAlone || isFolder else { return output }
        if kind == .file || kind == .device { throw OutputFolder(output).notAFolder }
        let name = "\(input.address.name)\(suffix).\(`extension`)"
        let subfolder = input.subfolder.map { $0.isEmpty ? "" : $0 + "/" } ?? ""
        return (output.endsInSlash ? output : output + "/") + subfolder + name
    }

    private static func beside(
        _ input: Input, _ rules: Rules, extension: String
    ) throws(CommandFailure) -> String {
        let name = "\(input.address.name)\(rules.suffix).\(`extension`)"
        // The output of a URL goes to the current folder.
        if case .remote = input.address { return name }
        guard case .path(let path) = input.address else {
            throw .usage(
                "There is no file name for the \(rules.thing) of \(input.label).",
                hint: "Name one with -o.")
        }
        // The output of a folder is beside it.
        let source = path.endsInSlash ? FilePath.normalized(path) : path
        let folder = source.lastSlash.map { source[...$0] } ?? ""
        guard !(folder + name).isSamePath(as: path) else {
            throw .replacesInput("The \(rules.thing) of \(input.label) would replace its input.")
        }
        return folder + name
    }

    /// Throws if binary data would go to a terminal.
    static func refuseTerminal(_ things: String) throws(CommandFailure) {
        if OutputStream.standardOutput.isTerminal {
            throw .usage(
                "\(things) are not written to a terminal.",
                hint: "Name a file with -o, or pipe to a program.")
        }
    }

    private static func format(
        of path: String, _ rules: Rules
    ) throws(CommandFailure) -> OutputFormat {
        let named = OutputFormat(path: path)
        if let named, rules.formats.contains(named) { return named }
        let hint =
            "Use the extension \(OutputFormat.endings(rules.formats)), or name the format with --format."
        guard let ending = FilePath.fileExtension(of: path) else {
            throw .usage("The name \(path) has no extension of a format.", hint: hint)
        }
        throw .usage(
            named == nil
                ? "Files with the extension .\(ending) cannot be written."
                : "A \(rules.thing) cannot be written as .\(ending).", hint: hint)
    }
}

extension OutputFormat {
    /// The format of a path's extension, or nil.
    init?(path: String) {
        guard let word = FilePath.fileExtension(of: path) else { return nil }
        self.init(word)
    }
}
