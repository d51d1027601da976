internal import LazyFiles
internal import LazyMedia

/// Where one file goes: a name in a folder, a device or pipe, or standard output.
package enum OutputPlace: Equatable, Sendable {
    case standardOutput
    case file(folder: String, name: String)
    /// A device or pipe that is there already, such as `/dev/null`.
    case device(String)

    /// The place of a path.
    package init(path: String) {
        if FileKind(path) == .device {
            self = .device(path)
            return
        }
        self = .file(folder: path.parentFolder, name: path.lastName)
    }

    /// The path, or `-`.
    package var label: String {
        switch self {
        case .standardOutput: "-"
        case .device(let path): path
        case .file(let folder, let name): OutputFolder(folder).path(of: name)
        }
    }

    /// Throws if a file is there and may not be replaced: before decoding rather than after it.
    package func refuseExisting(_ policy: OverwritePolicy) throws(CommandFailure) {
        guard policy == .never, case .file(let folder, let name) = self else { return }
        if OutputFolder(folder).contains(name) {
            throw CommandFailure(writing: label, .exists)
        }
    }

    /// Throws where the file would take the place of what it is made of.
    ///
    /// Told by the file itself, so that links and other spellings of its path count too.
    package func refuseInput(_ input: Input) throws(CommandFailure) {
        guard case .file = self, case .path(let path) = input.address,
            let source = FileIdentity(path), source == FileIdentity(label)
        else { return }
        throw .usage(
            "\(label) is the input itself.", hint: "Name another file after -o.")
    }
}

extension OutputPlace {
    /// The path of an output that was asked for; `ending` is for one that is named here.
    ///
    /// That of several inputs, or one that ends in a slash, is a folder; it need not be there yet.
    /// What was found in a folder keeps the folders it was found in.
    package static func completed(
        _ output: String, for input: Input, adding suffix: String = "", ending: String,
        isAlone: Bool
    ) throws(CommandFailure) -> String {
        if output.isEmpty {
            throw .usage("An output has an empty name.", hint: "Name a file after -o.")
        }
        if !isAlone, !output.endsInSlash, FileKind(output) != .folder,
            Self.ending(of: output).flatMap({ OutputFormat($0) }) != nil
        {
            throw .usage(
                "Several inputs cannot all be written to \(output).",
                hint: "Name a folder, such as \(output)/, after -o.")
        }
        let kind = FileKind(output)
        guard !isAlone || output.endsInSlash || kind == .folder else { return output }
        if kind == .file || kind == .device { throw OutputFolder(output).isNoFolder }
        let name = "\(input.address.name)\(suffix).\(ending)"
        let subfolder = input.subfolder.map { $0.isEmpty ? "" : $0 + "/" } ?? ""
        return (output.endsInSlash ? output : output + "/") + subfolder + name
    }

    /// The path beside an input, under its name; `thing` is what is being made.
    package static func beside(
        _ input: Input, adding suffix: String = "", ending: String, _ thing: String
    ) throws(CommandFailure) -> String {
        let name = "\(input.address.name)\(suffix).\(ending)"
        // What has no folder here goes where the user stands.
        if case .remote = input.address { return name }
        guard case .path(let path) = input.address else {
            throw .usage(
                "There is no file name to take for the \(thing) of \(input.label).",
                hint: "Name one after -o.")
        }
        let folder = path.lastSlash.map { path[...$0] } ?? ""
        guard !(folder + name).isSamePath(as: path) else {
            throw .usage(
                "The \(thing) of \(input.label) would take the place of its input.",
                hint: "Name another file after -o.")
        }
        return folder + name
    }

    /// Throws where bytes that are no text would go to a terminal.
    package static func refuseTerminal(_ things: String) throws(CommandFailure) {
        if OutputStream.standardOutput.isTerminal {
            throw .usage(
                "\(things) are not written to a terminal.",
                hint: "Name a file after -o, or pipe into a program.")
        }
    }

    /// What stands behind the last full stop of a path's name, or nil.
    package static func ending(of path: String) -> String? {
        let file = path.pathParts.last ?? ""
        return file.contains(".") ? file.split(separator: ".").last.map(String.init) : nil
    }
}
