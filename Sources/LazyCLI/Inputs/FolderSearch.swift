import Glibc
internal import LazyBase
internal import LazyKit
internal import LazyMedia

/// The media in a folder and its subfolders, in the order of the bytes of their paths.
///
/// Hidden files and folders are skipped. Links to files count as files; links to folders are not
/// followed, which prevents cycles.
struct FolderSearch {
    /// A found file.
    struct File: Sendable {
        let path: String
        /// The path from the named folder to the file's folder, without slashes at the ends.
        let subfolder: String

        init(path: String, subfolder: String) {
            self.path = path
            self.subfolder = subfolder
        }
    }

    /// The media files.
    private(set) var files: [File] = []
    /// Other files.
    private(set) var left = SkippedFiles()
    /// The number of media files that are no inputs.
    private(set) var filteredCount = 0
    private let output: FileIdentity?
    private let filter: FolderFilter
    private let isDeep: Bool
    /// Is called with each folder before its files are listed.
    private let didEnter: (String) -> Void

    /// Searches a folder, except for the folder of outputs; `isDeep` includes its subfolders.
    init(
        _ folder: String, output: String? = nil, _ filter: FolderFilter = FolderFilter(),
        isDeep: Bool = true, didEnter: @escaping (String) -> Void = { _ in }
    ) {
        self.isDeep = isDeep
        self.filter = filter
        self.didEnter = didEnter
        self.output = output.flatMap { FileKind($0) == .folder ? FileIdentity($0) : nil }
        look(Self.prefix(folder), "")
        files = files.sorted(byPath: \.path)
    }

    /// Looks at one file or folder, at a path as this search of `folder` finds it.
    init(
        _ folder: String, at path: String, output: String?, _ filter: FolderFilter,
        didEnter: @escaping (String) -> Void
    ) {
        isDeep = true
        self.filter = filter
        self.didEnter = didEnter
        self.output = output.flatMap { FileKind($0) == .folder ? FileIdentity($0) : nil }
        let prefix = Self.prefix(folder)
        guard path.hasPathPrefix(prefix) else { return }
        let rest = path.utf8.dropFirst(prefix.utf8.count)
        let parts = Substring(rest).pathParts
        guard let name = parts.last,
            !parts.contains(where: { $0.utf8.first == UInt8(ascii: ".") })
        else { return }
        take(path, String(name), parts.dropLast().joined(separator: "/"))
        files = files.sorted(byPath: \.path)
    }

    // Files of `.` have paths without it.
    private static func prefix(_ folder: String) -> String {
        folder == "." ? "" : folder.endsInSlash ? folder : folder + "/"
    }

    private mutating func look(_ folder: String, _ subfolder: String) {
        didEnter(folder.isEmpty ? "." : folder.utf8.count > 1 ? String(folder.dropLast()) : folder)
        guard let handle = opendir((folder.isEmpty ? "." : folder).systemPath) else {
            // Reported when it cannot be opened as an input.
            files.append(File(path: folder, subfolder: subfolder))
            return
        }
        var names: [(name: String, isFile: Bool)] = []
        while true {
            errno = 0
            guard let entry = readdir(handle) else {
                // A listing that breaks off is reported as one that cannot be begun.
                if errno != 0 { files.append(File(path: folder, subfolder: subfolder)) }
                break
            }
            let name = FileName.text(of: entry)
            if name.utf8.first == UInt8(ascii: ".") { continue }
            names.append((name, Int32(entry.pointee.d_type) == Self.plainFile))
        }
        // Closed before subfolders are opened: the number of descriptors is limited.
        closedir(handle)
        for (name, isFile) in names {
            if isFile {
                take(file: folder + name, name, subfolder)
            } else {
                take(folder + name, name, subfolder)
            }
        }
    }

    // `DT_REG`, an enumeration without a name. Where the folder names the kind, no file is looked at.
    private static let plainFile = Int32(DT_REG)

    private mutating func take(file path: String, _ name: String, _ subfolder: String) {
        if !Self.isMedia(path, name) {
            left.add(path)
        } else if filter.takes(path) {
            files.append(File(path: path, subfolder: subfolder))
        } else {
            filteredCount += 1
        }
    }

    private mutating func take(_ path: String, _ name: String, _ subfolder: String) {
        var status = stat()
        guard lstat(path.systemPath, &status) == 0 else {
            // It may be gone by now; a drive that does not answer is not.
            if errno != ENOENT { files.append(File(path: path, subfolder: subfolder)) }
            return
        }
        if status.st_mode & S_IFMT == S_IFDIR {
            guard isDeep, output == nil || FileIdentity(path) != output else { return }
            look(path + "/", subfolder.isEmpty ? name : subfolder + "/" + name)
        } else if FileKind(path) == .file {
            take(file: path, name, subfolder)
        } else if FileKind(path) != .folder {
            left.add(path)
        }
    }

    /// Extensions of media; damaged files are reported.
    ///
    /// TypeScript shares one of them, so the content decides.
    private static let endings = Set(MediaType.all.flatMap(\.fileExtensions)).subtracting(["ts"])

    /// Whether a file is media, by its extension or its content.
    static func isMedia(_ path: String, _ name: String) -> Bool {
        let ending = FilePath.fileExtension(of: name)?.lowercased() ?? ""
        if endings.contains(ending) { return true }
        guard let bytes = try? FileBytes(name: path.systemPath, label: path), bytes.count > 0,
            let type = try? MediaType.sniffing(bytes)
        else { return false }
        return type != .unknown
    }
}
