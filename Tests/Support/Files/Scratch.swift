import Glibc

/// A temporary folder, which is removed with its last reference.
public final class Scratch: Sendable {
    /// The path, without a slash at the end.
    public let path: String

    /// Creates an empty folder.
    public init() {
        var template = Array("/tmp/lazyimg-test-XXXXXX".utf8CString)
        // mkdtemp replaces the X's by random letters and creates the folder for this user alone.
        precondition(mkdtemp(&template) != nil, "no temporary folder can be created")
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { Self.remove(Array(path.utf8)) }

    /// The path of a file in the folder.
    public func path(_ name: String) -> String { path + "/" + name }

    /// The sorted paths of all files below the folder, relative to it.
    public var files: [String] {
        Self.files(below: Array(path.utf8)).map {
            String(decoding: $0.dropFirst(path.utf8.count + 1), as: UTF8.self)
        }.sorted()
    }

    /// Writes a file and returns its path.
    @discardableResult
    public func write(_ bytes: [UInt8], _ name: String) -> String {
        self[name] = bytes
        return path(name)
    }

    /// The bytes of a file; empty if it is missing.
    public subscript(name: String) -> [UInt8] {
        get {
            guard let file = fopen(path(name), "re") else { return [] }
            defer { fclose(file) }
            var bytes: [UInt8] = []
            var piece = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = fread(&piece, 1, piece.count, file)
                if count == 0 { return bytes }
                bytes += piece[..<count]
            }
        }
        set {
            guard let file = fopen(path(name), "we") else { return }
            fwrite(newValue, 1, newValue.count, file)
            fclose(file)
        }
    }

    // MARK: - Names of any bytes

    /// The sorted names in a folder, including hidden ones.
    public static func names(in path: [UInt8]) -> [[UInt8]] {
        guard let folder = opendir(terminated(path)) else { return [] }
        defer { closedir(folder) }
        var names: [[UInt8]] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if name != Array(".".utf8), name != Array("..".utf8) { names.append(name) }
        }
        return names.sorted { $0.lexicographicallyPrecedes($1) }
    }

    private static func files(below path: [UInt8]) -> [[UInt8]] {
        names(in: path).flatMap { name in
            let path = path + [UInt8(ascii: "/")] + name
            return isFolder(path) ? files(below: path) : [path]
        }
    }

    private static func remove(_ path: [UInt8]) {
        if isFolder(path) {
            for name in names(in: path) { remove(path + [UInt8(ascii: "/")] + name) }
        }
        if unlink(terminated(path)) != 0 { rmdir(terminated(path)) }
    }

    // A link to a folder is a file.
    private static func isFolder(_ path: [UInt8]) -> Bool {
        var status = stat()
        return lstat(terminated(path), &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private static func terminated(_ path: [UInt8]) -> [CChar] {
        path.map { CChar(bitPattern: $0) } + [0]
    }
}
