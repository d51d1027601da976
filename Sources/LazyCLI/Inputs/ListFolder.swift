import Glibc
internal import LazyBase
internal import LazyMedia

/// The folder of a list, outside of which its files must not be.
struct ListFolder {
    /// The list.
    private let list: String
    private let folder: String
    /// The folder with all links followed.
    private let real: String?

    init(of list: String) {
        self.list = list
        folder = list.parentFolder
        real = Self.realPath(folder)
    }

    /// The path of a name in the list; throws for one that leads outside, and for what is no file.
    func path(of name: String) throws(MediaError) -> String {
        guard name.utf8.count < Int(PATH_MAX) else {
            throw MediaError(
                .malformed, "\(list) names '\(name.prefix(40))…', which is too long for a path.")
        }
        let parts = name.pathParts
        guard !name.isRooted, !parts.contains(".."), !parts.isEmpty, !name.utf8.contains(0) else {
            throw outside(name)
        }
        if FrameList.isList(name) {
            throw MediaError(.malformed, "\(list) names \(name), and a list cannot contain lists.")
        }
        let path = FilePath.joined(folder, name)
        switch FileKind(path) {
        case .file: break
        case .nothing:
            throw MediaError(
                .environment, "\(list) names \(name), which does not exist.",
                underlying: SystemError(code: ENOENT))
        case .folder, .device:
            throw MediaError(.malformed, "\(list) names \(name), which is not a regular file.")
        }
        guard let real, let target = Self.realPath(path),
            target.hasPathPrefix(real.endsInSlash ? real : real + "/")
        else { throw outside(name) }
        return path
    }

    private func outside(_ name: String) -> MediaError {
        MediaError(
            .malformed,
            "\(list) names \(name.isEmpty ? "an empty file" : name), which is not in its folder.")
    }

    private static func realPath(_ path: String) -> String? {
        guard let real = realpath(path.systemPath, nil) else { return nil }
        defer { free(real) }
        return FileName.text(real)
    }
}
