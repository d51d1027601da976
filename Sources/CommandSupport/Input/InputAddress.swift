package import FoundationEssentials
internal import LazyFiles
internal import LazyLoading

/// The location of an input: a path, standard input, a server, or a data: URL.
package enum InputAddress: Equatable {
    case path(String)
    case standardInput
    case data([UInt8])
    case remote(URL)

    /// Parses an INPUT argument; `./-` is a file named `-`.
    package init(_ text: String) throws(CommandFailure) {
        if text == "-" {
            self = .standardInput
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
    package var fileName: String {
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
    package var name: String {
        if case .path(let path) = self, let pattern = NumberPattern(fileName),
            FileKind(path) == .nothing
        {
            return pattern.stem
        }
        return dot.map { String(fileName[..<$0]) } ?? fileName
    }

    /// The extension without the full stop, or empty.
    package var fileExtension: String {
        dot.map { String(fileName[fileName.utf8.index(after: $0)...]) } ?? ""
    }

    // A folder `.` or `..` has the name that it has in its parent.
    private static func lastName(of path: String) -> String {
        guard let last = path.pathParts.last.map(String.init) else { return path }
        return last == "." || last == ".." ? FilePath.absolute(path).lastName : last
    }

    // A leading full stop hides a file and begins no extension.
    private var dot: String.Index? {
        guard let dot = fileName.utf8.lastIndex(of: UInt8(ascii: ".")),
            dot > fileName.startIndex
        else { return nil }
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
