internal import FoundationEssentials

/// Where an input is: a path, standard input, a server, or inside the address itself.
enum InputAddress: Equatable {
    case path(String)
    case standardInput
    case data([UInt8])
    case remote(URL)

    /// Reads an INPUT argument; `./-` is a file of the name `-`.
    init(_ text: String) throws(CommandFailure) {
        if text == "-" {
            self = .standardInput
        } else if let rest = text.afterScheme("file:") {
            self = .path(try Self.path(ofFileURL: rest))
        } else if let rest = text.afterScheme("data:") {
            self = .data(try Self.bytes(ofDataURL: rest))
        } else if RemoteAddress.isMeant(text) {
            guard let url = RemoteAddress.url(text) else {
                throw .usage("The address is not well formed: \(text).")
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
        case .path(let path): path.split(separator: "/").last.map(String.init) ?? path
        case .standardInput: "stdin"
        case .data: "data"
        case .remote(let url): FileNaming.safe(RemoteAddress.fileName(of: url)) ?? "download"
        }
    }

    /// The name without folder and extension, for naming outputs.
    var name: String { dot.map { String(fileName[..<$0]) } ?? fileName }

    /// The extension without the full stop, or nothing.
    var fileExtension: String {
        dot.map { String(fileName[fileName.index(after: $0)...]) } ?? ""
    }

    // A full stop at the beginning hides a file and ends no name.
    private var dot: String.Index? {
        guard let dot = fileName.lastIndex(of: "."), dot > fileName.startIndex else { return nil }
        return dot
    }

    private static func path(ofFileURL rest: Substring) throws(CommandFailure) -> String {
        var path = rest
        if rest.hasPrefix("//") {
            let host = rest.dropFirst(2).prefix { $0 != "/" }
            guard host.isEmpty || host == "localhost" else {
                throw .usage("A file: URL names the other host '\(host)'.")
            }
            path = rest.dropFirst(2)[host.endIndex...]
        }
        guard let bytes = PercentEncoding.decode(path), !bytes.isEmpty, !bytes.contains(0) else {
            throw .usage("The file: URL is not well formed.")
        }
        guard let path = String(validating: bytes, as: UTF8.self) else { throw Self.notUTF8 }
        return path
    }

    /// Said of names that Swift's strings cannot hold.
    static let notUTF8 = CommandFailure.usage(
        "A name on the command line is not UTF-8.",
        hint: "Give the file on standard input: lazyimg … - < FILE")

    private static func bytes(ofDataURL rest: Substring) throws(CommandFailure) -> [UInt8] {
        guard let comma = rest.firstIndex(of: ",") else {
            throw .usage("The data: URL has no comma before its data.")
        }
        let parameters = rest[..<comma].lowercased().split(separator: ";")
        guard let bytes = PercentEncoding.decode(rest[rest.index(after: comma)...]) else {
            throw .usage("The data: URL is not well formed.")
        }
        guard parameters.last == "base64" else { return bytes }
        guard let decoded = Base64.decode(bytes) else {
            throw .usage("The data: URL does not hold base64.")
        }
        return decoded
    }
}

extension String {
    /// What follows a scheme, written in any case, or nil.
    fileprivate func afterScheme(_ scheme: String) -> Substring? {
        prefix(scheme.count).lowercased() == scheme ? dropFirst(scheme.count) : nil
    }
}
