import Glibc
internal import LazyBase
internal import LazyMedia

/// The folder of a list, outside of which its files must not be.
struct ListFolder: Sendable {
    /// The list.
    private let list: String
    private let folder: String
    private let files: FolderFiles?

    init(of list: String) {
        self.list = list
        folder = list.parentFolder
        files = FolderFiles(folder)
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
        _ = try open(name)
        return FilePath.joined(folder, name)
    }

    /// The bytes of a file that the list names.
    ///
    /// It is looked for again each time, and never opened by a path that was looked at before.
    func bytes(_ path: String) throws(MediaError) -> FileBytes {
        let name =
            folder == "."
            ? path : String(path.dropFirst(folder.count + (folder.endsInSlash ? 0 : 1)))
        let (file, status) = try open(name)
        return try FileBytes(file, status)
    }

    private func open(_ name: String) throws(MediaError) -> (FileDescriptor, FileStatus) {
        guard let files else { throw outside(name) }
        do throws(FolderFiles.Failure) {
            return try files.open(FilePath.joined(folder, name))
        } catch {
            switch error {
            case .missing(let error):
                throw MediaError(
                    .environment, "\(list) names \(name), which does not exist.", underlying: error)
            case .outside: throw outside(name)
            case .noFile:
                throw MediaError(
                    .malformed, "\(list) names \(name), which is not a regular file.")
            case .system(let error): throw error.mediaError("open", FilePath.joined(folder, name))
            }
        }
    }

    private func outside(_ name: String) -> MediaError {
        MediaError(
            .malformed,
            "\(list) names \(name.isEmpty ? "an empty file" : name), which is not in its folder.")
    }
}

extension FileBytes {
    fileprivate convenience init(
        _ file: FileDescriptor, _ status: FileStatus
    ) throws(MediaError) {
        let own = fcntl(file.number, F_DUPFD_CLOEXEC, 0)
        guard own >= 0 else { throw SystemError.last.mediaError("open", "a file of the list") }
        self.init(adopting: own, count: status.size)
    }
}
