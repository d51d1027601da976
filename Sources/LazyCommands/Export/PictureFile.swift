import Glibc
internal import LazyMedia

/// Where one picture goes, and as what.
struct PictureFile: Sendable {
    private enum Place: Equatable, Sendable {
        case standardOutput
        case file(folder: String, name: String)
        /// A device or pipe that is there already, such as `/dev/null`.
        case device(String)
    }
    private let place: Place
    private let format: PictureFormat

    /// Settles the place; without one it is beside the input, under its name.
    ///
    /// That of several inputs, or one that ends in a slash, is a folder; it is made where it is missing.
    init(
        _ output: String?, for input: Input, format: PictureFormat?, isAlone: Bool = true
    ) throws(CommandFailure) {
        if output == "-" {
            self.format = format ?? .png
            place = .standardOutput
            if Descriptor.standardOutput.isTerminal {
                throw .usage(
                    "Pictures are not written to a terminal.",
                    hint: "Name a file after -o, or pipe into a program.")
            }
            return
        }
        let path: String
        if let output {
            path = try Self.completed(output, input, format, isAlone: isAlone)
        } else {
            path = try Self.beside(input, format)
        }
        let kind = FileKind(path)
        if let format {
            self.format = format
        } else {
            self.format = try Self.format(of: path, kind)
        }
        if kind == .device {
            place = .device(path)
        } else {
            let slash = path.lastIndex(of: "/")
            let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
            let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
            place = .file(folder: folder, name: name)
        }
    }

    /// Whether the picture goes to standard output.
    var isStandardOutput: Bool { place == .standardOutput }

    /// The path, or `-`.
    var label: String {
        switch place {
        case .standardOutput: "-"
        case .device(let path): path
        case .file(let folder, let name): OutputFolder(folder).path(of: name)
        }
    }

    /// Throws if the file is there and may not be replaced: before decoding rather than after it.
    func refuseExisting(_ policy: OverwritePolicy) throws(CommandFailure) {
        guard policy == .never, case .file(let folder, let name) = place else { return }
        if OutputFolder(folder).contains(name) {
            throw CommandFailure(writing: label, .exists)
        }
    }

    /// Writes the picture whole or not at all, and returns the number of its bytes.
    func write(_ bitmap: Bitmap, _ policy: OverwritePolicy) throws(CommandFailure) -> Int {
        var count = 0
        // A thumbnail goes over the wire many times; a large still is better done soon.
        let isSmall = bitmap.size.pixelCount <= 400_000
        try format.makeEncoder(isSmall: isSmall).encode(bitmap) { (bytes) throws(CommandFailure) in
            count += bytes.count
            switch place {
            case .standardOutput: try Console.print(bytes)
            case .file(let folder, let name):
                try OutputFolder(folder).write(bytes, to: name, policy)
            case .device(let path): try OpenDevice(path).write(bytes)
            }
        }
        return count
    }

    private static func completed(
        _ output: String, _ input: Input, _ format: PictureFormat?, isAlone: Bool
    ) throws(CommandFailure) -> String {
        if !isAlone || output.hasSuffix("/") { try OutputFolder(output).create() }
        guard output.hasSuffix("/") || FileKind(output) == .folder else { return output }
        let name = "\(input.address.name).\((format ?? .png).rawValue)"
        return output.hasSuffix("/") ? output + name : "\(output)/\(name)"
    }

    private static func beside(
        _ input: Input, _ format: PictureFormat?
    ) throws(CommandFailure) -> String {
        let ending = (format ?? .png).rawValue
        // What has no folder here goes where the user stands.
        if case .remote = input.address { return "\(input.address.name).\(ending)" }
        guard case .path(let path) = input.address else {
            throw .usage(
                "There is no file name to take for the poster of \(input.label).",
                hint: "Name one after -o.")
        }
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
        let output = "\(folder)\(input.address.name).\(ending)"
        guard output != path else {
            throw .usage(
                "The poster of \(input.label) would take the place of its input.",
                hint: "Name another file after -o.")
        }
        return output
    }

    private static func format(
        of path: String, _ kind: FileKind
    ) throws(CommandFailure) -> PictureFormat {
        if kind == .device { return .png }
        let file = path.split(separator: "/").last ?? ""
        let ending = file.contains(".") ? file.split(separator: ".").last?.lowercased() : nil
        if let format = ending.flatMap(PictureFormat.init(rawValue:)) { return format }
        throw .usage(
            ending.map { "A file that ends in .\($0) cannot be written." }
                ?? "The name \(path) does not tell the format.",
            hint: "End it in .png or .ppm, or name the format with --format.")
    }
}

/// What stands at a path.
enum FileKind {
    case nothing, file, folder, device

    /// Whether it can be written to more than once.
    static func isDevice(_ path: String) -> Bool { FileKind(path) == .device }

    init(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            self = .nothing
            return
        }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: self = .folder
        case S_IFREG: self = .file
        default: self = .device
        }
    }
}
