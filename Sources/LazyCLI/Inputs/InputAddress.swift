internal import FoundationEssentials
internal import LazyBase
internal import LazyLoading

/// The location of an input: a path, standard input, a server, or a data: URL.
enum InputAddress: Equatable {
    case path(String)
    case standardInput
    case data([UInt8])
    case remote(URL)

    /// Parses an INPUT argument; `./-` is a file named `-`.
    init(_ text: String) throws(CommandFailure) {
        if text == "-" {
            self = .standardInput
        } else if text.hasPrefix("data:"), FileKind(text) != .nothing {
            // A pattern of the shell names files as they are.
            self = .path(text)
        } else if let address = try Self.local(text) {
            self = address
        } else if RemoteAddress.isMeant(text) {
            guard let url = RemoteAddress.url(text) else {
                throw .usage("The URL is malformed: \(text).")
            }
            self = .remote(url)
        } else if text.isEmpty {
            throw .usage("An input has an empty name.")
        } else {
            self = .path(text)
        }
    }

    /// The name without its folder.
    var fileName: String {
        switch self {
        case .path(let path): Self.lastName(of: path)
        case .standardInput: "stdin"
        case .data: "data"
        case .remote(let url): FileNaming.safe(RemoteAddress.fileName(of: url)) ?? "download"
        }
    }

    /// The name without folder and extension, for naming outputs.
    ///
    /// A pattern of numbered files is named after what they share.
    var name: String {
        let file = fileName
        if case .path(let path) = self, let pattern = NumberPattern(file),
            FileKind(path) == .nothing
        {
            return pattern.stem
        }
        return Self.dot(in: file).map { String(file[..<$0]) } ?? file
    }

    /// The extension without the full stop, or empty.
    var fileExtension: String {
        let file = fileName
        return Self.dot(in: file).map { String(file[file.utf8.index(after: $0)...]) } ?? ""
    }

    // A folder `.` or `..` has the name that it has in its parent.
    private static func lastName(of path: String) -> String {
        var rest = path[...]
        while rest.endsInSlash { rest = Substring(rest.utf8.dropLast()) }
        if rest.isEmpty { return path }
        let last = rest.lastName
        return last == "." || last == ".." ? FilePath.absolute(path).lastName : last
    }

    // A leading full stop hides a file and begins no extension.
    private static func dot(in file: String) -> String.Index? {
        guard let dot = file.utf8.lastIndex(of: UInt8(ascii: ".")), dot > file.startIndex else {
            return nil
        }
        return dot
    }

    // The bytes of a data: URL or the path of a file: URL; nil for others.
    private static func local(_ text: String) throws(CommandFailure) -> InputAddress? {
        do throws(LoadingError) {
            if let file = try FileURL(text) { return .path(FileName.text(file.pathBytes)) }
            if let data = try DataURL(text) { return .data(data.bytes) }
            return nil
        } catch {
            throw .usage(error.message)
        }
    }
}
