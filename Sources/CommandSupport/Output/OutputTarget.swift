internal import LazyFiles

/// Where one output goes, and in which format.
///
/// Settled before anything is decoded, from `-o`, `--format` or the name of the input.
package struct OutputTarget: Equatable, Sendable {
    /// A place for bytes.
    package enum Place: Equatable, Sendable {
        case standardOutput
        case file(folder: String, name: String)
        /// An existing device or pipe, such as `/dev/null`.
        case device(String)
    }

    /// What a command writes, as far as it decides where that goes.
    package struct Rules: Sendable {
        /// What is made, for messages, such as `poster`.
        package var thing: String
        /// The formats it can be made in.
        package var formats: [OutputFormat]
        /// The format where neither a name nor an option tells one.
        package var standard: OutputFormat
        /// What follows the input's name where the output is named after it.
        package var suffix: String

        package init(
            thing: String, formats: [OutputFormat], usual: OutputFormat?, suffix: String = ""
        ) {
            self.thing = thing
            self.formats = formats
            standard = usual ?? .png
            self.suffix = suffix
        }
    }

    package let place: Place
    /// The format; PNG where it does not matter.
    package let format: OutputFormat

    /// Standard output.
    package static let standardOutput = OutputTarget(.standardOutput, .png)

    /// The file or device at a path.
    package init(path: String, format: OutputFormat = .png) {
        self.init(
            FileKind.isDevice(path)
                ? .device(path) : .file(folder: path.parentFolder, name: path.lastName), format)
    }

    /// A file in a folder.
    package init(_ folder: OutputFolder, _ name: String) {
        self.init(.file(folder: folder.path, name: name), .png)
    }

    private init(_ place: Place, _ format: OutputFormat) {
        (self.place, self.format) = (place, format)
    }

    /// Settles place and format.
    ///
    /// Without `output` the place is beside the input, under its name; of several inputs, or where
    /// it ends in a slash, the output is a folder. Throws `usage` for an extension that is none of
    /// the formats, for a terminal, and where the output would be the input.
    package init(
        _ output: String?, for input: Input, format: OutputFormat?, _ rules: Rules,
        isAlone: Bool = true
    ) throws(CommandFailure) {
        if let format, !rules.formats.contains(format) {
            throw .usage(
                "A \(rules.thing) is not written as \(format.rawValue).",
                hint: "The formats are \(rules.formats.map(\.rawValue).joined(separator: ", ")).")
        }
        let standard = format ?? rules.standard
        if output == "-" {
            try Self.refuseTerminal("Pictures")
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
        if FileKind.isDevice(path) {
            self.init(.device(path), standard)
        } else if let format {
            self.init(path: path, format: format)
        } else {
            self.init(path: path, format: try Self.format(of: path, rules))
        }
        try refuseInput(input)
    }

    /// A second file beside this one, such as an index: the same name, another extension.
    package func beside(suffix: String = "", extension: String) -> OutputTarget {
        guard case .file(let folder, let name) = place else { return self }
        let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")).flatMap {
            $0 > name.startIndex ? $0 : nil
        }
        let stem = dot.map { name[..<$0] } ?? name[...]
        return OutputTarget(
            .file(folder: folder, name: "\(stem)\(suffix).\(`extension`)"), format)
    }

    /// Whether it is standard output.
    package var isStandardOutput: Bool { place == .standardOutput }

    /// Whether it is a file, which appears whole.
    package var isFile: Bool { if case .file = place { true } else { false } }

    /// The path, or `-`.
    package var label: String {
        switch place {
        case .standardOutput: "-"
        case .device(let path): path
        case .file(let folder, let name): FilePath.joined(folder, name)
        }
    }

    /// Throws where a file exists that the policy keeps: before decoding rather than after it.
    package func refuseExisting(_ policy: OverwritePolicy) throws(CommandFailure) {
        guard policy == .never, case .file(let folder, let name) = place else { return }
        if OutputFolder(folder).contains(name) { throw CommandFailure(writing: label, .exists) }
    }

    /// Throws where the output would replace its input, under whatever name or link.
    package func refuseInput(_ input: Input) throws(CommandFailure) {
        guard isFile, case .path(let path) = input.address,
            let source = FileIdentity(path), source == FileIdentity(label)
        else { return }
        throw .usage("\(label) is the input itself.", hint: "Name another file after -o.")
    }
}

extension OutputTarget {
    /// The path of an output that `-o` names; `extension` is for one that is named here.
    ///
    /// For several inputs, or where it ends in a slash, `-o` names a folder, which may be missing.
    /// Files found in a folder keep their subfolders.
    package static func completed(
        _ output: String, for input: Input, adding suffix: String = "", extension: String,
        isAlone: Bool
    ) throws(CommandFailure) -> String {
        if output.isEmpty {
            throw .usage("An output has an empty name.", hint: "Name a file after -o.")
        }
        let kind = FileKind(output)
        let isFolder = output.endsInSlash || kind == .folder
        if !isAlone, !isFolder, OutputFormat(path: output) != nil {
            throw .usage(
                "Several inputs cannot all be written to \(output).",
                hint: "Name a folder, such as \(output)/, after -o.")
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
        // An address has no folder here: its output goes into the current one.
        if case .remote = input.address { return name }
        guard case .path(let path) = input.address else {
            throw .usage(
                "There is no file name to take for the \(rules.thing) of \(input.label).",
                hint: "Name one after -o.")
        }
        let folder = path.lastSlash.map { path[...$0] } ?? ""
        guard !(folder + name).isSamePath(as: path) else {
            throw .usage(
                "The \(rules.thing) of \(input.label) would take the place of its input.",
                hint: "Name another file after -o.")
        }
        return folder + name
    }

    /// Throws where bytes that are not text would go to a terminal.
    package static func refuseTerminal(_ things: String) throws(CommandFailure) {
        if OutputStream.standardOutput.isTerminal {
            throw .usage(
                "\(things) are not written to a terminal.",
                hint: "Name a file after -o, or pipe into a program.")
        }
    }

    private static func format(
        of path: String, _ rules: Rules
    ) throws(CommandFailure) -> OutputFormat {
        let named = OutputFormat(path: path)
        if let named, rules.formats.contains(named) { return named }
        let hint =
            "End it in \(OutputFormat.endings(rules.formats)), or name the format with --format."
        guard let ending = FilePath.fileExtension(of: path) else {
            throw .usage("The name \(path) does not tell the format.", hint: hint)
        }
        throw .usage(
            named == nil
                ? "A file that ends in .\(ending) cannot be written."
                : "A \(rules.thing) is not written as .\(ending).", hint: hint)
    }
}

extension OutputFormat {
    /// The format of the extension of a path, or nil.
    package init?(path: String) {
        guard let word = FilePath.fileExtension(of: path) else { return nil }
        self.init(word)
    }
}
