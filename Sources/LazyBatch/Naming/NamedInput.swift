internal import LazyBase

/// The parts of an input that names of outputs are made of.
public struct NamedInput: Sendable {
    /// The file name without its extension.
    public var name: String
    /// The extension without the full stop, or empty.
    public var fileExtension: String
    /// The number of the input, from 1.
    public var number: Int
    /// The input as given, for its hash.
    public var label: String
    /// The path, or host and path of a URL; nil for an input without folders.
    public var path: String?
    /// The folders between a searched folder and the file, where the input was found by a search.
    public var subfolder: String?

    /// Makes the parts of an input.
    public init(
        name: String, fileExtension: String, number: Int, label: String, path: String?,
        subfolder: String? = nil
    ) {
        self.name = name
        self.fileExtension = fileExtension
        self.number = number
        self.label = label
        self.path = path
        self.subfolder = subfolder
    }

    /// Makes the parts of a file's path.
    public init(path: String, number: Int = 1) {
        let file = path.pathParts.last.map(String.init) ?? path
        // A leading full stop hides a file and begins no extension.
        let dot = file.utf8.lastIndex(of: UInt8(ascii: ".")).flatMap {
            $0 > file.startIndex ? $0 : nil
        }
        self.init(
            name: dot.map { String(file[..<$0]) } ?? file,
            fileExtension: dot.map { String(file[file.utf8.index(after: $0)...]) } ?? "",
            number: number, label: path, path: path)
    }
}
